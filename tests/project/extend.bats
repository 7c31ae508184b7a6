#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# CONTRIBUTING.md lists the steps of adding an engine, a format, a verb, a traffic pattern, a collective and a
# topology. The compiler, the golden tests and cli/program/verbs.bats notice most forgotten steps; the rest is here.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  source="$BATS_TEST_DIRNAME/../.."
  tests="$source/tests"
}

# named FILE WORD...: each word stands in the file, not as a part of a longer name.
named() {
  local file=$1 word missing=""
  shift
  [ $# -ge 8 ] || { echo "only $# words for $file: $*"; false; }
  for word; do
    grep -qP -e "(?<![\\w:+-])\\Q$word\\E(?![\\w+-])" "$file" || missing+=" $word"
  done
  [ -z "$missing" ] || { echo "$file lacks:$missing"; false; }
}

# The words that an error message lists after "are:" or "there are".
listed() { sed -n '1s/.*\(are:\|there are\) //; 1s/[:([][A-Z][^ ,]*//g; 1s/,//g; 1p'; }

engines() { "$FATWOOD" help engines | sed '/^$/,$d' | sed -n 's/^  \([a-z][a-z_+-]*\) .*/\1/p'; }

@test "every engine has golden tables and proofs" {
  named "$tests/golden/commands/route.txt" $(engines)
  named "$tests/golden/commands/verify.txt" $(engines)
}

@test "every reader of fabrics has a fuzz target with a corpus, mangled and noisy files, and golden output" {
  local readers name
  readers=$(sed -n 's/.*return read_\([a-z_]*\)(input.*/\1/p; s/.*looks_like_[a-z_]*, read_\([a-z_]*\)}.*/\1/p' \
    "$source/src/io/fabric/read_fabric.cpp" | grep -vx by_format)
  [ "$(wc -w <<<"$readers")" -ge 9 ]
  for name in $readers; do
    [ -s "$tests/fuzz/$name.cpp" ] || { echo "no fuzz target $name"; false; }
    [ -n "$(ls "$tests/fuzz/corpus/$name")" ]
    for file in io/mangled_test.cpp io/noisy_test.cpp; do
      grep -q "{\"$name\"," "$tests/$file" || { echo "$file lacks $name"; false; }
    done
    grep -q "^show corpus/$name/" "$tests/golden/commands/readers.txt" || { echo "no golden show of $name"; false; }
  done
}

@test "every fuzz target has a corpus" {
  for target in "$tests"/fuzz/*.cpp; do
    name=$(basename "$target" .cpp)
    [ -n "$(ls "$tests/fuzz/corpus/$name")" ]
  done
}

@test "fatwood(1) names every format of fabrics" {
  echo nonsense >file
  run "$FATWOOD" show file
  [ "$status" -eq 2 ]
  tr -d '*_\\' <"$source/man/fatwood.1.scd" >page
  local name names
  IFS=';' read -ra names <<<"${output#*expected a fabric:}"
  [ ${#names[@]} -ge 9 ]
  for name in "${names[@]}"; do
    name=${name# }
    grep -qF -e "$(tr -d '_' <<<"$name")" page || { echo "fatwood(1) does not name: $name"; false; }
  done
}

@test "the keys of every verb with --json are checked against its page" {
  local verb
  for verb in $("$FATWOOD" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'); do
    [ "$verb" != study ] || continue # its rows have the columns of a paper's table
    "$FATWOOD" "$verb" --help-all | grep -q -e '--json' || continue
    grep -q "untold_keys $verb " "$tests/cli/program/verbs.bats" || { echo "no untold_keys $verb"; false; }
  done
}

@test "every traffic pattern, collective and family has golden output" {
  run "$FATWOOD" load 'ft(4,2)' dmodk --traffic nosuch
  named "$tests/golden/commands/load.txt" $(listed <<<"$output")
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts all --collective nosuch
  sed 's/,/ /g' "$tests/golden/commands/job.txt" >jobs
  named jobs $(listed <<<"$output")
  run "$FATWOOD" show 'nosuch(3)'
  named "$tests/golden/commands/show.txt" $("$FATWOOD" help formulas | sed -n 's/^  \([a-z][a-z0-9-]*\).*/\1/p')
}
