#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood optimise: more even links, the same promise.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "usage and tolerance are printed before and after" {
  run "$FATWOOD" optimise 'random(16,48,dup=8,seed=5001)' --engine bfot
  [ "$status" -eq 0 ]
  [[ "$output" == *"free before, and after"* ]]
  [[ "$output" == *"duplicates shared"* ]]
  [[ "$output" == *"path avoided"* ]]
}

@test "--json prints one object, the same for the same seed" {
  run --separate-stderr "$FATWOOD" optimise 'torus(4,4)' --engine updn+ --seed 3 --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","engine":"updn+","guarded":true,'* ]]
  first=$(sed 's/"seconds.*//' <<<"$output")
  run --separate-stderr "$FATWOOD" optimise 'torus(4,4)' --engine updn+ --seed 3 --threads 1 --json
  [ "$(sed 's/"seconds.*//' <<<"$output")" = "$first" ]
}

@test "tables are written, and differ from the engine's own" {
  run "$FATWOOD" optimise 'torus(4,4)' --engine bfot -o tables.lfts
  [ "$status" -eq 0 ]
  grep -q '^Unicast lids' tables.lfts
  run "$FATWOOD" optimise 'torus(4,4)' --engine bfot --patience 0 -o plain.lfts
  [ "$status" -eq 0 ]
  ! cmp -s tables.lfts plain.lfts
}

@test "source routes have no tables to move" {
  run "$FATWOOD" optimise 'torus(4,4)' --engine apot -o tables.lfts
  [ "$status" -eq 2 ]
  [[ "$output" == *"source routes"* ]]
  [ ! -e tables.lfts ]
}

@test "lanes are written beside the tables, and missed when they are not" {
  run --separate-stderr "$FATWOOD" optimise 'torus(5,5)' --engine dfsssp --patience 200 -o t --sl s
  [ "$status" -eq 0 ]
  [[ "$stderr" != *warning* ]]
  "$FATWOOD" verify 'torus(5,5)' t --sl s >/dev/null
  run --separate-stderr "$FATWOOD" optimise 'torus(5,5)' --engine dfsssp --patience 200 -o t
  [ "$status" -eq 0 ]
  [[ "$stderr" == *"the tables alone can deadlock: dfsssp needs "*" lanes, and --sl FILE writes them"* ]]
  run --separate-stderr "$FATWOOD" optimise 'ft(4,2)' --engine minhop --patience 200 -o t
  [[ "$stderr" != *warning* ]]
}

@test "an option that the engine does not follow is refused" {
  run "$FATWOOD" optimise 'ft(4,2)' --engine bfot --for shifts
  [ "$status" -eq 2 ]
  [[ "$output" == *"engine bfot does not support --for"* ]]
  run -0 "$FATWOOD" optimise 'ft(4,2)' --engine bfot --lanes 4 --effort quick --for alltoall
}
