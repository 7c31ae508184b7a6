#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood serve live: a simulated fabric that OpenSM manages. A cable that is cut shows within one interval.
bats_require_minimum_version 1.5.0
load ib

setup() {
  # The simulator's library is loaded before that of the address sanitizer.
  export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
  need_ib dump_fts
  [ -x "$(dirname "$FATWOOD")/fatwood-serve" ] || skip "fatwood-serve was not built (libcpp-httplib-dev)"
  cd "$BATS_TEST_TMPDIR"
}

teardown() {
  # ib_run is a shell in between.
  [ -z "${SERVER:-}" ] || pkill -P "$SERVER" || kill "$SERVER" 2>/dev/null || true
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
  # What one reading takes here, now: the programs that it asks, one after the other.
  local begin reading
  begin=$(date +%s%N)
  for program in ibnetdiscover dump_fts 'ibqueryerrors --counters --skip-sl'; do
    # shellcheck disable=SC2086
    ib_run $program >/dev/null 2>&1 || true
  done
  reading=$((($(date +%s%N) - begin) / 1000000))
  curl -sSN --max-time 60 "$url/api/v1/events" >events 3>&- &
  sleep 0.5
  begin=$(date +%s%N)
  ib_console 'Unlink "S1_0"[1]'
  for _ in $(seq 600); do
    grep -q '^event: fabric' events && break
    sleep 0.05
  done
  local took=$((($(date +%s%N) - begin) / 1000000))
  echo "the event came after $took ms; a reading takes $reading ms"
  # The reading under way may have begun before the cut: an interval after it, and one reading more.
  [ "$took" -le $((2000 + 2 * reading + 1000)) ]
  [ "$(curl -sS "$url/api/v1/state" | jq .fabric.links)" = 47 ]
  for _ in $(seq 100); do
    [ "$(curl -sS -o counters -w '%{http_code}' "$url/api/v1/counters")" = 200 ] && break
    sleep 0.1
  done
  jq -e '.seconds > 0' counters
  grep -A1 '^event: fabric' events | sed -n 's/^data: //p' | jq -e '.cables.lost | length == 1'
}
