#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What the plug-in hands to OpenSM beside tables, as OpenSM gives it away: the service levels of
# path records, hop counts, and lanes within the limits of its options.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib ibdmchk dump_fts
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  cd "$BATS_TEST_TMPDIR"
  printf 'event_plugin_name fatwood_opensm\nqos TRUE\n' >conf
  IB_HOST=
}

teardown() { ib_stop; }

fabric() {
  "$FATWOOD" convert "$@" --to ibsim -o net
  ib_start net
}

@test "the service levels of path records keep OpenSM's paths apart" {
  levels=$FATWOOD_BUILD/tests/ib_levels
  [ -e "$levels" ] || skip "the program that asks for paths was not built (libibumad-dev)"
  fabric 'torus(4,5)'
  for engine in dfsssp lash; do
    rm -f "$IB_DIR/opensm.log"
    ib_opensm_daemon -F conf -R "fatwood_$engine,no_fallback"
    ib_wait_up 1
    ib_discover >found
    ib_tables >tables
    all_lids found >lids
    [ "$(wc -l <lids)" -eq 40 ]
    ib_run "$levels" <lids >asked
    [ "$(wc -l <asked)" -eq $((40 * 39)) ]
    # They matter: without them the same tables have a cycle.
    run --separate-stderr "$FATWOOD" verify found tables --json
    [ "$status" -eq 1 ]
    [ "$(jq .deadlock_free <<<"$output")" = false ]
    # What is in the switches, with the levels and SL-to-VL tables of OpenSM: by us, and by ibdmchk.
    run --separate-stderr "$FATWOOD" verify found tables --sl asked --whole-sl \
      --sl2vl "$IB_DIR/opensm-sl2vl.dump" --json
    [ "$status" -eq 0 ]
    [ "$(jq .lanes <<<"$output")" -ge 2 ]
    : >mcfdbs
    ibdmchk -s "$IB_DIR/opensm-subnet.lst" -f "$IB_DIR/opensm.fdbs" -m mcfdbs -c asked \
      -d "$IB_DIR/opensm-sl2vl.dump" >judged 2>&1 || true
    grep -q 'no credit loops found' judged
    # And they are those that the engine gives outside.
    ib_manager "$engine"
    "$FATWOOD" route found --engine "$engine" "${IB_MANAGER[@]}" --sl outside >/dev/null
    awk 'NR == FNR { level[$1, $2] = $3; next } ($1, $2) in level && level[$1, $2] != $3 { exit 1 }' \
      outside asked
    kill "$IB_OPENSM"
    wait "$IB_OPENSM" || true
  done
}

# Hop counts by the ports that begin a shortest path: "switch LID hops...".
nearest() {
  awk '/^Switch/ { s = $3; next }
       /^0x/ { line = s " " $1; for (i = 2; $i != "#"; ++i) line = line " " ($i == $2 && $2 != "00" ? $i : "ff"); print line }' \
    "$1" | sort
}

@test "hop counts are those that OpenSM's own minhop finds" {
  for spec in 'ft(4,3)' 'random(12,30,seed=5)'; do
    IB_HOST=
    fabric "$spec" --cut 3 --keep-connected
    ib_opensm -R minhop
    nearest "$IB_DIR/opensm-lid-matrix.dump" >theirs
    rm "$IB_DIR/opensm-lid-matrix.dump"
    ib_opensm -F conf -R fatwood_sftree,no_fallback
    nearest "$IB_DIR/opensm-lid-matrix.dump" >ours
    [ "$(wc -l <ours)" -ge 144 ]
    cmp theirs ours
    ib_stop
  done
}

@test "an engine uses no more lanes than the ports between switches have" {
  IB_RECORDER=$FATWOOD_BUILD/tests/libib_few_lanes.so
  [ -e "$IB_RECORDER" ] || skip "the library that hides lanes was not built (libibumad-dev)"
  fabric 'torus(4,5)'
  ib_opensm -F conf -R fatwood_dfsssp
  grep -q 'ERR FW02: dfsssp needs 3 lanes on this fabric, and 2' "$IB_DIR/opensm.log"
}

# 3 lanes are needed. OpenSM enables lanes after the first routing: its options count, not what the
# ports have at that time.
@test "an engine uses no more lanes than OpenSM's options allow" {
  fabric 'torus(4,5)'
  for limit in '2 2' '3 4'; do
    read -r code lanes <<<"$limit"
    printf 'max_op_vls %s\n' "$code" | cat conf - >limited
    rm -f "$IB_DIR/opensm.log"
    ib_opensm -F limited -R fatwood_dfsssp
    if [ "$lanes" -lt 3 ]; then
      grep -q "ERR FW02: dfsssp needs 3 lanes on this fabric, and $lanes" "$IB_DIR/opensm.log"
      ! grep -q 'fatwood_dfsssp tables configured' "$IB_DIR/opensm.log"
    else
      grep -q 'fatwood_dfsssp tables configured on all switches' "$IB_DIR/opensm.log"
      grep -q "3 lanes ($lanes allowed)" "$IB_DIR/opensm.log"
    fi
  done
  # nue takes what it is given: one lane more than needed would be used.
  printf 'nue_max_num_vls 2\n' | cat conf - >limited
  rm -f "$IB_DIR/opensm.log"
  ib_opensm -F limited -R fatwood_nue
  grep -q "lanes\? (2 allowed)" "$IB_DIR/opensm.log"
}
