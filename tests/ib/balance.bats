#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# OpenSM's own ftree, with root and node lists of ours, beside ours on the same fabric: who loads
# the channels of each level more, and what check_lft_balance of infiniband-diags says of both.

load ib

setup() {
  need_ib check_lft_balance dump_fts iblinkinfo
  plugin=$FATWOOD_BUILD/opensm/libfatwood_opensm.so
  [ -e "$plugin" ] || skip "the plug-in is not built: OpenSM's headers are not installed"
  balance=$FATWOOD_BUILD/bench/bench_tree_balance
  [ -e "$balance" ] || skip "bench_tree_balance is not built"
  cd "$BATS_TEST_TMPDIR"
  printf 'event_plugin_name fatwood_opensm\n' >conf
  IB_HOST=
}

teardown() {
  ib_stop
}

# Starts the simulator on a fabric and OpenSM's ftree in it, with lists of ours.
their_ftree() {
  "$FATWOOD" convert "$@" --to ibsim -o net
  for which in roots compute io; do
    "$FATWOOD" convert net --to guids --guids $which -o $which.guids
  done
  io=
  if [ -s io.guids ]; then io="-G $PWD/io.guids"; fi
  ib_start net
  ib_opensm -D "${flags:-0x43}" -R ftree -a "$PWD/roots.guids" -u "$PWD/compute.guids" $io
  grep -q 'ftree tables configured on all switches' "$IB_DIR/opensm.log"
}

# Lines "ENGINE LEVEL UP DOWN": destinations on the fullest channels.
loads() {
  "$balance" found ftree sftree "$IB_DIR/opensm-lfts.dump" | awk 'NR > 1 { print $2, $3, $5, $8 }'
}

# Ours carry no more than "tables" on any level, up or down.
no_channel_worse() {
  ib_discover >found
  loads | tee loads
  awk '$1 == "tables" { up[$2] = $3; down[$2] = $4; levels++ }
       { seen[NR] = $0 }
       END { for (i in seen) { split(seen[i], f, " "); if (f[3] > up[f[2]] || f[4] > down[f[2]]) exit 1 }
             exit levels == 0 }' loads
}

# "SWITCHES FULLEST": how many check_lft_balance calls unbalanced, and their fullest port.
judged() {
  ib_tables >tables
  rm -f cache
  ib_discover --cache cache >/dev/null
  ib_run check_lft_balance -l tables -i cache >judged 2>/dev/null
  awk '/^Unbalanced/ { switches++ } /^Port/ && $3 > fullest { fullest = $3 } END { print switches + 0, fullest + 0 }' judged
}

not_judged_worse() {
  read -r their_switches their_fullest < <(judged)
  [ "$their_fullest" -gt 0 ]
  for engine in ftree sftree; do
    ib_opensm -D 0x3 -F conf -R "fatwood_$engine,no_fallback"
    read -r switches fullest < <(judged)
    echo "$engine: $switches unbalanced, $fullest; OpenSM: $their_switches, $their_fullest"
    [ "$switches" -le "$their_switches" ]
    [ "$fullest" -le "$their_fullest" ]
  done
}

@test "a generated tree" {
  their_ftree 'ft(4,3)'
  no_channel_worse
  not_judged_worse
}

@test "a degraded tree" {
  their_ftree 'pgft(2;8,8;1,4;1,2)' --cut 10% --keep-connected
  no_channel_worse
  not_judged_worse
}

# The formula, and the real one where it is here.
lifelike() {
  local fabrics="$1 $(real "$2")"
  shift 2
  for fabric in $fabrics; do
    IB_HOST=
    their_ftree "$fabric"
    for look in "$@"; do "$look"; done
    ib_stop
  done
}

@test "a lifelike fabric with uneven leaves" {
  lifelike like-x5 x5/X5.topofile no_channel_worse not_judged_worse
}

@test "a degraded tree of three levels" {
  their_ftree 'ft(8,3)' --cut 5% --keep-connected
  no_channel_worse
}

@test "a lifelike fabric with hosts on a spine" {
  lifelike like-stage stage/ibnetdiscover.txt no_channel_worse not_judged_worse
}

@test "a lifelike fabric with missing cables" {
  lifelike like-dgx-ndr dgx-ndr/ibnetdiscover.txt no_channel_worse
}

@test "OpenSM's own ftree takes the lists we make of Selene" {
  # Its tables are 246 MB of text: not dumped.
  flags=0x3 lifelike like-selene selene/selene.compute.txt
}
