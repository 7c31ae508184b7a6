#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The plug-in inside the real OpenSM: every engine comes up, what is in the switches is what the
# engine gives outside, whole and free of deadlock, and OpenSM's own tools agree.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib dump_fts ibtracert ibdmchk
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  cd "$BATS_TEST_TMPDIR"
  printf 'event_plugin_name fatwood_opensm\n' >conf
}

teardown() { ib_stop; }

fabric() {
  "$FATWOOD" convert "$@" --to ibsim -o net
  ib_start net
}

# Entries of a dump as "switch port-GUID port": OpenSM gives out other LIDs than we do.
entries() {
  awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); s = substr($0, RSTART + 5, RLENGTH - 5) }
       /^0x/ && match($0, /portguid 0x[0-9a-f]+/) { print s, substr($0, RSTART + 9, RLENGTH - 9), $2 + 0 }' \
    "$1" | sort
}

routed_as_outside() {
  ib_opensm -F conf -R "fatwood_$1,no_fallback"
  grep -q "fatwood_$1 tables configured on all switches" "$IB_DIR/opensm.log"
  ib_discover >found
  "$FATWOOD" verify found "$IB_DIR/opensm-lfts.dump" --json >verdict || true
  ib_manager "$1"
  "$FATWOOD" route net --engine "$1" "${IB_MANAGER[@]}" -o outside >/dev/null
  entries outside >entries.outside
  [ -s entries.outside ]
  diff entries.outside <(entries "$IB_DIR/opensm-lfts.dump")
}

@test "the plug-in registers every engine that fills tables" {
  fabric 'ft(4,2)'
  ib_opensm -F conf -R fatwood_minhop,no_fallback
  grep -q 'fatwood: 14 routing engines registered, built for OpenSM [0-9.]*' "$IB_DIR/opensm.log"
}

@test "a plug-in for another OpenSM is refused, with a line in the log that says so" {
  fabric 'ft(4,2)'
  version=$(strings "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" | sed -n 's/^fatwood-opensm: built for OpenSM //p')
  [ -n "$version" ]
  mkdir -p other/opensm
  # Another version of equal length in the plug-in: its last digit becomes x.
  sed "s/OpenSM ${version//./\\.}/OpenSM ${version%?}x/g" "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" >other/opensm/libfatwood_opensm.so
  FATWOOD_BUILD="$PWD/other" ib_opensm -F conf -R minhop,no_fallback
  grep -q 'version mismatch' "$IB_DIR/opensm.log"
  [ "$(grep -c "routing engines registered" "$IB_DIR/opensm.log")" = 0 ]
}

@test "each engine routes a 3-level tree as it does outside, and ibdmchk finds no credit loop" {
  fabric 'ft(4,3)'
  for engine in updn+ dnup ftree sftree even bfot bfot+; do
    routed_as_outside "$engine"
    [ "$(jq .deadlock_free verdict)" = true ]
    [ "$(jq .unreachable.terminal_terminal verdict)" = 0 ]
    : >mcfdbs
    ibdmchk -s "$IB_DIR/opensm-subnet.lst" -f "$IB_DIR/opensm.fdbs" -m mcfdbs >judged 2>&1 || true
    grep -q 'no credit loops found' judged
  done
}

@test "minhop on a ring: we find a loop, and so does ibdmchk" {
  fabric 'ring(6)'
  routed_as_outside minhop
  [ "$(jq .deadlock_free verdict)" = false ]
  : >mcfdbs
  ibdmchk -s "$IB_DIR/opensm-subnet.lst" -f "$IB_DIR/opensm.fdbs" -m mcfdbs >judged 2>&1 || true
  grep -qi 'credit loop' judged
  ! grep -q 'no credit loops found' judged
}

@test "ibtracert walks sampled pairs along our paths" {
  fabric 'ft(8,2)' --cut 3
  routed_as_outside sftree
  for pair in "0 31" "5 9" "17 2" "30 12"; do
    read -r a b <<<"$pair"
    lid() { awk -v want="'H$1'" '/Channel Adapter/ && index($0, want) { print $1; exit }' "$IB_DIR/opensm-lfts.dump"; }
    ib_run ibtracert $(($(lid "$a"))) $(($(lid "$b"))) >walked
    theirs=$(grep -oE '^\[[0-9]+\] -> ' walked | tr -dc '0-9\n' | paste -sd' ')
    ours=$("$FATWOOD" trace net sftree --manager "$IB_HOST" --from "H$a" --to "H$b" --json | jq -r '[.hops[].out] | join(" ")')
    [ -n "$theirs" ]
    [ "$theirs" = "$ours" ]
  done
}

@test "LMC: every address of every host is in the tables" {
  fabric 'ft(4,2)'
  ib_opensm -F conf -l 2 -R fatwood_sftree,no_fallback
  grep -q 'fatwood_sftree tables configured' "$IB_DIR/opensm.log"
  ib_discover >found
  run --separate-stderr "$FATWOOD" verify found "$IB_DIR/opensm-lfts.dump" --json
  [ "$status" -eq 0 ]
  [ "$(grep -c 'Channel Adapter' "$IB_DIR/opensm-lfts.dump")" -eq $((6 * 8 * 4)) ]
}

@test "an engine that can't keep its promise is an error in the log, and OpenSM goes on without it" {
  fabric 'torus(3,3)'
  ib_opensm -F conf -R fatwood_ftree
  grep -q 'fatwood_ftree: ERR FW02' "$IB_DIR/opensm.log"
  grep -q 'SUBNET UP' "$IB_DIR/opensm.log"
}

@test "lifelike fabrics come up whole under sftree" {
  for fabric in like-stage like-x5; do "$FATWOOD" convert "$fabric" --to ibsim -o "$fabric"; done
  for file in like-stage like-x5 $(real stage/ibnetdiscover.txt x5/X5.topofile); do
    IB_HOST= ib_start "$file"
    ib_opensm -F conf -R fatwood_sftree,no_fallback
    ib_discover >found
    run --separate-stderr "$FATWOOD" verify found "$IB_DIR/opensm-lfts.dump" --json
    [ "$status" -eq 0 ]
    ib_stop
    IB_HOST=
  done
}

@test "without the plug-in: the folder that route writes brings up the same tables" {
  "$FATWOOD" convert 'ft(4,3)' --to ibsim -o net
  "$FATWOOD" route net --engine sftree --out-opensm for-opensm >/dev/null
  ib_start net
  cp for-opensm/guid2lid "$IB_DIR/"
  ib_opensm -R file,no_fallback -U "$PWD/for-opensm/lfts"
  diff <(entries for-opensm/lfts) <(entries "$IB_DIR/opensm-lfts.dump")
  # And OpenSM's own engine takes our root and node files.
  ib_opensm -R ftree,no_fallback -a "$PWD/for-opensm/roots.guids" -u "$PWD/for-opensm/compute.guids"
  grep -q 'ftree tables configured on all switches' "$IB_DIR/opensm.log"
}

@test "several paths: the LMC tables of disjoint:4 come up in OpenSM" {
  "$FATWOOD" convert 'ft(8,2)' --to ibsim -o net
  "$FATWOOD" route 'ft(8,2)' --engine disjoint:4 --out-opensm for-opensm --json >told
  lmc=$(jq .lmc told)
  [ "$lmc" -ge 2 ]
  ib_start net
  cp for-opensm/guid2lid "$IB_DIR/"
  ib_opensm -l "$lmc" -R file,no_fallback -U "$PWD/for-opensm/lfts"
  ib_discover >found
  run --separate-stderr "$FATWOOD" verify found "$IB_DIR/opensm-lfts.dump" --json
  [ "$(jq .unreachable.terminal_terminal <<<"$output")" = 0 ]
}
