#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# `live` as FABRIC and as ROUTING: what infiniband-diags say of a simulated fabric that OpenSM routed.
bats_require_minimum_version 1.5.0
load ib

setup() {
  # The simulator's library is loaded before that of the address sanitizer.
  export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
  need_ib dump_fts
  cd "$BATS_TEST_TMPDIR"
}

teardown() { ib_stop; }

live() { ib_run "$FATWOOD" "$@"; }

@test "live is the fabric and its tables, as files of the same programs are" {
  "$FATWOOD" convert 'ft(4,2)' --to ibsim -o net
  ib_start net
  ib_opensm -R updn
  ib_discover >found
  ib_tables >tables
  live show live --json | jq 'del(.format)' >here
  "$FATWOOD" show found --json | jq 'del(.format)' >file
  cmp here file
  # OpenSM's updn leaves the two spines without routes to each other: exit 1.
  live verify live live --json >here || [ $? -eq 1 ]
  "$FATWOOD" verify found tables --json >file || [ $? -eq 1 ]
  cmp <(jq 'del(.routes)' here) <(jq 'del(.routes)' file)
  live check live live --json >here || [ $? -eq 1 ]
  jq -e '.routing == "live" and .cabling == "ok" and .unreachable == 2 and .deadlock_free' here
  live diff live found
}

@test "a cable that is lost is seen at once" {
  "$FATWOOD" convert 'ft(4,2)' --to ibsim -o net
  ib_start net
  ib_opensm -R updn
  name=$(live show live --json | jq -r .switches)
  [ "$name" -eq 6 ]
  ib_console 'Unlink "S1_0"[1]'
  live check live updn --json >here || true
  jq -e '.cabling != "ok" and any(.findings[]; .kind == "missing-cable")' here
}

@test "where there is no fabric, the message says whose" {
  run env -u LD_PRELOAD "$FATWOOD" show live
  [ "$status" -eq 2 ]
  [[ "$output" == *ibnetdiscover* ]]
  run "$FATWOOD" show live:
  [ "$status" -eq 2 ]
  [[ "$output" == *live:DEVICE:PORT* ]]
}
