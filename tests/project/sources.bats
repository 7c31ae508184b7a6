#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The rules that every source file keeps: includes point one way, clang-format has nothing to say, and the licence is named.
bats_require_minimum_version 1.5.0

setup() {
  source="$BATS_TEST_DIRNAME/../.."
  tree="$BATS_TEST_TMPDIR"
  mkdir -p "$tree"/{src/core,src/topology,src/routing/tree,src/report,python,tests,check,studies,opensm,mpi,bench}
}

check() {
  run "$source/scripts/check-includes" "$tree"
}

@test "includes point one way" {
  run "$source/scripts/check-includes"
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "an include that points up is refused, with file and line" {
  printf '%s\n' '#include <vector>' '#include "core/ids.hpp"' '#include "routing/tables/routing.hpp"' >"$tree/src/topology/a.cpp"
  check
  [ "$status" -eq 1 ]
  [[ "$output" == *"src/topology/a.cpp:3: topology must not see routing"* ]]
}

@test "python, tests, check and opensm are covered" {
  echo '#include "c_api/hop_rows.hpp"' >"$tree/python/a.cpp"
  echo '#include "core/ids.hpp"' >"$tree/check/a.cpp"
  echo '#include "routing/engine.hpp"' >"$tree/opensm/a.c"
  echo '#include "nowhere/a.hpp"' >"$tree/tests/a.cpp"
  check
  [ "$status" -eq 1 ]
  [[ "$output" == *"python/a.cpp:1: "* && "$output" == *"check/a.cpp:1: "* ]]
  [[ "$output" == *"opensm/a.c:1: "* && "$output" == *"tests/a.cpp:1: "* ]]
}

@test "folders of a folder are of its layer" {
  printf '%s\n' '  #  include "topology/fabric.hpp"' '#include "routing/tables/routing.hpp"' >"$tree/src/routing/tree/a.hpp"
  check
  [ "$status" -eq 0 ]
  printf '%s\n' '  #  include "report/page/page.hpp"' >"$tree/src/routing/tree/a.hpp"
  check
  [ "$status" -eq 1 ]
  [[ "$output" == *"src/routing/tree/a.hpp:1: routing must not see report"* ]]
}

@test "outside libraries stay in their files" {
  printf '%s\n' '#include <nlohmann/json.hpp>' >"$tree/src/report/a.cpp"
  check
  [ "$status" -eq 0 ]
  printf '%s\n' '#include <nlohmann/json.hpp>' >"$tree/studies/a.cpp"
  check
  [ "$status" -eq 1 ]
  [[ "$output" == *"studies/a.cpp:1: <nlohmann/json.hpp> belongs into"* ]]
}

@test "a folder that no layer is known of is refused" {
  mkdir "$tree/src/utils"
  echo '#include <vector>' >"$tree/src/utils/a.hpp"
  check
  [ "$status" -eq 1 ]
  [[ "$output" == *"no layer is known of the folder utils"* ]]
}

# Who asks spells a parameter: param() of core/error.hpp. Reports are text of the command line, and lines with these
# words are about other programs.
@test "no message below the front ends names an option of the command line" {
  below="core topology plan/model plan/sizing plan/match plan/formats plan/task traffic routing io verify analysis sim tasks app"
  run grep -rnE '"[^"]*--[a-z]' $(printf "$source/src/%s " $below) --include='*.cpp' --include='*.hpp'
  others=$(grep -vE '^[^:]*:[0-9]+: *//|squeue|kubectl|ibdiagnet|--to topograph|--open;' <<<"$output" || true)
  echo "$others"
  [ -z "$others" ]
}

@test "no code asks what the text of an error says" {
  run grep -rnE 'what\(\)\)?\.(find|starts_with|ends_with|contains)|what\(\), *"|strstr\(.*what\(\)' "$source/src" "$source/python"
  echo "$output"
  [ "$status" -eq 1 ]
}

@test "every source file is formatted" {
  command -v clang-format-19 >/dev/null || skip "clang-format-19 is not installed"
  run "$source/scripts/lint" format
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "every source file names its licence" {
  run "$source/scripts/spdx" --check
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "make demo builds all programs that the demo runs" {
  built=$(jq -r '.buildPresets[] | select(.name == "program") | .targets[]' "$source/CMakePresets.json")
  grep -qx fatwood <<<"$built"
  if grep -q -- '--check' "$source/scripts/demo"; then grep -qx fatwood-check <<<"$built"; fi
}

@test "no file has more than 400 lines, no function more than 60" {
  run "$source/scripts/check-lengths"
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "a long function is found, with file and line" {
  printf '%s\n' 'int small() { return 1; }' 'void long_one(int x,' '              int y) {' >"$tree/src/core/a.cpp"
  for _ in {1..60}; do echo '  if (x > 0) y = x;'; done >>"$tree/src/core/a.cpp"
  echo '}' >>"$tree/src/core/a.cpp"
  run "$source/scripts/check-lengths" "$tree/src"
  [ "$status" -eq 1 ]
  [[ "$output" == *"a.cpp:2: a function of 63 lines"* ]]
}
