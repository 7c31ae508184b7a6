# SPDX-License-Identifier: BSD-3-Clause
# bats tests/project/versions.bats: what docs/versions.md promises for this MAJOR version.

setup() {
  root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  FATWOOD=${FATWOOD:-$root/build/release/src/cli/fatwood}
  FATWOOD_BUILD=${FATWOOD_BUILD:-$root/build/release}
  cd "$BATS_TEST_TMPDIR"
}

# The binary interface of libraries that are built with debugging information.
interface_of() {
  abidw --no-show-locs --no-corpus-path --no-comp-dir-path --headers-dir "$root/include/fatwood" --drop-private-types \
    --exported-interfaces-only --no-elf-needed --out-file "$2" "$1"
}

@test "the version is the same everywhere" {
  version=$(sed -n 's/^project(fatwood VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
  [ "$("$FATWOOD" --version | grep -o '[0-9.]*' | head -1)" = "$version" ]
  [ "$("$FATWOOD" show 'ft(4,2)' --json | jq -r .fatwood)" = "$version" ]
  grep -qx "version: $version" "$root/CITATION.cff"
  grep -q "^fatwood ($version)" "$root/debian/changelog"
  grep -q "^## $version" "$root/CHANGELOG.md"
  grep -q "fatwood-$version-x86_64" "$root/README.md" "$root/docs/install.md"
}

# Whether programs built for one interface break with the other. What is only added (exit 4) breaks nothing.
breaks() {
  local status=0
  abidiff "$1" "$2" >difference || status=$?
  cat difference
  [ $((status & 3)) -eq 0 ] || return 2 # it could not compare
  grep -qE '[1-9][0-9]* (Removed|Changed)' difference
}

@test "the C interface keeps what it had (abidiff)" {
  command -v abidiff >/dev/null || skip "abidiff is not installed (abigail-tools)"
  library=$FATWOOD_BUILD/tests/libc_interface.so
  [ -e "$library" ] || skip "no $library: ninja c_interface"
  interface_of "$library" now.abi
  run breaks "$root/abi/c.abi" now.abi
  echo "$output"
  [ "$status" -eq 1 ]
}

@test "a function less, a larger struct or another number breaks it; a function more does not" {
  command -v abidiff >/dev/null || skip "abidiff is not installed (abigail-tools)"
  sed 's/fatwood_routes_free/fatwood_routes_gone/g' "$root/abi/c.abi" >function.abi
  sed "s/name='fatwood_node' size-in-bits='320'/name='fatwood_node' size-in-bits='384'/" "$root/abi/c.abi" >larger.abi
  sed "s/name='FATWOOD_SWITCH' value='2'/name='FATWOOD_SWITCH' value='3'/" "$root/abi/c.abi" >number.abi
  for change in function larger number; do
    ! cmp -s "$root/abi/c.abi" $change.abi
    run breaks "$root/abi/c.abi" $change.abi
    echo "$change: $output"
    [ "$status" -eq 0 ]
  done
  sed "/elf-symbol name='fatwood_lane_count'/d; /<function-decl name='fatwood_lane_count'/,/<\/function-decl>/d" \
    "$root/abi/c.abi" >fewer.abi
  run breaks fewer.abi "$root/abi/c.abi"
  echo "$output"
  [ "$status" -eq 1 ]
  [[ "$output" == *"1 Added"* ]]
}

@test "libfatwood exports every function of the C interface" {
  library=$(ls "$FATWOOD_BUILD"/libfatwood.so 2>/dev/null || true)
  [ -n "$library" ] || skip "the library is not built"
  nm -D --defined-only "$library" | awk '{ print $3 }' | sort >exported
  grep -o "elf-symbol name='fatwood_[a-z0-9_]*'" "$root/abi/c.abi" | cut -d"'" -f2 | sort -u >promised
  [ -s promised ]
  [ -z "$(comm -13 exported promised)" ]
}

@test "each key of JSON that was always there still is, with its type" {
  "$root/tests/golden/schema.py" --required | sort >now
  sort "$root/abi/json.txt" >promised
  [ -s promised ]
  run comm -13 now promised
  [ "$output" = "" ]
}

@test "every schema is one, and is installed" {
  for schema in "$root"/schema/*.json; do
    python3 -c 'import json, sys, jsonschema; jsonschema.Draft202012Validator.check_schema(json.load(open(sys.argv[1])))' "$schema"
    jq -e '.title and .required' "$schema" >/dev/null
  done
  grep -q 'DIRECTORY schema/' "$root/cmake/Install.cmake"
}

@test "a result that breaks its schema is noticed" {
  "$FATWOOD" show 'ft(4,2)' --json >right
  jq 'del(.switches)' right >lacks
  jq '.switches = "12"' right >type
  for file in right lacks type; do
    run python3 -B -c "import json, sys; sys.path.insert(0, '$root/tests/golden'); import schema
print(len(schema.problems('show', json.load(open('$file')))))"
    [ "$output" = "$([ $file = right ] && echo 0 || echo 1)" ]
  done
}
