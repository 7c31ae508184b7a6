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
