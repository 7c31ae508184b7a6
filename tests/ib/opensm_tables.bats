#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# minhop, updn and dnup have OpenSM's tables, entry by entry: the real OpenSM starts on a fabric in
# ibsim, and its dump is compared with ours. An entry is named by switch GUID, port GUID and number
# of the address, so it does not matter which LIDs OpenSM gave. tests/engines has a slow second
# implementation of the same rules.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib
  cd "$BATS_TEST_TMPDIR"
  IB_HOST=
}

teardown() { ib_stop; }

# "switch port-GUID number port" of a dump. A switch's entry for itself is there or not.
entries() {
  awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); s = substr($0, RSTART + 5, RLENGTH - 5) }
       /^0x/ { match($0, /portguid 0x[0-9a-f]+/); g = substr($0, RSTART + 9, RLENGTH - 9)
               if ($2 != "000" && $2 != "255") print s, g, n[s, g] + 0, $2 + 0; ++n[s, g] }' "$1" | sort
}

# FABRIC LMC ENGINE [OPTIONS of fatwood, and ROOTS for OpenSM]: runs OpenSM from scratch.
opensm_makes() {
  ib_stop
  IB_HOST=
  ib_start net
  ib_opensm -R "$2" -l "$1" "${@:3}"
  entries "$IB_DIR/opensm-lfts.dump" >theirs
  [ -s theirs ]
}

same() {
  local lmc=$1 engine=$2
  opensm_makes "$lmc" "$engine" ${ROOTS:+-a "$ROOTS"}
  if "$FATWOOD" route "${fabric[@]}" --engine "$engine" --lmc "$lmc" ${ROOTS:+--roots "$ROOTS"} -o lfts >said 2>&1; then
    entries lfts >ours
  else # only updn refuses, where OpenSM finds no roots and runs minhop
    [ "$engine" = updn ] && grep -q 'would run minhop' said
    "$FATWOOD" route "${fabric[@]}" --engine minhop --lmc "$lmc" -o lfts >/dev/null 2>&1
    entries lfts >ours
  fi
  # OpenSM sees the component that it runs in.
  cut -d' ' -f1 theirs | sort -u | grep -Ff - ours >seen
  cmp seen theirs
}

all_same() { # LMCS FABRIC [ARGUMENTS]
  local lmc engine
  fabric=("${@:2}")
  "$FATWOOD" convert "${fabric[@]}" --to ibsim -o net >/dev/null
  for lmc in $1; do
    for engine in minhop updn dnup; do same "$lmc" "$engine"; done
  done
}

@test "trees" {
  all_same '0 1 2' 'pgft(3;3,3,4;1,3,3;1,1,2)'
  all_same '0 1' 'xgft(3;4,4,6;1,4,2)'
  all_same 0 'pgft(3;6,6,4;1,6,3;1,1,2)'
}

@test "damaged trees" {
  all_same '0 1 2' 'pgft(3;3,3,4;1,3,3;1,1,2)' --cut 7
  all_same '0 3' 'ft(8,2)' --cut 10% --fault-seed 3
}

@test "a ring and a torus" {
  all_same '0 2' 'ring(7)'
  all_same '0 1' 'torus(4,5)'
}

@test "random graphs, switches without hosts" {
  for seed in 1 2 3 4; do
    all_same '0 1 2' "random(16,40,seed=$seed)"
    all_same 0 "random(14,24,seed=$seed,terminals=7)"
  done
}

@test "hosts with several ports" {
  all_same '0 1' 'xgft(2;4,3;2,2)' --cut 'H1[1]' --cut 'H5[2]'
}

@test "updn from given roots" {
  fabric=('random(16,40,seed=6)')
  "$FATWOOD" convert "${fabric[@]}" --to ibsim -o net >/dev/null
  grep -o 'switchguid=0x[0-9a-f]*' net | sed -n '2s/.*=//p; 9s/.*=//p' >roots
  [ "$(wc -l <roots)" = 2 ]
  ROOTS=$PWD/roots
  for lmc in 0 1 2; do same "$lmc" updn; done
}

# ibsim numbers the GUIDs of ports itself, so both read the net file.
real_same() {
  file=$FATWOOD_REAL_FABRICS/$2
  [ -e "$file" ] || skip "$file is not here"
  "$FATWOOD" convert "$file" --to ibsim -o net >/dev/null
  fabric=(net)
  for lmc in $1; do
    for engine in minhop updn dnup; do same "$lmc" "$engine"; done
  done
}

@test "x5" { real_same '0 1' x5/X5.topofile; }

@test "stage" { real_same '0 1' stage/ibnetdiscover.txt; }

@test "plafrim" { real_same 0 plafrim/ib-subnet.txt; }

@test "dgx-ndr" { real_same 0 dgx-ndr/ibnetdiscover.txt; }
