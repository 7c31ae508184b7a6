#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Fatwood installed into an empty prefix, and programs of somebody who uses it from there.
bats_require_minimum_version 1.5.0

setup_file() {
  export PREFIX="$BATS_FILE_TMPDIR/prefix"
  cmake --install "$FATWOOD_BUILD" --prefix "$PREFIX" >"$BATS_FILE_TMPDIR/install.log"
  cmake -S "$BATS_TEST_DIRNAME/installed" -B "$BATS_FILE_TMPDIR/build" -G Ninja \
    -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror $FATWOOD_SANITIZERS" >"$BATS_FILE_TMPDIR/configure.log"
  cmake --build "$BATS_FILE_TMPDIR/build" >"$BATS_FILE_TMPDIR/build.log" || { cat "$BATS_FILE_TMPDIR/build.log"; false; }
}

setup() {
  cd "$BATS_TEST_TMPDIR"
  build="$BATS_FILE_TMPDIR/build"
  source="$BATS_TEST_DIRNAME/../.."
  lib="$PREFIX/lib"
  [ -e "$lib/libfatwood.so" ] || lib=$(dirname "$(find "$PREFIX" -name libfatwood.so)")
}

@test "everything is in its place" {
  version=$(sed -n 's/^project(fatwood VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
  for file in bin/fatwood include/fatwood/fatwood.hpp include/fatwood/version.hpp \
    share/bash-completion/completions/fatwood share/doc/fatwood/LICENSE; do
    [ -s "$PREFIX/$file" ] || { echo "no $file"; false; }
  done
  [ -s "$lib/libfatwood.so.$version" ]
  [ -s "$lib/pkgconfig/fatwood.pc" ]
  [ -s "$lib/cmake/fatwood/fatwood-config.cmake" ]
  [ "$(objdump -p "$lib/libfatwood.so" | sed -n 's/^ *SONAME *//p')" = "libfatwood.so.${version%%.*}" ]
  if [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ]; then [ -s "$lib/libfatwood_opensm.so" ]; fi
  if command -v scdoc >/dev/null; then [ -s "$PREFIX/share/man/man1/fatwood-route.1" ]; fi
}

@test "program, library, package and JSON agree on the version" {
  version=$("$PREFIX/bin/fatwood" --version)
  version=${version#fatwood }
  [ "$("$PREFIX/bin/fatwood" show 'ft(4,2)' --json | jq -r .fatwood)" = "$version" ]
  [ "$(PKG_CONFIG_PATH="$lib/pkgconfig" pkg-config --modversion fatwood)" = "$version" ]
  grep -q "define FATWOOD_VERSION \"$version\"" "$PREFIX/include/fatwood/version.hpp"
  grep -q "^## $version" "$source/CHANGELOG.md"
}

@test "no header installed names a place of the build, or one that is not installed" {
  ! grep -rl "$FATWOOD_BUILD" "$PREFIX/include" "$lib/cmake" "$lib/pkgconfig"
  ! grep -rn '#include "' "$PREFIX/include"
  grep -rhoE '#include <fatwood/[^>]+>' "$PREFIX/include" | sort -u | sed 's/.*<\(.*\)>/\1/' | while read -r header; do
    [ -s "$PREFIX/include/$header" ] || { echo "$header"; false; }
  done
}

@test "every public header compiles alone" {
  for header in "$PREFIX"/include/fatwood/*.hpp; do
    echo "#include <fatwood/$(basename "$header")>" >alone.cpp
    c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I"$PREFIX/include" alone.cpp
  done
}

@test "a program routes a file and proves the routes" {
  "$FATWOOD" convert 'pgft(3;18,18,6;1,18,3;1,1,6)' --cut 2% --to ibnetdiscover -o net.txt
  run "$build/route_and_verify" net.txt sftree tables
  [ "$status" -eq 0 ]
  [[ "$output" == *"270 switches, 1944 terminals"*"lost pairs 0"*"deadlock free 1"*"read again the same"* ]]
  "$FATWOOD" verify net.txt tables >/dev/null
  run "$build/route_and_verify" net.txt minhop tables
  [ "$status" -eq 1 ]
  run "$build/route_and_verify" nofile minhop tables
  [ "$status" -eq 2 ]
  [[ "$output" == *nofile* ]]
}

@test "a program in C gets the tables of the command line" {
  run "$build/route_in_c" minhop
  [ "$status" -eq 0 ]
  [ "${#lines[@]}" -eq 8 ]
  grep -qx 'switch 0: LID 1 by port 0' <<<"$output" # itself
  grep -qx 'switch 0: LID 3 by port 8' <<<"$output" # its host
  grep -qxE 'switch 0: LID 4 by port [1-4]' <<<"$output"
  run "$build/route_in_c" nonsense
  [ "$status" -eq 2 ]
  [[ "$output" == *nonsense* ]]
}

@test "docs/cpp.md shows the examples as they are" {
  for example in examples/cpp/route_and_verify.cpp examples/c/route.c; do
    python3 -c 'import sys; sys.exit(open(sys.argv[1]).read() not in open(sys.argv[2]).read())' \
      "$source/$example" "$source/docs/cpp.md" || { echo "$example"; false; }
  done
}

@test "a program repairs tables, and asks what the fabric gives: the figures of the command line" {
  "$FATWOOD" route 'ft(4,3)' sftree -o old
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to ibnetdiscover -o cut.net
  run "$build/after_a_cut" 'ft(4,3)' cut.net sftree
  [ "$status" -eq 0 ]
  entries=$("$FATWOOD" repair 'ft(4,3)' --cut 'S1_0[1]' old --json | jq .entries_changed)
  seconds=$("$FATWOOD" job cut.net sftree --hosts all --json | jq .seconds)
  [[ "$output" == *"entries $entries"*"same safety 1"*"points 1"* ]]
  awk -v wanted="$seconds" '$1 == "seconds" { exit ($2 > wanted * 0.999 && $2 < wanted * 1.001) ? 0 : 1 }' <<<"$output"
}

@test "a program finds the worst traffic of a tree" {
  run "$build/worst_traffic" 'ft(8,3)' disjoint:4
  [ "$status" -eq 0 ]
  ratio=$("$FATWOOD" worst 'ft(8,3)' disjoint:4 --json | jq -r .ratio)
  [[ "$output" == *"ratio $ratio"*"load $ratio"* ]]
}

@test "an engine of one's own is judged like the rest" {
  run "$build/own_engine" 'ft(8,3)'
  [ "$status" -eq 0 ]
  [[ "$output" == *"first keeps its promise"* ]]
  [[ "$output" == *"sftree keeps its promise"* ]]
  [[ "$output" == *"128 hosts"*"unknown elsewhere"* ]]
}

@test "pkg-config is enough to build" {
  flags=$(PKG_CONFIG_PATH="$lib/pkgconfig" pkg-config --cflags --libs fatwood)
  c++ -std=c++20 "$source/tests/project/installed/worst_traffic.cpp" -o worst $FATWOOD_SANITIZERS $flags
  LD_LIBRARY_PATH="$lib" ./worst 'ft(4,2)' dmodk
}

@test "the Python module is imported from there" {
  [ -e "$FATWOOD_BUILD/python/fatwood" ] || skip "built without the module"
  core=$(find "$PREFIX" -name '_core*.so')
  python=/usr/bin/python3
  PYTHONPATH=$(dirname "$(dirname "$core")") "$python" -B -c '
import fatwood, sys
assert fatwood.__file__.startswith(sys.argv[1])
assert fatwood.verify(fatwood.Fabric("ft(4,2)"), "updn+").holds' "$PREFIX"
}
