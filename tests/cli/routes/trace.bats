#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood trace: the way a packet takes, and where it gets lost.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "two hosts of a leaf are one switch apart" {
  run --separate-stderr "$FATWOOD" trace 'ft(8,2)' --engine minhop --from H0 --to H1
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = "H0[1] -> S1_0[5]" ]
  [ "${lines[1]}" = "S1_0[6] -> H1[1]" ]
}

@test "d-mod-k climbs by the destination's digit" {
  run --separate-stderr "$FATWOOD" trace 'ft(8,2)' --engine dmodk --from H0 --to H6 --json
  [ "$status" -eq 0 ]
  [ "$(jq -c '[.hops[].out]' <<<"$output")" = '[1,3,2,7]' ]
}

@test "a switch is a source and a destination too" {
  run --separate-stderr "$FATWOOD" trace 'ft(4,3)' --engine sftree --from S3_0 --to S3_3 --json
  [ "$status" -eq 0 ]
  [ "$(jq .reached <<<"$output")" = true ]
}

@test "a packet that gets lost is followed as far as it goes" {
  "$FATWOOD" route 'ft(4,2)' --engine minhop -o t >/dev/null
  grep -v '^0x0008' t >partly
  run --separate-stderr "$FATWOOD" trace 'ft(4,2)' partly --from H0 --to H7
  [ "$status" -eq 1 ]
  [[ "$output" == *"S1_0 has no route"* ]]
}

@test "wrong names are refused" {
  run --separate-stderr "$FATWOOD" trace 'ft(4,2)' --engine minhop --from H0 --to Nobody
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"Nobody"* ]]
  run --separate-stderr "$FATWOOD" trace 'ft(4,2)' --engine minhop --from H0 --to H1 --offset 4
  [ "$status" -eq 2 ]
}
