#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood serve live: a simulated fabric that OpenSM manages. A cable that is cut is seen by the next reading.
bats_require_minimum_version 1.5.0
load ib

setup() {
  # The simulator's library is loaded before that of the address sanitizer.
  export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
  need_ib dump_fts
  [ -x "$(dirname "$FATWOOD")/fatwood-serve" ] || skip "fatwood-serve was not built (libboost-dev)"
  cd "$BATS_TEST_TMPDIR"
}

teardown() {
  # ib_run is a shell in between.
  [ -z "${SERVER:-}" ] || pkill -P "$SERVER" || kill "$SERVER" 2>/dev/null || true
  ib_stop
}

serving() {
  kill -0 "$SERVER" || { cat err; return 0; }
  grep -q http out
}
metric() { curl -sS "$url/metrics" | awk -v name="fatwood_$1" '$1 == name { print $2 }'; }
listened() { [ "$(metric event_clients)" = 1 ]; }
told() { grep -q '^event: fabric' events; }
counted() { [ "$(curl -sS -o counters -w '%{http_code}' "$url/api/v1/counters")" = 200 ]; }
# The reading under way may have begun before the cut; the next one sees it.
cut_is_seen() {
  read -r reads links < <(curl -sS "$url/metrics" |
    awk '$1 == "fatwood_reads_total" { reads = $2 } $1 == "fatwood_links" { links = $2 } END { print reads, links }')
  echo "reading $((reads - before)) after the cut: $links cables"
  [ "$links" = 47 ] || [ "$reads" -ge $((before + 2)) ]
}

@test "a cable cut in the fabric is seen by the next reading, with an event" {
  "$FATWOOD" convert 'ft(4,3)' --to ibsim -o net
  ib_start net
  ib_opensm_daemon -R updn
  ib_wait_up 1
  ib_run "$FATWOOD" serve live live --every 2s --port 0 >out 2>err 3>&- &
  SERVER=$!
  ib_until serving
  url=$(grep -o 'http://[^/]*' out)
  [ "$(curl -sS "$url/api/v1/state" | jq .fabric.links)" = 48 ]
  [ "$(curl -sS "$url/api/v1/state" | jq -r .fabric.unreachable_pairs)" = 0 ]
  curl -sSN --max-time "$IB_LIMIT" "$url/api/v1/events" >events 3>&- &
  ib_until listened
  ib_console 'Unlink "S1_0"[1]'
  before=$(metric reads_total)
  ib_until cut_is_seen
  [ "$(metric links)" = 47 ]
  ib_until told
  [ "$(curl -sS "$url/api/v1/state" | jq .fabric.links)" = 47 ]
  ib_until counted
  jq -e '.seconds > 0' counters
  grep -A1 '^event: fabric' events | sed -n 's/^data: //p' | jq -e '.cables.lost | length == 1'
}
