#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The plug-in repairs: after a cut the real OpenSM sends the blocks that must change and no others,
# by its own log, and what the tools read back from the switches is whole and free of deadlock.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib dump_fts
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  cd "$BATS_TEST_TMPDIR"
  "$FATWOOD" convert 'pgft(2;16,12;1,8;1,1)' --to ibsim -o net
}

teardown() { ib_stop; }

# Starts OpenSM with an engine and the options of plug-ins; its log tells each block that it sends.
manage() {
  printf 'event_plugin_name fatwood_opensm\nmax_wire_smps 16\nevent_plugin_options %s\n' "$2" >conf
  ib_start net
  ib_opensm_daemon -F conf -R "$1" -D 0x4b
  ib_wait_up 1
}
blocks_sent() { grep -c 'Writing FT block' "$IB_DIR/opensm.log" || true; }

# Cuts or mends, and waits for the next sweep to end.
after() {
  local before ups
  before=$(blocks_sent)
  ups=$(grep -c 'SUBNET UP' "$IB_DIR/opensm.log")
  ib_console "$1"
  sleep 0.5
  ib_heavy_sweep
  ib_wait_up $((ups + 1))
  sleep 1
  sent=$(($(blocks_sent) - before))
}

whole() {
  ib_run timeout 60 dump_fts >inside 2>/dev/null
  ib_run timeout 60 ibnetdiscover >found
  "$FATWOOD" verify found inside --json |
    jq -e '.unreachable.terminal_terminal == 0 and .loops == 0 and .deadlock_free'
}

@test "a repair sends the blocks that must change, a fresh route sends more" {
  manage fatwood_ftree fatwood_repair
  [ "$(blocks_sent)" -eq 80 ]
  ib_run timeout 60 dump_fts >old 2>/dev/null
  after 'Unlink "S1_0"[1]'
  repaired=$sent
  grep 'repaired:' "$IB_DIR/opensm.log" | tail -1
  whole
  # What the command line says of the same fabric and tables.
  ib_run timeout 60 ibnetdiscover >found
  "$FATWOOD" repair found old --forced-only --json >told
  jq .blocks_changed told
  [ "$repaired" -eq "$(jq .blocks_changed told)" ]
  # Put back: nothing must change but what had no way meanwhile.
  after 'Link "S1_0"[1] "S2_0"[1]' || true
  echo "mended: $sent"
  [ "$sent" -le "$repaired" ]
  whole
  ib_stop
  manage fatwood_ftree none
  after 'Unlink "S1_0"[1]'
  echo "repaired $repaired, anew $sent"
  [ "$repaired" -lt "$sent" ]
}

@test "a manager that starts again sends all, and then repairs again" {
  manage fatwood_sftree fatwood_repair
  after 'Unlink "S1_3"[2]'
  first=$sent
  [ "$first" -lt 40 ]
  whole
  pkill -TERM -P "$IB_OPENSM"
  wait "$IB_OPENSM" || true
  : >"$IB_DIR/opensm.log"
  ib_opensm_daemon -F conf -R fatwood_sftree -D 0x4b
  ib_wait_up 1
  [ "$(blocks_sent)" -ge 80 ]
  after 'Unlink "S1_5"[2]'
  [ "$sent" -lt 40 ]
  whole
}
