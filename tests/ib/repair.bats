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

# Cuts or mends, and waits until OpenSM has done all it does about it; `sent` blocks are written.
after() {
  local before
  before=$(blocks_sent)
  ib_console "$1"
  ib_settle
  sent=$(($(blocks_sent) - before))
}

whole() {
  ib_tables >inside
  ib_discover >found
  "$FATWOOD" verify found inside --json |
    jq -e '.unreachable.terminal_terminal == 0 and .loops == 0 and .deadlock_free'
}

@test "a repair sends the blocks that must change, a fresh route sends more" {
  manage fatwood_ftree fatwood_repair
  [ "$(blocks_sent)" -eq 80 ]
  ib_tables >old
  after 'Unlink "S1_0"[1]'
  repaired=$sent
  grep 'repaired:' "$IB_DIR/opensm.log" | tail -1
  whole
  # What the command line says of the same fabric and tables.
  ib_discover >found
  "$FATWOOD" repair found old --forced-only --json >told
  jq .blocks_changed told
  [ "$repaired" -eq "$(jq .blocks_changed told)" ]
  # Put back: nothing must change but what had no way meanwhile.
  after 'Link "S1_0"[1] "S2_0"[1]'
  echo "mended: $sent"
  [ "$sent" -le "$repaired" ]
  whole
  ib_stop
  manage fatwood_ftree none
  after 'Unlink "S1_0"[1]'
  echo "repaired $repaired, from scratch $sent"
  [ "$repaired" -lt "$sent" ]
}

# Kills OpenSM and starts it again, with an engine and the options of plug-ins; `sent` blocks are
# written, `asked` are read.
restart() {
  ib_kill
  [ -z "${2:-}" ] || sed -i "s/^event_plugin_options.*/event_plugin_options $2/" conf
  ib_opensm_daemon -F conf -R "$1" -D 0x4b
  [ -z "${IB_NO_WAIT:-}" ] || return 0
  ib_wait_up 1
  sent=$(blocks_sent)
  asked=$(sed -nE 's/.*fatwood: tables of [0-9]+ switches read, ([0-9]+) blocks.*/\1/p' "$IB_DIR/opensm.log")
  echo "asked ${asked:=0}, sent $sent"
  grep -E 'fatwood_.*(repaired|from scratch|left)' "$IB_DIR/opensm.log" || true
  ib_tables >now
}

@test "a manager that is killed and started again keeps what it left in the switches" {
  manage fatwood_sftree fatwood_repair
  [ "$(blocks_sent)" -eq 80 ]
  after 'Unlink "S1_3"[2]'
  ib_tables >repaired
  restart fatwood_sftree
  [ "$asked" -eq 80 ]
  [ "$sent" -eq 0 ]
  cmp repaired now
  # What happens meanwhile is repaired, in two rounds here, and nothing else is sent.
  pkill -STOP -P "$IB_OPENSM"
  ib_console 'Unlink "S1_0"[1]'
  restart fatwood_sftree
  ib_settle
  [ "$(blocks_sent)" -gt 0 ]
  [ "$(blocks_sent)" -lt 40 ]
  [ "$(blocks_sent)" -eq "$(awk '/repaired: .* blocks change/ { n += $(NF - 2) } END { print n }' "$IB_DIR/opensm.log")" ]
  whole
  # It goes on as if nothing had been.
  after 'Unlink "S1_5"[2]'
  [ "$sent" -lt 40 ]
  whole
  cp inside before
  restart fatwood_sftree 'fatwood_repair fatwood_cold'
  [ "$asked" -eq 0 ]
  [ "$sent" -eq 80 ]
  run ! cmp before now
  whole
}

@test "tables of others stay if they are as even, and switches that forgot or say nothing get all" {
  forget=$FATWOOD_BUILD/tests/ib_forget
  [ -e "$forget" ] || skip "the program that empties a table was not built (libibumad-dev)"
  manage fatwood_ftree fatwood_repair
  ib_tables >ours
  # The manager's own leaf, with an empty table, and all others as they were.
  ib_run "$forget" 4 1 3
  restart fatwood_ftree
  [ "$asked" -eq 76 ]
  [ "$sent" -eq 4 ]
  cmp ours now
  # Nothing reaches S1_2 or comes from it: it is not known what it has, until it answers.
  ib_console 'Error "S1_2" 100 25'
  IB_NO_WAIT=1 restart fatwood_ftree
  ib_until grep -q 'ERR 331D' "$IB_DIR/opensm.log"
  [ "$(blocks_sent)" -eq 4 ]
  ib_console 'Error "S1_2" 0'
  ib_settle
  [ "$(blocks_sent)" -eq 4 ]
  ib_tables >now
  cmp ours now
  # OpenSM's minhop writes all. That is not ours, but as even, and stays.
  restart minhop
  [ "$asked" -eq 0 ]
  [ "$sent" -eq 80 ]
  cp now foreign
  restart fatwood_ftree
  grep 'fatwood_ftree: most tables are not what it left' "$IB_DIR/opensm.log"
  [ "$asked" -eq 80 ]
  [ "$sent" -eq 0 ]
  cmp foreign now
  # Repairs have left a cable without routes: that stays as long as it is known to be ours.
  after 'Unlink "S1_0"[1]'
  after 'Link "S1_0"[1] "S2_0"[1]'
  restart fatwood_ftree
  [ "$sent" -eq 0 ]
  rm "$IB_DIR/fatwood-tables"
  restart fatwood_ftree
  grep 'routed from scratch: the most loaded link would carry .* times as much, 1.000 allowed' "$IB_DIR/opensm.log"
  [ "$asked" -eq 80 ]
  [ "$sent" -gt 0 ]
  whole
}

@test "tables of the engine that OpenSM fell back to are kept only if they are as even" {
  "$FATWOOD" convert 'pgft(2;16,12;1,8;1,1)' --cut 'S1_0[1]' --to ibsim -o net --force
  manage fatwood_dmodk fatwood_repair
  grep -q 'ERR FW02' "$IB_DIR/opensm.log" # dmodk needs a complete tree, so minhop wrote the tables
  after 'Link "S1_0"[1] "S2_0"[1]'
  whole
  load() { "$FATWOOD" load found "$1" --traffic alltoall --json | jq .mload; }
  [ "$(load inside)" = "$(load dmodk)" ]
}

@test "a second manager that takes over keeps what the first one left" {
  need_ib sminfo
  printf 'sminfo_polling_timeout 200\npolling_retry_number 1\n' >more
  manage fatwood_sftree fatwood_repair
  ib_tables >first
  cat more >>conf
  master=$IB_OPENSM
  # In a folder of its own: it has no record.
  mkdir "$IB_DIR/second"
  IB_DIR=$IB_DIR/second IB_HOST=H17 ib_opensm_daemon -F conf -R fatwood_sftree -D 0x4b
  ib_until grep -q 'Entering STANDBY' "$IB_DIR/second/opensm.log"
  # The second asks the first again and again whether it lives. A question that the first has received
  # and not answered when it is killed would never come back, as ibsim has no time-out, and the second
  # would wait for it for ever. So it pauses until the first has answered all.
  pkill -STOP -P "$IB_OPENSM"
  IB_HOST=H5 ib_run sminfo -t 60000
  pkill -KILL -P "$master"
  pkill -CONT -P "$IB_OPENSM"
  ib_until grep -q 'SUBNET UP' "$IB_DIR/second/opensm.log"
  grep -q 'tables of 20 switches read, 80 blocks' "$IB_DIR/second/opensm.log"
  run ! grep 'Writing FT block' "$IB_DIR/second/opensm.log"
  ib_tables >second
  cmp first second
}

@test "lost packets, a second fault during a repair and a switch that forgot its table are mended" {
  forget=$FATWOOD_BUILD/tests/ib_forget
  [ -e "$forget" ] || skip "the program that empties a table was not built (libibumad-dev)"
  manage fatwood_ftree fatwood_repair
  # Every block for S1_2 is lost: its table is not what it should be until the next sweep.
  ib_console 'Error "S1_2" 100 25'
  ib_console 'Unlink "S1_0"[1]'
  ib_heavy_sweep
  ib_until grep -q 'ERR 331D.*S1_2' "$IB_DIR/opensm.log"
  ib_console 'Error "S1_2" 0'
  ib_settle
  whole
  # Cut while the repair of another cut is under way.
  ib_console 'Unlink "S1_3"[2]'
  ib_heavy_sweep
  ib_console 'Unlink "S1_4"[3]'
  ib_settle
  whole
  # S2_2 has an empty table, and a port of it changed: it gets all four blocks, its neighbour none.
  ib_tables >old
  before=$(blocks_sent)
  ib_run "$forget" 4 1 3
  # OpenSM sees a port that changed, not a cable that is gone: a sweep between the two commands would
  # repair the tables.
  pkill -STOP -P "$IB_OPENSM"
  ib_console 'Unlink "S1_1"[3]'
  ib_console 'Link "S1_1"[3] "S2_2"[2]'
  pkill -CONT -P "$IB_OPENSM"
  ib_settle
  whole
  ib_tables >new
  cmp old new
  [ $(($(blocks_sent) - before)) -eq 4 ]
}

@test "entries that may not be mixed with old ones wait for a second round" {
  # Leaf l under spines s and t, leaf m under spine u, all under core c: two ways into a pod.
  cat >net <<'NET'
Switch	8 "l"
[1]	"H1"[1]
[2]	"H2"[1]
[5]	"s"[1]
[6]	"t"[1]

Switch	8 "m"
[1]	"H3"[1]
[2]	"H4"[1]
[5]	"u"[1]

Switch	8 "s"
[1]	"l"[5]
[2]	"c"[1]

Switch	8 "t"
[1]	"l"[6]
[2]	"c"[2]

Switch	8 "u"
[1]	"m"[5]
[2]	"c"[3]

Switch	8 "c"
[1]	"s"[2]
[2]	"t"[2]
[3]	"u"[2]

Hca	1 "H1"
[1]	"l"[1]

Hca	1 "H2"
[1]	"l"[2]

Hca	1 "H3"
[1]	"m"[1]

Hca	1 "H4"
[1]	"m"[2]
NET
  manage fatwood_ftree fatwood_repair
  ! grep -q 'next round' "$IB_DIR/opensm.log"
  ib_console 'Unlink "l"[5]'
  ib_settle
  grep -E 'repaired:|next round' "$IB_DIR/opensm.log"
  grep -q 'entries wait for the next round' "$IB_DIR/opensm.log"
  whole
  # The round after it holds nothing back.
  tail -1 <(grep -E 'repaired:|next round' "$IB_DIR/opensm.log") | grep -q repaired
}

@test "balance: spare blocks are spent, too much drift routes from scratch, and wrong options are reported" {
  # A cable that was cut and is back carries nothing of what went by it, unless entries move.
  cut_and_mend() {
    after 'Unlink "S1_0"[1]'
    after 'Link "S1_0"[1] "S2_0"[1]'
    whole
  }
  manage fatwood_ftree 'fatwood_repair fatwood_spare_blocks=6'
  cut_and_mend
  # The most of any sweep: later ones find less to do.
  spent=$(sed -nE 's/.*: ([0-9]+) of 6 spare blocks spent.*/\1/p' "$IB_DIR/opensm.log" | sort -n | tail -1)
  echo "spent $spent, sent $sent"
  [ "$spent" -gt 0 ]
  [ "$spent" -le 6 ]
  even=$sent
  ib_stop
  manage fatwood_ftree 'fatwood_repair fatwood_drift=1.0'
  cut_and_mend
  grep 'routed from scratch: the most loaded link would carry .* times as much, 1.000 allowed' "$IB_DIR/opensm.log"
  ib_stop
  manage fatwood_ftree 'fatwood_repair fatwood_drift=0.01'
  cut_and_mend
  grep -E ': [0-9]+ blocks more; jobs and the slowest pair lose 0.0|routed from scratch: jobs or the slowest pair would lose' "$IB_DIR/opensm.log"
  ib_stop
  manage fatwood_ftree 'other_plugin fatwood_repair fatwood_drift=9'
  cut_and_mend
  grep -q 'repaired:' "$IB_DIR/opensm.log"
  run ! grep 'routed from scratch' "$IB_DIR/opensm.log"
  [ "$even" -gt "$sent" ]
  ib_stop
  for wrong in fatwood_repiar 'fatwood_repair fatwood_drift=-1'; do
    ib_start net
    printf 'event_plugin_name fatwood_opensm\nevent_plugin_options %s\n' "$wrong" >conf
    ib_opensm -F conf -R fatwood_ftree
    grep 'ERR FW06: event_plugin_options: fatwood_.*; every sweep routes from scratch' "$IB_DIR/opensm.log"
    ib_stop
  done
}

@test "routes of several lanes are repaired, and keep their lanes" {
  levels=$FATWOOD_BUILD/tests/ib_levels
  [ -e "$levels" ] || skip "the program that asks for paths was not built (libibumad-dev)"
  "$FATWOOD" convert 'pgft(2;4,4;1,4;1,1)' --to ibsim -o net
  printf 'event_plugin_name fatwood_opensm\nqos TRUE\nevent_plugin_options fatwood_repair\n' >conf
  ib_start net
  ib_opensm_daemon -F conf -R fatwood_dfsssp,no_fallback -D 0x4b
  ib_wait_up 1
  look() {
    ib_discover >found
    ib_tables >"$1"
    all_lids found >lids
    ib_run "$levels" <lids >"$1.sl"
  }
  # The engine gives the same routes again, with their lanes.
  restart fatwood_dfsssp,no_fallback
  [ "$sent" -eq 0 ]
  look old
  after 'Unlink "S1_0"[1]'
  look new
  grep 'repaired:' "$IB_DIR/opensm.log"
  run ! grep 'routed from scratch' <(grep -A99 'SUBNET UP' "$IB_DIR/opensm.log")
  run --separate-stderr "$FATWOOD" verify found new --sl new.sl --whole-sl --sl2vl "$IB_DIR/opensm-sl2vl.dump" --json
  jq -e '.unreachable.terminal_terminal == 0 and .loops == 0 and .deadlock_free and .lanes >= 2' <<<"$output"
  run --separate-stderr "$FATWOOD" transition found old new --sl old.sl --new-sl new.sl --json
  jq -c '[.safe, .entries_changed]' <<<"$output"
  jq -e '.safe != "none"' <<<"$output"
}
