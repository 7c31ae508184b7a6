#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Multicast under the plug-in: OpenSM asks us for the tree of each group.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib ibdmchk ibtracert
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  join=$FATWOOD_BUILD/tests/ib_join
  [ -e "$join" ] || skip "the program that joins groups was not built (libibumad-dev)"
  cd "$BATS_TEST_TMPDIR"
  printf 'event_plugin_name fatwood_opensm\n' >conf
}

teardown() { ib_stop; }

# ibdmchk finds the group whole: no error, and all hosts in it. OpenSM writes its dumps after each
# sweep, which a join alone is not.
group_is_whole() {
  ib_settle
  timeout "$IB_LIMIT" ibdmchk -s "$IB_DIR/opensm-subnet.lst" -f "$IB_DIR/opensm.fdbs" \
    -m "$IB_DIR/opensm.mcfdbs" >judged 2>&1 || true
  if ! grep -q "Multicast Group:0xC000 has:[0-9]* switches and:$1 HCAs" judged || grep -q '^-E-' judged; then
    cat judged >&2
    return 1
  fi
}

switches_of_group() { sed -n 's/.*Group:0xC000 has:\([0-9]*\) switches.*/\1/p' judged; }

# Switches and hosts on the tree's path between two members, by the switches' own tables.
walked() { ib_run ibtracert -m 0xC000 "$1" "$2"; }

lid() { printf '%d\n' "$(awk -v want="'$1'" '/Channel Adapter/ && index($0, want) { print $1; exit }' "$IB_DIR/opensm-lfts.dump")"; }

@test "a group of hosts is joined by a tree, and again after its cables are cut" {
  for engine in sftree dfsssp; do
    "$FATWOOD" convert 'ft(4,3)' --to ibsim -o net
    IB_HOST=
    ib_start net
    ib_opensm_daemon -F conf -R "fatwood_$engine,no_fallback"
    ib_wait_up 1
    for host in H0 H3 H7 H9 H15; do
      [ "$(IB_HOST=$host ib_run "$join")" = 0xC000 ]
    done
    ib_console 'Unlink "H12"[1]'
    group_is_whole 5
    [ "$(switches_of_group)" -eq 10 ] # five leaves, four switches above them, and a root
    walked "$(lid H3)" "$(lid H15)" >path || [ $? -ne 139 ] || skip "ibtracert -m crashes here, as that of Debian 13 does"
    grep -q 'H15' path

    # Now a cable of the tree itself.
    line=$(awk '/^\[[0-9]+\] -> switch/ { print; exit }' path)
    port=$(sed -E 's/^\[([0-9]+)\].*/\1/' <<<"$(grep -E '^\[[0-9]+\] -> switch' path | sed -n 2p)")
    leaf=$(sed -nE 's/.*"([^"]+)".*/\1/p' <<<"$line")
    [ -n "$port" ]
    [ -n "$leaf" ]
    ib_console "Unlink \"$leaf\"[$port]"
    group_is_whole 5
    walked "$(lid H3)" "$(lid H15)" >after
    grep -q 'H15' after
    ! diff -q path after
    ! grep -q 'ERR' "$IB_DIR/opensm.log"
    ib_stop
  done
}

@test "a tree is no larger than that of OpenSM's own engine" {
  "$FATWOOD" convert 'ft(6,3)' --cut 4 --to ibsim -o net
  for engine in minhop fatwood_minhop; do
    IB_HOST=
    ib_start net
    ib_opensm_daemon -F conf -R "$engine,no_fallback"
    ib_wait_up 1
    for host in H1 H2 H20 H21 H40 H50; do
      [ "$(IB_HOST=$host ib_run "$join")" = 0xC000 ]
    done
    ib_console 'Unlink "H30"[1]'
    group_is_whole 6
    size=$(switches_of_group)
    if [ "$engine" = minhop ]; then theirs=$size; fi
    ib_stop
  done
  echo "ours $size switches, OpenSM's $theirs"
  [ "$size" -le "$theirs" ]
}
