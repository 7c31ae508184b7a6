#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The verifier beside real software: verdicts on OpenSM's own tables, and ibdmchk on the same.
bats_require_minimum_version 1.5.0
load ib

setup() { cd "$BATS_TEST_TMPDIR"; }
teardown() { ib_stop; }

# ibdmchk's word on credit loops: "loop", "none", or "silent" when it stops before. Its exit code
# means nothing: it crashes at its end either way.
judge() {
  timeout "$IB_LIMIT" ibdmchk -s "$IB_DIR/opensm-subnet.lst" -f "$IB_DIR/opensm.fdbs" \
    -m "$IB_DIR/opensm.mcfdbs" "$@" >"$IB_DIR/judge" 2>&1 || true
  if grep -qiE 'Found credit loop|credit loops in routing' "$IB_DIR/judge"; then
    echo loop
  elif grep -qi 'no credit loops found' "$IB_DIR/judge"; then
    echo none
  else
    echo silent
  fi
}

ours() {
  local verdict
  verdict=$("$FATWOOD" verify net "$IB_DIR/opensm-lfts.dump" --json "$@" 2>/dev/null) || true
  case $verdict in
    *'"deadlock_free":true'*) echo none ;;
    *'"deadlock_free":false'*) echo loop ;;
    *) echo silent ;;
  esac
}

# The same tables as adaptive ones: each entry is free to take any port of a group of one.
one_port_groups() {
  awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); guid = substr($0, RSTART + 5, RLENGTH - 5)
                    rows = ""; delete seen; groups = "" }
       /^0x/ { port = $2 + 0
               if (port && !(port in seen)) groups = groups port " 0 0 " port ",\n"
               seen[port]
               rows = rows $1 " " port (port ? " Free " : " Static ") port "\n" }
       /lids dumped/ { printf "Switch %s\n\nGroups Definition:\nGroup Sub Group WHBF Ports\n%s\n", guid, groups
                       printf "LFT Definition:\nPLFT_NUM: 0, top: 0xbfff\n%s\n", rows }' "$1"
}

ours_adaptive() {
  "$FATWOOD" verify "$IB_DIR/opensm-subnet.lst" one.far --json "$@" 2>/dev/null |
    jq -r 'if .adaptive == null then "plain" elif .deadlock_free then "none" else "loop" end'
}

agree() {
  local spec=$1 engine
  "$FATWOOD" convert "$spec" --to ibsim -o net
  for engine in minhop updn+; do
    ib_start net
    ib_opensm -R "$engine"
    local theirs all
    theirs=$(judge)
    all=$(judge -a)
    echo "$spec $engine: ibdmchk says $theirs, with switches $all"
    [ "$theirs" != silent ]
    [ "$(ours --terminals-only)" = "$theirs" ]
    one_port_groups "$IB_DIR/opensm-lfts.dump" >one.far
    [ "$(ours_adaptive --terminals-only)" = "$theirs" ]
    [ "$(ours_adaptive)" = "$(ours)" ]
    # With switches it stops where a path is missing; otherwise both must agree again.
    [ "$all" = silent ] || [ "$(ours)" = "$all" ]
    seen="$seen $theirs $all"
    ib_stop
  done
}

@test "agrees with ibdmchk on rings, tori, a hypercube and trees, as groups of one port too" {
  need_ib ibdmchk
  seen=
  for spec in 'ring(4)' 'ring(7)' 'torus(3,3)' 'torus(4,4)' 'hypercube(3)' 'ft(4,2)' 'ft(4,3)'; do
    agree "$spec"
  done
  [[ "$seen" == *loop* && "$seen" == *none* ]]
}

@test "sees the credit loop in OpenSM's minhop tables for Selene" {
  need_ib
  "$FATWOOD" convert like-selene --to ibnetdiscover -o like
  for selene in like $(real selene/selene.compute.txt); do
    IB_HOST= ib_start "$selene"
    # The tables alone take OpenSM about 20 s of CPU to compute and dump.
    ib_opensm -R minhop
    run --separate-stderr "$FATWOOD" verify "$selene" "$IB_DIR/opensm-lfts.dump" --json
    [ "$status" -eq 1 ]
    [[ "$output" == *'"unreachable":{"terminal_terminal":0,'* ]]
    [[ "$output" == *'"deadlock_free":false'* ]]
    [[ "$output" == *'"cycle":[{"lane":0,"channel":"'*'"source":"'*'"destination":"'* ]]
    # Hosts alone, without any switch's own packets, make a loop too.
    run --separate-stderr "$FATWOOD" verify "$selene" "$IB_DIR/opensm-lfts.dump" \
      --terminals-only --json
    [ "$status" -eq 1 ]
    [[ "$output" == *'"deadlock_free":false'* ]]
    ib_stop
  done
}
