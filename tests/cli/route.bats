#!/usr/bin/env bats
# fatwood route: what it prints, which input it refuses.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "the table tells targets, routes, hops and lanes" {
  run "$FATWOOD" route 'ft(4,3)' --engine minhop
  [ "$status" -eq 0 ]
  [[ "$output" == *"36 (16 terminals with 1 address each, 20 switches)"* ]]
  [[ "$output" == *"0 missing"* ]]
}

@test "--json prints one object" {
  run --separate-stderr "$FATWOOD" route 'ft(4,3)' --engine minhop --lmc 2 --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"engine":"minhop","lmc":2,'* ]]
  [[ "$output" == *'"targets":84,'* ]]
  [[ "$output" == *'"missing":0,'* ]]
}

@test "an unknown engine lists the known ones" {
  run "$FATWOOD" route 'ft(4,3)' --engine best
  [ "$status" -eq 2 ]
  [[ "$output" == *"minhop"* ]]
}

@test "an order is read, and a wrong line is named" {
  printf '# ranks\n\nH3\nH1[1]\n' >order
  run "$FATWOOD" route 'ft(4,3)' --engine minhop --order order
  [ "$status" -eq 0 ]
  printf 'H3\nnobody\n' >order
  run "$FATWOOD" route 'ft(4,3)' --engine minhop --order order
  [ "$status" -eq 2 ]
  [[ "$output" == *"order:2:"*"nobody"* ]]
}

@test "an absent list is named" {
  run "$FATWOOD" route 'ft(4,3)' --engine minhop --roots absent
  [ "$status" -eq 2 ]
  [[ "$output" == *"absent"* ]]
}
