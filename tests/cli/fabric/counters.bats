#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood counters: differences of two runs, and runs without counters.
bats_require_minimum_version 1.5.0

# run_with BYTES...: the small run with counters of ports 1, 2, ... of leaf1; 1 word is 4 bytes.
run_with() {
  cat "$none"
  printf 'START_PM_INFO\nNodeGUID,PortGUID,PortNumber,PortXmitDataExtended\n'
  local port=0
  for words in "$@"; do printf '0x1001,0x1001,%s,%s\n' $((++port)) "$words"; done
  printf 'END_PM_INFO\n'
}

setup() {
  cd "$BATS_TEST_TMPDIR"
  none=$BATS_TEST_DIRNAME/../../fixtures/ibdiagnet2/ibdiagnet2.db_csv
}

@test "a run without counters is refused, as the later and as the earlier one, by name" {
  run_with 10 20 30 >counts
  run --separate-stderr "$FATWOOD" counters "$BATS_TEST_DIRNAME/../../fixtures/ibdiagnet2"
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"ibdiagnet2: has no counters"* ]]
  [[ "$stderr" != *"fabric and counters from"* ]]
  run --separate-stderr "$FATWOOD" counters counts "$none"
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"ibdiagnet2.db_csv: has no counters"* ]]
}

@test "links without earlier counters are left out, and counted" {
  run_with 10 20 30 >earlier
  run_with 11 22 33 >later
  run --separate-stderr "$FATWOOD" counters later earlier --json
  [ "$status" -eq 0 ]
  jq -e '.bytes == 24 and .not_earlier == 0' <<<"$output"
  links=$(jq .links <<<"$output")
  run_with 10 20 >earlier
  run --separate-stderr "$FATWOOD" counters later earlier --json
  [ "$status" -eq 0 ]
  jq -e --argjson links "$links" '.bytes == 12 and .not_earlier == 1 and .links == $links - 1' <<<"$output"
}

@test "bad cables are those of the rules, written a second time in Python" {
  python3 "$BATS_TEST_DIRNAME/quality.py" "$none"
}

# quality_run ROW...: a run whose signals are these rows: GUID PORT RAW SYMBOL ERRORS FEC.
quality_run() {
  mkdir -p run
  cp "$none" run/ibdiagnet2.db_csv
  {
    echo "Ty : # : #IB : GUID : FEC mode : Raw BER : Effective BER : Symbol BER : Symbol Err : Effective Err : Node Desc"
    local row
    for row in "$@"; do
      set -- $row
      echo "SW : 1 : $2 : $1 : $6 : $3 : 1e-255 : $4 : $5 : 0 : any"
    done
  } >run/ibdiagnet2.net_dump_ext
}

@test "errors at both ends are the cable's, at one end unclear, at one device the device's" {
  quality_run "0x1001 3 1e-9 1e-9 7 A" "0x2001 1 1e-9 2e-10 7 A" "0x1002 4 1e-9 1e-9 9 A"
  run --separate-stderr "$FATWOOD" counters run --routing updn+ --json
  [ "$status" -eq 0 ]
  jq -e '.quality | .ports_with_signals == 3 and .bad == 2 and
    ([.cables[] | [.link, .suspect, .sure]] | sort) ==
    [["leaf1[3]", "cable", "likely"], ["leaf2[4]", "either-end", "unclear"]]' <<<"$output"
  jq -e 'all(.quality.cables[]; .share > 0)' <<<"$output"
  quality_run "0x1001 3 1e-9 1e-9 7 A" "0x1001 4 1e-9 1e-9 7 A" "0x1001 1 1e-9 1e-9 7 A"
  run --separate-stderr "$FATWOOD" counters run --routing updn+ --json
  jq -e 'all(.quality.cables[]; .suspect == "device" and .device == "leaf1")' <<<"$output"
}

@test "the limits are options, and check has the cables among its findings" {
  quality_run "0x1001 3 1e-9 1e-9 7 A" "0x2001 1 1e-9 1e-15 7 B"
  run --separate-stderr "$FATWOOD" check run updn+ --json
  [ "$status" -eq 1 ]
  jq -e '.cabling == "bad" and any(.findings[]; .kind == "bit-errors" and .severity == "bad" and .cost_hosts > 0)' <<<"$output"
  run --separate-stderr "$FATWOOD" check run updn+ --json --symbol-ber 1e-8
  [ "$status" -eq 0 ]
  jq -e 'any(.findings[]; .kind == "bit-errors" and .severity == "warn")' <<<"$output"
  run --separate-stderr "$FATWOOD" counters run --routing updn+ --json --symbol-ber 1e-6
  jq -e '[.quality.cables[] | .evidence[].sign] == ["fec-differs"]' <<<"$output"
  run "$FATWOOD" counters run --symbol-ber 0
  [ "$status" -eq 2 ]
  [[ "$output" == *"--symbol-ber"* ]]
}

@test "amounts are in units that people read" {
  run_with 260000000000000 2500 1 >run
  run --separate-stderr "$FATWOOD" counters run --routing updn+
  [ "$status" -eq 0 ]
  [[ "$output" == *"1.04 PB"* ]]
  [[ "$output" == *"10 kB"* ]]
}
