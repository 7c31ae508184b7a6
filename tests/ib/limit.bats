#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# An engine that refuses or takes longer than fatwood_seconds: the switches keep the tables that it
# wrote before. Where it wrote none, OpenSM goes on to its next engine.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib dump_fts
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  cd "$BATS_TEST_TMPDIR"
  "$FATWOOD" convert 'ft(4,2)' --to ibsim -o net
  printf 'event_plugin_name fatwood_opensm\nmax_wire_smps 16\n' >conf
  ib_start net
}

teardown() { ib_stop; }

# Cuts or connects, and waits until OpenSM has done all it does about it.
after() {
  ib_console "$1"
  ib_settle
}
# How the last sweep of the engine ended: "routed" or "FW09".
last_sweep() {
  grep -E 'ERR FW09|fatwood_[a-z]+: [0-9]+ switches routed' "$IB_DIR/opensm.log" | tail -1 | grep "$1"
}
# "switch LID port" of what is in the switches, in one order.
tables() {
  ib_tables |
    awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); s = substr($0, RSTART + 5, RLENGTH - 5) }
         /^0x/ { print s, $1, $2 + 0 }' | sort
}

@test "an engine that refuses a later fabric leaves its tables in the switches" {
  ib_opensm_daemon -F conf -R fatwood_dmodk
  ib_wait_up 1
  tables >whole
  [ -s whole ]
  after 'Unlink "S1_0"[1]'
  grep -q 'fatwood_dmodk: ERR FW02: dmodk needs a complete tree' "$IB_DIR/opensm.log"
  grep -q 'fatwood_dmodk: ERR FW09: no new tables: the switches keep their current ones' "$IB_DIR/opensm.log"
  tables >cut
  diff whole cut
  run ! grep 'minhop tables configured' "$IB_DIR/opensm.log"
  # A second refusal changes nothing either, and the next fabric that it takes is routed.
  after 'Unlink "S1_1"[1]'
  last_sweep FW09
  tables >cut
  diff whole cut
  ib_console 'Link "S1_0"[1] "S2_0"[1]'
  after 'Link "S1_1"[1] "S2_0"[2]'
  last_sweep routed
}

@test "an engine that takes too long leaves its tables in the switches" {
  IB_RECORDER=$FATWOOD_BUILD/tests/libib_late.so
  [ -e "$IB_RECORDER" ] || skip "the clock that runs ahead was not built (libibumad-dev)"
  export FATWOOD_LATE=$PWD/late
  ib_opensm_daemon -F conf -R fatwood_sftree
  ib_wait_up 1
  tables >whole
  touch late
  after 'Unlink "S1_0"[1]'
  grep -q 'fatwood_sftree: ERR FW02: stopped after 60 s, the time limit' "$IB_DIR/opensm.log"
  grep -q 'fatwood_sftree: ERR FW09' "$IB_DIR/opensm.log"
  tables >cut
  diff whole cut
  rm late
  after 'Unlink "S1_1"[1]'
  last_sweep routed
  tables >new
  run ! diff whole new
}

@test "the first sweep: without tables of its own OpenSM goes on to the next engine" {
  printf 'event_plugin_options fatwood_seconds=0.0000001\n' >>conf
  ib_opensm -F conf -R fatwood_sftree,minhop
  grep -q 'fatwood_sftree: ERR FW02: stopped after 1e-07 s, the time limit' "$IB_DIR/opensm.log"
  grep -q 'minhop tables configured' "$IB_DIR/opensm.log"
  run ! grep 'ERR FW09' "$IB_DIR/opensm.log"
}
