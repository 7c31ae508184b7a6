#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# OpenSM is started and stopped with the plug-in in it.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  cd "$BATS_TEST_TMPDIR"
}

teardown() { ib_stop; }

# OpenSM handles the signal; before that it would end by it.
handles_signals() {
  local opensm
  opensm=$(pgrep -P "$IB_OPENSM") &&
    [ $((0x$(sed -n 's/^SigCgt:\t//p' "/proc/$opensm/status") >> 14 & 1)) -eq 1 ]
}

# A signal at any moment, from discovery to the quiet after the first sweep, ends OpenSM in good
# order with our code and its threads in it. One crash is let pass: libumad2sim's own receiver
# locks a queue that OpenSM has closed when a reply comes in after that (its frame tops
# every core file, one stop in 75 with the plug-in and one in 450 without).
@test "OpenSM with the plug-in starts and stops" {
  local seed=${FATWOOD_STOP_SEED:-$RANDOM}
  echo "# seed $seed (FATWOOD_STOP_SEED=$seed repeats this run)" >&3
  RANDOM=$seed
  "$FATWOOD" convert 'ft(8,3)' --to ibsim -o net
  ib_start net
  printf 'event_plugin_name fatwood_opensm\n' >conf
  local simulator=$IB_PIDS crashes=0 i status pid
  for i in $(seq 12); do
    ib_opensm_daemon -F conf -R fatwood_sftree,no_fallback
    pid=${IB_PIDS##* }
    IB_PIDS=$simulator
    if [ $((i % 3)) -eq 0 ]; then
      ib_wait_up 1
    else
      ib_until handles_signals
      sleep "0.$((RANDOM % 90 + 10))"
    fi
    kill "-$([ $((i % 2)) -eq 0 ] && echo INT || echo TERM)" "$pid"
    status=0
    wait "$pid" || status=$?
    echo "stop $i: $status"
    [ "$status" -ne 139 ] || { crashes=$((crashes + 1)) && continue; }
    [ "$status" -eq 0 ]
  done
  [ "$crashes" -le 1 ]
}
