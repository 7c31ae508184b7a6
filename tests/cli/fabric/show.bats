#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood show: what it says of trees whole and damaged, of what is no tree, and of real fabrics.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "a complete tree is named, without findings" {
  run "$FATWOOD" show 'pgft(3;18,18,6;1,18,3;1,1,6)'
  [ "$status" -eq 0 ]
  [[ "$output" == *"This is pgft(3;18,18,6;1,18,3;1,1,6) (an RLFT)."* ]]
  [[ "$output" == *"No findings."* ]]
}

@test "what a tree has no place for is counted, and then it is not whole" {
  fixtures="$BATS_TEST_DIRNAME/../../fixtures/fabrics"
  run --separate-stderr "$FATWOOD" show "$fixtures/xgft-2-4-2-one-horizontal-cable.json" --json
  [ "$status" -eq 0 ]
  jq -e '.whole == false and (.summary | endswith("plus 1 cable."))' <<<"$output"
}

@test "a triangle of switches is not a tree" {
  run --separate-stderr "$FATWOOD" show 'ring(3)' --json
  [ "$status" -eq 0 ]
  jq -e '.tree == false and .whole == false' <<<"$output"
}

@test "a cut cable is named by its ports" {
  run "$FATWOOD" show 'pgft(2;10,6;1,4;1,2)' --cut 'S1_2[6]'
  [ "$status" -eq 0 ]
  [[ "$output" == *"less 1 cable."* ]]
  [[ "$output" == *"S1_2[6] - S2_1[9], both free"* ]]
}

@test "removed switches are counted by level" {
  run "$FATWOOD" show 'ft(8,3)' --remove 'S2_5'
  [ "$status" -eq 0 ]
  [[ "$output" == *"This is xgft(3;4,4,8;1,4,4) (an RLFT) less 1 spine."* ]]
}

@test "the list of oddities is short unless --all" {
  run "$FATWOOD" show 'ft(16,3)' --cut '5%'
  [ "$status" -eq 0 ]
  [[ "$output" == *"more: --all"* ]]
  short=${#lines[@]}
  run "$FATWOOD" show 'ft(16,3)' --cut '5%' --all
  [[ "$output" != *"more: --all"* ]]
  [ "${#lines[@]}" -gt "$short" ]
}

@test "a ring is no tree, and two of its switches say why" {
  run "$FATWOOD" show 'ring(8)'
  [ "$status" -eq 0 ]
  [[ "$output" == *"No tree: S0 and S1 have no common ancestor"* ]]
}

@test "--json has the keys that scripts rely on" {
  run --separate-stderr "$FATWOOD" show 'ft(8,3)' --cut 'S1_0[1]' --json
  [ "$status" -eq 0 ]
  for key in switches adapters terminals links levels oddities; do
    [[ "$output" == *"\"$key\":"* ]]
  done
  [[ "$output" == *'"shape":"xgft(3;4,4,8;1,4,4)"'* ]]
  [[ "$output" == *'"kind":"missing-cable"'* ]]
  [[ "$output" == *'"S1_0[1]"'* ]]
  [[ "$output" == *'"oversubscription":1,'* || "$output" == *'"oversubscription":"128/127"'* ]]
}

@test "a file's own faults are oddities, not a word on stderr" {
  cat >one_sided.net <<'NET'
Switch	4 "S1"		# "S1" base port 0 lid 1 lmc 0
[1]	"H0"[1]		# "H0" lid 2 4xQDR
[2]	"H1"[1]		# "H1" lid 3 4xQDR

Hca	1 "H0"		# "H0"
[1]	"S1"[1]		# lid 2 lmc 0 "S1" lid 1 4xQDR

Hca	1 "H1"		# "H1"

NET
  run --separate-stderr "$FATWOOD" show one_sided.net --json
  [ "$status" -eq 0 ]
  [[ "$output" == *'"kind":"file"'* ]]
}

@test "a file that is not there: exit code 2, nothing on stdout" {
  run --separate-stderr "$FATWOOD" show nothing.net
  [ "$status" -eq 2 ]
  [ -z "$output" ]
  [ -n "$stderr" ]
}

@test "like Selene: cables missing, management off the side" {
  run "$FATWOOD" show like-selene --all
  [ "$status" -eq 0 ]
  [[ "$output" == *"pgft(3;20,7,32;1,10,14;1,2,1) less 24 leaves, "*" cables between leaf and spine"* ]]
  [[ "$output" == *"both free"* ]]
  [[ "$output" == *"MLEAF-02 is not part of the tree"* ]]
}

@test "Selene itself, where its file is here: 13 leaf up-links missing" {
  file="$FATWOOD_REAL_FABRICS/selene/selene.compute.txt"
  [ -e "$file" ] || return 0
  run "$FATWOOD" show "$file" --all
  [ "$status" -eq 0 ]
  [[ "$output" == *"pgft(3;20,7,32;1,10,14;1,2,1) less 24 leaves, 13 cables between leaf and spine"* ]]
  [[ "$output" == *"LG05-07[38] - CSPINE1-68[10], both free"* ]]
  [[ "$output" == *"MLG01-02 is not part of the tree"* ]]
}

@test "a run of ibdiagnet is read as a folder or an archive" {
  local run=$BATS_TEST_DIRNAME/../../fixtures/ibdiagnet2
  run --separate-stderr -0 "$FATWOOD" show "$run" --json
  [[ "$output" == *'"switches":4,'* ]]
  [[ "$stderr" == *"fabric from ibdiagnet2.db_csv"*"skipped:"*"make.py"* ]]
  [[ "$output" == *'"switches_adaptive":4,'* ]]
  local folder=$output
  tar -C "$run" -czf run.tar.gz .
  run --separate-stderr -0 "$FATWOOD" show run.tar.gz --json
  [ "$output" = "$folder" ]
  tar -C "$run" -cJf run.tar.xz .
  run --separate-stderr -0 "$FATWOOD" show run.tar.xz --json
  [ "$output" = "$folder" ]
  for file in db_csv ibnetdiscover lst net_dump; do
    run --separate-stderr -0 "$FATWOOD" show "$run/ibdiagnet2.$file" --json
    [[ "$output" == *'"switches":4,'* ]]
  done
  head -c 3000 run.tar.gz >cut.tar.gz
  run -2 "$FATWOOD" show cut.tar.gz
  [[ "$output" == *"cut.tar.gz: "*"early"* ]]
}

@test "--improve: cables exchanged between two trees' spines are put right" {
  # A leaf of each pod has a cable to a spine of the other pod; no port is free.
  "$FATWOOD" convert 'xgft(3;4,4,2;1,4,4)' --to json -o whole.json
  python3 - <<'PYTHON'
import json
fabric = json.load(open("whole.json"))
cables = {(c[0], c[2]): c for c in fabric["links"]}
a, b = cables["S1_0", "S2_0"], cables["S1_4", "S2_4"]
a[2:4], b[2:4] = b[2:4], a[2:4]
json.dump(fabric, open("crossed.json", "w"))
PYTHON
  run --separate-stderr "$FATWOOD" show crossed.json --improve 2 --json
  jq -e '.improve.steps[0].action == "exchange" and (.improve.steps | length) == 1
         and .improve.steps[0].then.jobs.mean > .improve.now.jobs.mean
         and (.improve.steps[0].in | map(.[0:2] | map(sub("\\[.*"; "")) | sort)
              | sort == [["S1_0", "S2_0"], ["S1_4", "S2_4"]])' <<<"$output"
}

@test "--improve: what nothing can improve is said, and 0 is no number of changes" {
  run --separate-stderr "$FATWOOD" show 'ft(4,2)' --improve 1 --json
  jq -e '.improve.steps == [] and .improve.candidates == 0' <<<"$output"
  run "$FATWOOD" show 'ft(4,2)' --improve 1
  [[ "$output" == *"no cable to add, replace or move was found"* ]]
  run "$FATWOOD" show 'ft(4,2)' --improve 0
  [ "$status" -eq 2 ]
}

@test "findings fit the terminal" {
  fabric='rails(units=2,hosts=4,rails=2,spines=4,missing_cables=3,slow_cables=1,seed=6)'
  COLUMNS=60 script -qec "'$FATWOOD' show '$fabric'" /dev/null | tr -d '\r' | sed '1,/^Odd/d' >seen
  [ -s seen ] && ! grep -qE '.{61}' seen
  # Nothing is cut: without breaks it is what a file gets.
  tr -s ' \n' ' ' <seen >words
  "$FATWOOD" show "$fabric" | sed '1,/^Odd/d' | tr -s ' \n' ' ' | cmp words -
}
