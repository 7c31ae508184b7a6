#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood serve live: a simulated fabric that OpenSM manages. A cable that is cut shows within one interval.
bats_require_minimum_version 1.5.0
load ib

setup() {
  need_ib dump_fts
  [ -x "$(dirname "$FATWOOD")/fatwood-serve" ] || skip "fatwood-serve was not built (libcpp-httplib-dev)"
  cd "$BATS_TEST_TMPDIR"
}

teardown() {
  [ -z "${SERVER:-}" ] || kill "$SERVER" 2>/dev/null || true
  ib_stop
}

@test "a cable cut in the fabric shows within one interval, with an event" {
  "$FATWOOD" convert 'ft(4,3)' --to ibsim -o net
  ib_start net
  ib_opensm_daemon -R updn
  ib_wait_up 1
  ib_run "$FATWOOD" serve live live --every 2s --port 0 >out 2>err 3>&- &
  SERVER=$!
  for _ in $(seq 300); do
    grep -q http out && break
    kill -0 "$SERVER" || { cat err; return 1; }
    sleep 0.1
  done
  local url
  url=$(grep -o 'http://[^/]*' out)
  [ "$(curl -sS "$url/api/v1/state" | jq .fabric.links)" = 48 ]
  [ "$(curl -sS "$url/api/v1/state" | jq -r .fabric.unreachable_pairs)" = 0 ]
  curl -sSN --max-time 60 "$url/api/v1/events" >events 3>&- &
  sleep 0.5
  ib_console 'Unlink "S1_0"[1]'
  local start=$SECONDS
  for _ in $(seq 300); do
    [ "$(curl -sS "$url/api/v1/state" | jq .fabric.links)" = 47 ] && break
    sleep 0.1
  done
  [ "$(curl -sS "$url/api/v1/state" | jq .fabric.links)" = 47 ]
  # One interval, and the time that the programs take on a busy machine.
  [ $((SECONDS - start)) -le 10 ]
  for _ in $(seq 100); do
    grep -q '^event: fabric' events && break
    sleep 0.1
  done
  grep -A1 '^event: fabric' events | sed -n 's/^data: //p' | jq -e '.cables.lost | length == 1'
}
