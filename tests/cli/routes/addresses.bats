#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Addresses of a file that are several, missing or not unique: what route takes, says and writes.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

# ft(4,2) as a file, with LIDs: switches from 1 on, hosts from 10 on, each with an LMC of $1.
# $2 is a filter of jq that spoils something.
with_lids() {
  "$FATWOOD" convert 'ft(4,2)' --to json | jq --argjson lmc "$1" '
    (.nodes | map(select(.kind == "switch") | .id)) as $switches |
    (.nodes | map(select(.kind != "switch") | .id)) as $hosts |
    .nodes |= map(.id as $id |
      if .kind == "switch" then .addresses[0][2] = 1 + ($switches | index($id))
      else .addresses[0][2] = 16 + ($hosts | index($id)) * pow(2; $lmc) | .addresses[0][3] = $lmc end) |
    '"${2:-.}" >net
  [ -s net ]
}

@test "a file's LMC is taken: tables hold every address" {
  with_lids 1
  "$FATWOOD" route net --engine updn+ -o tables --json >told
  [ "$(jq -c '[.lmc, .targets, .lids, .missing]' told)" = '[1,22,"own",0]' ]
  # What is written is what is proved.
  run --separate-stderr "$FATWOOD" verify net tables --json
  [ "$status" -eq 0 ]
  [ "$(grep -c '0x0011 ' tables)" -eq 6 ] # the second address of H0, at each switch
  run --separate-stderr "$FATWOOD" verify net updn+ --json
  [ "$status" -eq 0 ]
  # Asked for otherwise: base LIDs alone.
  "$FATWOOD" route net --engine updn+ --lmc 0 -o tables --json >told
  [ "$(jq -c '[.lmc, .targets, .lids]' told)" = '[0,14,"own"]' ]
}

@test "an engine of one address says so of a file with an LMC" {
  with_lids 1
  run --separate-stderr "$FATWOOD" route net --engine lash
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"engine lash does not support LMC 1; use --lmc 0"* ]]
  run --separate-stderr "$FATWOOD" route net --engine lash --lmc 0
  [ "$status" -eq 0 ]
}

# What route says of addresses, and show.
says() {
  run --separate-stderr "$FATWOOD" route net --engine minhop -o tables --json
  [ "$status" -eq 0 ]
  [[ "$stderr" == *"$1"* ]]
  [ "$(jq -r '.warnings[0]' <<<"$output")" = "$1" ]
  lids=$(jq -r .lids <<<"$output")
  "$FATWOOD" show net --json | jq -c '[.oddities[] | select(.kind | test("lid|guid")) | [.kind, .ports]]' >odd
}

@test "LIDs that are good are kept without a word" {
  with_lids 0
  run --separate-stderr "$FATWOOD" route net --engine minhop -o tables --json
  [ "$(jq -c '[.lids, .warnings]' <<<"$output")" = '["own",[]]' ]
  [ -z "$stderr" ]
  [ "$("$FATWOOD" show net --json | jq -c '[.oddities[].kind]')" = '[]' ]
  # Nor is a word lost on a fabric without any.
  run --separate-stderr "$FATWOOD" route 'ft(4,2)' --engine minhop -o tables --json
  [ "$(jq -c '[.lids, .warnings]' <<<"$output")" = '["new",[]]' ]
  run --separate-stderr "$FATWOOD" route 'ft(4,2)' --engine minhop --json
  [ "$(jq -c '.lids' <<<"$output")" = null ]
}

@test "a switch without a LID" {
  with_lids 0 '.nodes |= map(if .id == "S1_0" then .addresses[0][2] = 0 else . end)'
  says "the fabric's own LIDs can't be used, so all ports get new ones: S1_0[0] has none"
  [ "$lids" = new ]
  [ "$(cat odd)" = '[["no-lid",["S1_0[0]"]]]' ]
}

@test "two hosts with one LID" {
  with_lids 0 '.nodes |= map(if .id == "H3" then .addresses[0][2] = 16 else . end)'
  says "the fabric's own LIDs can't be used, so all ports get new ones: H3[1] has LID 16, which is taken or too high"
  [ "$lids" = new ]
  [ "$(cat odd)" = '[["same-lid",["H0[1]","H3[1]"]]]' ]
}

@test "ranges of LIDs that meet" {
  with_lids 1 '.nodes |= map(if .id == "S2_1" then .addresses[0][2] = 17 else . end)'
  says "the fabric's own LIDs can't be used, so all ports get new ones: S2_1[0] has LID 17, which is taken or too high"
  [ "$(cat odd)" = '[["same-lid",["H0[1]","S2_1[0]"]]]' ]
}

@test "more addresses than the file's LIDs leave room for" {
  with_lids 0
  run --separate-stderr "$FATWOOD" route net --engine minhop --lmc 1 -o tables --json
  [ "$status" -eq 0 ]
  [[ "$stderr" == *"can't be used, so all ports get new ones: H1[1] has LID 17, which is not a multiple of 2"* ]]
}

@test "two ports with one GUID are reported, and distinguished by LID" {
  for lids in with without; do
    if [ $lids = with ]; then
      with_lids 0 '.nodes |= map(if .id == "H1" then .addresses[0][1] = "0x10000000000001" else . end)'
    else
      "$FATWOOD" convert 'ft(4,2)' --to json |
        jq '.nodes |= map(if .id == "H1" then .addresses[0][1] = "0x10000000000001" else . end)' >net
    fi
    says "H0[1] and H1[1] have the same GUID 0x0010000000000001: a subnet manager takes them for one port"
    [ "$(cat odd)" = '[["same-guid",["H0[1]","H1[1]"]]]' ]
    run --separate-stderr "$FATWOOD" verify net tables --json
    [ "$status" -eq 0 ]
  done
}

@test "adapters joined to each other: the levels that route writes are those that verify reads" {
  "$FATWOOD" convert 'ft(4,2)' --to json | jq '
    .nodes |= map(if .id == "H0" or .id == "H7" then .ports = 2 else . end) |
    .links += [["H0", 2, "H7", 2, "4xQDR"]]' >net
  "$FATWOOD" route net --engine minhop -o tables --sl levels >/dev/null
  # The ports that no switch reaches stay unreached; the file of levels is taken.
  run --separate-stderr "$FATWOOD" verify net tables --sl levels --whole-sl --json
  [ "$status" -eq 1 ]
  [ "$(jq .deadlock_free <<<"$output")" = true ]
}

@test "levels that differ between hosts of one switch are refused with the reason" {
  "$FATWOOD" route 'ft(4,2)' --engine minhop -o tables --sl levels >/dev/null
  awk '$1 == "0x0010000000000000" && $2 == 8 { $3 = 1 } { print }' levels >mixed
  ! cmp -s levels mixed
  run --separate-stderr "$FATWOOD" verify 'ft(4,2)' tables --sl mixed
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"another node on S1_0 has level"*"a path is known by the switch it starts from"* ]]
}

@test "the commands for OpenSM stand a folder with blanks" {
  mkdir 'a folder'
  cd 'a folder'
  "$FATWOOD" route 'ft(4,2)' --engine sftree --out-opensm . >/dev/null
  opensm() { for word in "$@"; do case $word in /*) [ -e "$word" ] ;; esac || return 9; done; }
  . ./commands
  ! grep -E '(^|[^"])\$PWD' commands
}

@test "opensm.conf names the plug-in for engines, and the file of tables for an algebraic routing" {
  "$FATWOOD" route 'ft(4,2)' --engine dmodk --out-opensm engine >/dev/null
  grep -qx 'routing_engine fatwood_dmodk,no_fallback' engine/opensm.conf
  grep -qx '# event_plugin_options fatwood_repair fatwood_drift=0.05' engine/opensm.conf
  "$FATWOOD" route 'ring(5)' --engine nue --lanes 2 --out-opensm lanes >/dev/null
  grep -qx 'qos TRUE' lanes/opensm.conf
  grep -qx 'nue_max_num_vls 2' lanes/opensm.conf
  "$FATWOOD" route 'ft(4,2)' --engine disjoint:2 --out-opensm formula >/dev/null
  ! grep -q fatwood_ formula/opensm.conf
  grep -qx 'routing_engine file,no_fallback' formula/opensm.conf
  grep -qx 'lmc 1' formula/opensm.conf
  # OpenSM runs in another folder.
  grep -qx "lfts_file $PWD/formula/lfts" formula/opensm.conf
  grep -qx "# lfts_file $PWD/engine/lfts" engine/opensm.conf
  mkdir here
  cd here
  "$FATWOOD" route 'ft(4,2)' --engine disjoint:2 --out-opensm . >/dev/null
  [ -e "$(sed -n 's/^lfts_file //p' opensm.conf)" ]
}

@test "roots.guids are the roots that the engine was given" {
  printf 'S1_0\nS1_1\n' >roots
  "$FATWOOD" route 'xgft(2;4,2;1,2)' --engine updn+ --roots roots --out-opensm dir >/dev/null
  if [ -e dir/roots.guids ]; then
    [ "$(tr -d '\n' <dir/roots.guids)" = '0x00200000000000000x0020000000000001' ]
  fi
}

@test "infiniband.md shows the lines of opensm.conf that route writes" {
  "$FATWOOD" route 'ft(4,2)' even --out-opensm written >/dev/null
  while read -r line; do
    grep -qxF "    $line" "$BATS_TEST_DIRNAME/../../../docs/infiniband.md" || { echo "$line"; false; }
  done < <(grep -v '^#' written/opensm.conf | grep .)
}
