#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Tables and fabrics as sites keep them: a dump for each switch, dumps that are cut, changed LIDs.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o net
  "$FATWOOD" route net --engine updn+ -o whole >/dev/null
  mkdir each
  awk '/^Unicast/ { n++ } { print > ("each/ibroute-" n ".txt") }' whole
}

@test "a folder with a dump for each switch says what the whole dump says" {
  run --separate-stderr "$FATWOOD" verify net each --json
  [ "$status" -eq 0 ]
  jq -e '.holds and .unknown.terminal_terminal == 0' <<<"$output"
  [ -z "$stderr" ]
}

# 8 hosts, 2 on each of 4 leaves: of 56 pairs, 6 * 5 do without the first leaf.
@test "a switch without a dump: its pairs are unknown, not lost" {
  rm each/ibroute-1.txt
  run --separate-stderr "$FATWOOD" verify net each --json
  [ "$status" -eq 1 ]
  jq -e '.holds == false and .unknown.terminal_terminal == 26
         and .unreachable.terminal_terminal == 0 and .faults == [] and .deadlock_free' <<<"$output"
  run --separate-stderr "$FATWOOD" verify net each
  [ "$status" -eq 1 ]
  [[ "$output" == *"unknown"* ]]
}

@test "a site's folder: the fabric, and a dump for each switch in a folder below or next to it" {
  mkdir site
  cp net site/ibnetdiscover.txt
  cp -r each site/ibroute
  run --separate-stderr "$FATWOOD" check site --json
  [ "$status" -eq 0 ]
  jq -e '.tables == "given" and .safe' <<<"$output"
  "$FATWOOD" load site --traffic alltoall --json | jq -e '.mload > 0'
  # Two sets of tables: neither is taken, and both are named.
  cp -r site/ibroute site/older
  run --separate-stderr "$FATWOOD" check site --json
  jq -e '.tables == "none"' <<<"$output"
  [[ "$stderr" == *"in the folders ibroute, older"* ]]
  run --separate-stderr "$FATWOOD" check site site/older --json
  jq -e '.safe' <<<"$output"
  rm -r site/older
  mv site/ibroute/* site/
  run --separate-stderr "$FATWOOD" check site --json
  jq -e '.tables == "given" and .safe' <<<"$output"
}

@test "check: where entries are unknown, safety is neither good nor bad, and jobs are not measured" {
  rm each/ibroute-1.txt
  run --separate-stderr "$FATWOOD" check net each --json
  [ "$status" -eq 1 ]
  jq -e '.safe == null and .unknown > 0 and .unreachable == 0 and .deadlock_free and .jobs == null' <<<"$output"
  run --separate-stderr "$FATWOOD" check net each
  grep -q '^safety  -  .*pairs unknown' <<<"$output"
  ! grep -q 'fatwood route' <<<"$output"
}

@test "a dump that ends with its tool's message: what comes before it counts" {
  lines=$(($(grep -c ^0x each/ibroute-1.txt) - 2))
  { grep ^Unicast each/ibroute-1.txt; grep ^0x each/ibroute-1.txt | head -n $lines
    echo "ibroute: iberror: failed: dump tables: linear forwarding table get failed"; } >part
  mv part each/ibroute-1.txt
  run --separate-stderr "$FATWOOD" verify net each --json
  [ "$status" -eq 1 ]
  [[ "$stderr" == *"ibroute-1.txt:1: the tables of a switch are cut short"* ]]
  jq -e '.unreachable == {terminal_terminal: 0, terminal_switch: 0, switch_terminal: 0, switch_switch: 0}
         and .unknown.terminal_terminal == 0 and .unknown.switch_switch > 0' <<<"$output"
  # What is lost for certain fails, whatever is unknown.
  sed -i '0,/^0x0001 .*/s///' each/ibroute-2.txt
  run --separate-stderr "$FATWOOD" verify net each --json
  [ "$status" -eq 1 ]
  jq -e '.unreachable.terminal_terminal > 0' <<<"$output"
  run --separate-stderr "$FATWOOD" verify net each
  [[ "$output" != *"cannot tell"* ]]
}

@test "changed LIDs are a difference, and tables that contradict them are reported" {
  cat >lids.net <<'NET'
switchguid=0xa1(a1)
Switch 4 "S-00000000000000a1" # "s" base port 0 lid 9 lmc 0
[1] "H-00000000000000b0"[1](b1) # "h0" lid 1 4xHDR
[2] "H-00000000000000c0"[1](c1) # "h1" lid 2 4xHDR

caguid=0xb0
Ca 1 "H-00000000000000b0" # "h0"
[1](b1) "S-00000000000000a1"[1] # lid 1 lmc 0 "s" lid 9 4xHDR

caguid=0xc0
Ca 1 "H-00000000000000c0" # "h1"
[1](c1) "S-00000000000000a1"[2] # lid 2 lmc 0 "s" lid 9 4xHDR
NET
  sed 's/lid 1 /lid X /; s/lid 2 /lid 1 /; s/lid X /lid 2 /' lids.net >other.net
  run --separate-stderr "$FATWOOD" diff lids.net other.net --json
  [ "$status" -eq 1 ]
  jq -e '.same == false and (.lids | length) == 2 and .lids[0].from == 1 and .lids[0].to == 2' <<<"$output"
  run "$FATWOOD" diff lids.net other.net
  [ "$status" -eq 1 ]
  [[ "$output" == *"LIDs changed (2)"* ]]
  "$FATWOOD" route lids.net --engine updn+ -o tables >/dev/null
  run --separate-stderr "$FATWOOD" verify other.net tables
  [[ "$stderr" == *"tables and fabric disagree on 2 LIDs"* ]]
  [[ "$output" == *"LIDs       2 contradict the fabric"*"LID 1 is of h0 in the tables, of h1 in the fabric"* ]]
  run --separate-stderr "$FATWOOD" verify other.net tables --json
  jq -e '.lids_contradicted == 2 and .first_contradicted == {lid: 1, by_guid: "h0", in_fabric: "h1"}' <<<"$output"
  run --separate-stderr "$FATWOOD" verify lids.net tables --json
  jq -e '.lids_contradicted == 0 and .first_contradicted == null' <<<"$output"
  sed 's/lid 1 /lid 7 /' lids.net >moved.net
  run --separate-stderr "$FATWOOD" verify moved.net tables --json
  jq -e '.lids_contradicted == 1 and .first_contradicted == {lid: 1, by_guid: "h0", in_fabric: null}' <<<"$output"
  sed 's/ *#.*//' tables >plain
  run --separate-stderr "$FATWOOD" verify other.net plain
  [ "$status" -eq 1 ]
  [[ "$stderr" == *"2 of 2 LIDs of adapters are sent elsewhere"* ]]
}

@test "plafrim, as its site kept it" {
  [ -e "$FATWOOD_REAL_FABRICS/plafrim" ] || skip "no real fabrics here"
  run --separate-stderr "$FATWOOD" verify "$FATWOOD_REAL_FABRICS/plafrim/ib-subnet.txt" \
    "$FATWOOD_REAL_FABRICS/plafrim/ibroute/" --json
  jq -e '.pairs.terminal_terminal == 125 * 124 and .unreachable.terminal_terminal == 0
         and .unknown.terminal_terminal == 0 and .loops == 0' <<<"$output"
  # The folder as a whole: the fabric is the output of ibnetdiscover -p, after a log.
  run --separate-stderr "$FATWOOD" check "$FATWOOD_REAL_FABRICS/plafrim" --json
  jq -e '.tables == "given" and .safe' <<<"$output"
}

# LID 3 is H2's. The first leaf lists it a second time, for H5 and by another port.
@test "a LID with lines of two ports: the line of its owner counts, else the entry is unknown" {
  right='0x0003 001 # Channel Adapter portguid 0x0010000000000201: .H2.'
  wrong="0x0003 002 # Channel Adapter portguid 0x0010000000000501: 'H5'"
  "$FATWOOD" verify net whole --json >expected
  for place in i a; do
    sed "0,/^$right/{/^$right/$place $wrong
}" whole >twice
    [ "$(wc -l <twice)" -eq $(($(wc -l <whole) + 1)) ]
    run --separate-stderr "$FATWOOD" verify net twice --json
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"1 LID with lines of different ports"*"LID 3"* ]]
    [ "$(jq -c .unreachable <<<"$output")" = "$(jq -c .unreachable expected)" ]
  done
  # Without the right line: hosts of this leaf may reach LID 3 or not.
  sed "0,/^$right/s/^$right.*/$wrong/" whole >without
  run --separate-stderr "$FATWOOD" verify net without --json
  [ "$status" -eq 1 ]
  jq -e '.unreachable.terminal_terminal == 0 and .unknown.terminal_terminal == 2' <<<"$output"
  [[ "$stderr" == *"Dump S1_0 again"* ]]
}
