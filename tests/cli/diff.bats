#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood diff: what it tells, its exit status, and what it refuses.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "the same fabric: nothing, and 0" {
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o a
  run "$FATWOOD" diff a a
  [ "$status" -eq 0 ]
  [[ "$output" == *"the same"* ]]
  run --separate-stderr "$FATWOOD" diff 'ft(4,3)' a --json
  [ "$status" -eq 0 ]
  jq -e '.same and .matched == "guid" and .entries_changed == null' <<<"$output"
}

@test "a cut cable is told by both ends, and 1" {
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o a
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to ibnetdiscover -o b
  run --separate-stderr "$FATWOOD" diff a b --json
  [ "$status" -eq 1 ]
  jq -e '.cables.lost == [["S1_0[1]", "S2_0[3]"]] and .cables.new == []' <<<"$output"
  run --separate-stderr "$FATWOOD" diff b a --json
  jq -e '.cables.new == [["S1_0[1]", "S2_0[3]"]] and .cables.lost == []' <<<"$output"
}

@test "a switch with another GUID in the same place is a replacement" {
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o a
  sed 's/20000000000000\b/200000000000ff/g' a >b
  run --separate-stderr "$FATWOOD" diff a b --json
  [ "$status" -eq 1 ]
  jq -e '(.nodes.replaced | length) == 1 and .nodes.lost == [] and .cables.lost == []' <<<"$output"
}

@test "tables: entries, blocks and pairs, by switch" {
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o a
  "$FATWOOD" route a --engine ftree -o old >/dev/null
  "$FATWOOD" route a --engine minhop -o new >/dev/null
  run --separate-stderr "$FATWOOD" diff a a --tables old new --json
  [ "$status" -eq 1 ]
  jq -e '.entries_changed > 0 and .entries_changed == ([.switches[].entries] | add)
         and .blocks_changed == ([.switches[].blocks] | add)' <<<"$output"
  run --separate-stderr "$FATWOOD" diff a a --tables old old --json
  [ "$status" -eq 0 ]
  jq -e '.entries_changed == 0 and .pairs_changed == 0' <<<"$output"
}

@test "an absent file is named" {
  run "$FATWOOD" diff 'ft(4,2)' absent
  [ "$status" -eq 2 ]
  [[ "$output" == *absent* ]]
}
