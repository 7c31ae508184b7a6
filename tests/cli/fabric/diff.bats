#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood diff: what it prints, its exit status, and what it refuses.
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

@test "a cut cable is listed by both ends, exit status 1" {
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

@test "a plan: nothing wrong is 0, something missing 3, something wrong 1" {
  "$FATWOOD" convert 'ft(4,3)' --to ndt -o plan.csv
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o a
  run --separate-stderr "$FATWOOD" diff plan.csv a --json
  [ "$status" -eq 0 ]
  jq -e '.matched == "plan" and .complete and .faults == [] and .moves_needed == 0' <<<"$output"
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to ibnetdiscover -o b
  run --separate-stderr "$FATWOOD" diff plan.csv b --json
  [ "$status" -eq 3 ]
  jq -e '.wrong == false and [.faults[].kind] == ["missing_cable"]
         and .cables.lost == [["S1_0[1]", "S2_0[3]"]]
         and .progress.missing == 1 and .progress.right == .progress.planned - 1' <<<"$output"
  run --separate-stderr "$FATWOOD" diff 'ft(4,3)' b --json
  [ "$status" -eq 3 ]
}

@test "a plan: rails that are crossed are found, with moves, CSV, page and UFM's report" {
  plan='rails(units=2,hosts=8,rails=4,spines=4)'
  "$FATWOOD" convert "$plan" --to cables -o plan.csv
  "$FATWOOD" convert "${plan%)},crossed_cables=2,seed=2)" --to ibnetdiscover -o found
  run --separate-stderr "$FATWOOD" diff plan.csv found --json --csv f.csv --page p.html --ufm u.json
  [ "$status" -eq 1 ]
  jq -e '.wrong and ([.faults[].moves | length] | add) == .moves_needed
         and all(.faults[]; (.ends | length) > 0 and (.do | length) > 0)' <<<"$output"
  [ "$(wc -l <f.csv)" -eq "$(($(jq '[.faults[].ends | length] | add' <<<"$output") + 1))" ]
  grep -q '<title>Cabling of found - Fatwood</title>' p.html
  jq -e '.error == "" and (.report | has("miss_wired") and has("missing_in_ufm")
         and has("missing_in_ndt"))' u.json
}

@test "a plan: a bad row is an error, and a warning with --lenient" {
  printf 'StartDevice,StartPort,EndDevice,EndPort\nleaf1,Port 1,spine1,Port 1\nleaf1,abra,spine1,Port 2\n' >bad.csv
  run "$FATWOOD" show bad.csv
  [ "$status" -eq 2 ]
  [[ "$output" == *"bad.csv:3:7:"* ]]
  run --separate-stderr "$FATWOOD" show bad.csv --lenient --json
  [ "$status" -eq 0 ]
  jq -e '.links == 1' <<<"$output"
}

# run_with DOWNS LENGTH: the small run with counters and memories of cables at port 3 of leaf1.
run_with() {
  cat "$BATS_TEST_DIRNAME/../../fixtures/ibdiagnet2/ibdiagnet2.db_csv"
  printf 'START_PM_INFO\nNodeGUID,PortGUID,PortNumber,LinkDownedCounter\n'
  printf '0x1001,0x1001,3,%s\nEND_PM_INFO\n\n' "$1"
  printf 'START_CABLE_INFO\nNodeGuid,PortGuid,PortNum,Vendor,PN,LengthCopperOrActive,LengthDesc,TypeDesc\n'
  printf '0x1001,0x1001,3,"NVIDIA","MFS1S00-H010E   ","%s","N/A","850 nm VCSEL"\nEND_CABLE_INFO\n' "$2"
}

@test "a plan and two runs: wrong part, wrong length, links that went down" {
  run_with 2 10 >before
  run_with 5 10 >now
  "$FATWOOD" convert now --to cables -o plan.csv
  awk -F, -v OFS=, 'NR > 1 { $10 = "MFS1S00-H010"; $11 = 10 } 1' plan.csv >right.csv
  run --separate-stderr "$FATWOOD" diff right.csv now --json
  [ "$status" -eq 0 ]
  run --separate-stderr "$FATWOOD" diff right.csv now --earlier before --json
  [ "$status" -eq 1 ]
  jq -e '[.faults[] | [.kind, .detail]] == [["flapping_link", "down 3 times since the earlier run"]]
         and .faults[0].found == [["leaf1[3]", "spine1[1]"]]' <<<"$output"
  run_with 5 "15 m" >long
  run --separate-stderr "$FATWOOD" diff right.csv long --json
  jq -e '[.faults[] | [.kind, .detail]] == [["wrong_length", "15 m instead of 10 m"]]' <<<"$output"
  sed 's/MFS1S00-H010/DAC/' right.csv >copper.csv
  run --separate-stderr "$FATWOOD" diff copper.csv now --json
  jq -e '[.faults[].kind] == ["wrong_part"] and (.faults[0].do | length) > 0' <<<"$output"
  # No counters: what is asked for can't be done.
  run "$FATWOOD" diff right.csv now --earlier "$BATS_TEST_DIRNAME/../../fixtures/ibdiagnet2/ibdiagnet2.db_csv"
  [ "$status" -eq 2 ]
}

@test "a plan: a leaf that is down is one fault, with its hosts behind it" {
  "$FATWOOD" convert 'ft(8,3)' --to cables -o plan.csv
  "$FATWOOD" convert 'ft(8,3)' --remove S1_3 --to ibnetdiscover -o lonely
  # Discovery finds no host without a cable.
  awk -v RS= -v ORS='\n\n' '!/\nCa/ || /\n\[1\]/' lonely >found
  run --separate-stderr "$FATWOOD" diff plan.csv found --json
  [ "$status" -eq 3 ]
  jq -e '[.faults[].kind] == ["device_down"] and .faults[0].devices[0] == "S1_3"
         and (.faults[0].devices | length) == 5' <<<"$output"
}

@test "a plan: another adapter of the host, and a port that an unplanned one occupies" {
  cd "$BATS_TEST_DIRNAME/../../fixtures/cabling"
  run --separate-stderr "$FATWOOD" diff functions.csv functions.txt --json
  [ "$status" -eq 1 ]
  jq -e '.progress.right == 1 and .moves_needed == 3 and (.moves | length) == 3
         and ([.faults[].kind] | sort) == ["unplanned_device", "wrong_port", "wrong_port"]' <<<"$output"
  # The port is free before it is used.
  jq -e '.moves[0] == {"stays": "ufm1 HCA-1[1]", "from": "sw1[4]", "to": null}
         and any(.moves[]; .from == "sw1[3]" and .to == "sw1[4]")
         and any(.moves[]; .from == "h1 ibp203s0f0[1]" and .to == "h1 h1 ibp203s0f1")' <<<"$output"
}

@test "hosts that a plan of switches leaves out are no faults" {
  "$FATWOOD" convert 'ft(4,2)' --to cables -o all.csv
  { head -1 all.csv; grep -v ',H[0-9],' all.csv | tail -n +2; } >switches.csv
  run --separate-stderr "$FATWOOD" diff switches.csv 'ft(4,2)' --json
  [ "$status" -eq 0 ]
  jq -e '.faults == [] and .hosts_not_planned == 8' <<<"$output"
  # Where the plan has hosts, one that it lacks is a fault.
  grep -v ',H3,' all.csv >some.csv
  run --separate-stderr "$FATWOOD" diff some.csv 'ft(4,2)' --json
  [ "$status" -eq 1 ]
  jq -e '[.faults[].kind] | length == 1' <<<"$output"
}
