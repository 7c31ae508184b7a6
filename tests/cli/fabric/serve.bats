#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood serve: real requests over a socket, metrics read by promtool, files that change underneath.
bats_require_minimum_version 1.5.0

load serve

@test "a change has the numbers of the command line; undo and redo" {
  "$FATWOOD" route 'ft(4,3)' --engine sftree -o old
  serve 'ft(4,3)' sftree
  post /api/v1/changes 'cut S1_0[1]' >change
  "$FATWOOD" repair 'ft(4,3)' --cut 'S1_0[1]' old -o new --json >repair
  [ "$(jq .entries_changed change)" = "$(jq .entries_changed repair)" ]
  [ "$(jq .blocks_changed change)" = "$(jq .blocks_changed repair)" ]
  [ "$(jq -r .transition change)" = "$(jq -r .transition repair)" ]
  "$FATWOOD" load 'ft(4,3)' --cut 'S1_0[1]' new --traffic alltoall --json >load
  [ "$(jq .repaired.worst_gbps change)" = "$(jq .rates.worst_gbps load)" ]
  [ "$(jq .repaired.median_gbps change)" = "$(jq .rates.median_gbps load)" ]
  jq -e '.unrepaired.pairs_lost > 0 and .repaired.pairs_lost == 0 and .before.pairs_lost == 0' change
  [ "$(get /api/v1/changes)" = 'cut S1_0[1]' ]
  post /api/v1/changes 'remove S2_1' >/dev/null
  [ "$(get /api/v1/state | jq -c .changes)" = '["cut S1_0[1]","remove S2_1"]' ]
  post /api/v1/undo '' | jq -e --slurpfile first change 'del(.seconds) == ($first[0] | del(.seconds))'
  [ "$(get /api/v1/state | jq .position)" = 1 ]
  post /api/v1/redo '' >/dev/null
  [ "$(get /api/v1/state | jq .position)" = 2 ]
  post /api/v1/changes 'restore S1_0[1]' >/dev/null
  [ "$(get /api/v1/changes)" = 'remove S2_1' ]
  # The tables that are downloaded are those of the repair.
  curl -sS -X PUT -H "Authorization: Bearer $TOKEN" --data-binary 'cut S1_0[1]' "$URL/api/v1/changes" >/dev/null
  get /api/v1/files/tables >downloaded
  "$FATWOOD" diff 'ft(4,3)' 'ft(4,3)' --cut 'S1_0[1]' --tables new downloaded --json | jq -e '.entries_changed == 0' ||
    "$FATWOOD" verify 'ft(4,3)' --cut 'S1_0[1]' downloaded
}

@test "speeds are changed, switches added, and both restored; the list is a file of faults" {
  serve 'ft(4,3)' updn+
  post /api/v1/changes 'speed S1_0[1] 1xQDR' >slow
  jq -e '.before.worst_gbps > 2 * .unrepaired.worst_gbps and .entries_changed == 0' slow
  post /api/v1/changes 'add switch@3' >more
  jq -e '.unrepaired.pairs_lost == 0 and .repaired.pairs_lost == 0 and .entries_changed > 0' more
  get /api/v1/changes >list
  [ "$("$FATWOOD" show 'ft(4,3)' --faults list --json | jq .switches)" = 21 ]
  [ "$(get /api/v1/verbs/show | jq .switches)" = 21 ]
  post /api/v1/changes 'restore S1_0[1]' >/dev/null
  [ "$(get /api/v1/changes)" = 'add switch@3' ]
  post /api/v1/changes 'restore switch@3' >/dev/null
  [ "$(get /api/v1/state | jq -c .changes)" = '[]' ]
}

@test "the first figures come before the last ones" {
  serve 'ft(8,3)' updn+
  curl -sSN --max-time 60 "$URL/api/v1/events" >events 3>&- &
  local client=$!
  until_true grep -q retry events
  post /api/v1/changes 'cut S1_0[1]' | jq -e '.repaired and .rerouted'
  until [ "$(grep -c '^event: state' events)" -ge 3 ]; do sleep 0.1; done
  kill "$client"
  grep -A1 '^event: state' events | sed -n 's/^data: //p' >states
  sed -n 1p states | jq -e '.pending and .whatif.unrepaired.pairs_lost > 0 and .whatif.repaired == null and .position == 1'
  sed -n 2p states | jq -e '.pending and .whatif.repaired'
  sed -n 3p states | jq -e '(.pending | not) and .whatif.rerouted'
  # A change that can't be made leaves nothing behind.
  [ "$(code -H "Authorization: Bearer $TOKEN" -d 'cut nobody[1]' "$URL/api/v1/changes")" = 400 ]
  get /api/v1/state | jq -e '(.pending | not) and .changes == ["cut S1_0[1]"]'
}

@test "a fabric that is no tree: routed again instead of repaired, with the numbers of the command line" {
  serve 'ring(5)' nue
  post /api/v1/changes 'cut S0[1]' >change
  jq -e '.repaired == null and (.not_repaired | test("like a tree")) and .unrepaired.pairs_lost > 0 and .rerouted.pairs_lost == 0' change
  jq -e '.deadlock_free and .entries_changed > 0 and .blocks_changed > 0 and (.transition | IN("any order", "rounds"))' change
  "$FATWOOD" load 'ring(5)' nue --cut 'S0[1]' --traffic alltoall --json >load
  [ "$(jq .rerouted.worst_gbps change)" = "$(jq .rates.worst_gbps load)" ]
  # The tables that are saved are the new ones, and so is their proof.
  get /api/v1/files/tables >tables
  get /api/v1/files/proof >proof
  "$FATWOOD" verify 'ring(5)' --cut 'S0[1]' tables --json | jq -e '.unreachable.terminal_terminal == 0'
  get /api/v1/page | jq -e '.routes[0].name == "nue"'
  post /api/v1/undo '' >/dev/null
  get /api/v1/state | jq -e '.fabric.links == 10 and .position == 0 and .whatif == null and (.pending | not)'
}

@test "another engine: the numbers of the command line; what can't be is refused and changes nothing" {
  serve 'ft(4,3)' sftree
  local auth="Authorization: Bearer $TOKEN"
  get /api/v1/engines | jq -e '.routing == "sftree" and .given == "sftree" and ([.engines[] | select(.name == "even" and .summary != "")] | length == 1)'
  post /api/v1/changes 'cut S1_0[1]' >/dev/null
  curl -sS -X PUT -H "$auth" --data-binary $'updn+\n' "$URL/api/v1/routing" >change
  "$FATWOOD" route 'ft(4,3)' --engine updn+ -o old
  "$FATWOOD" repair 'ft(4,3)' --cut 'S1_0[1]' old -o new --json >repair
  [ "$(jq -c '[.entries_changed, .blocks_changed, .transition]' change)" = "$(jq -c '[.entries_changed, .blocks_changed, .transition]' repair)" ]
  "$FATWOOD" load 'ft(4,3)' --cut 'S1_0[1]' new --traffic alltoall --json >load
  [ "$(jq .repaired.worst_gbps change)" = "$(jq .rates.worst_gbps load)" ]
  get /api/v1/state | jq -e '.fabric.routing == "updn+" and .fabric.differing_entries == 0 and .changes == ["cut S1_0[1]"]'
  get '/api/v1/verbs/load?traffic=alltoall' >served
  printf 'cut S1_0[1]\n' >faults
  "$FATWOOD" load 'ft(4,3)' updn+ --faults faults --traffic alltoall --json | diff - served
  for bad in nobody /etc/passwd 'updn+ ' file:old old; do
    [ "$(code -X PUT -H "$auth" -d "$bad" "$URL/api/v1/routing")" = 400 ]
  done
  [ "$(code -X PUT -d even "$URL/api/v1/routing")" = 401 ]
  # Adaptive tables have a what-if, too.
  for engine in ar_updn updn+; do
    curl -sS -X PUT -H "$auth" -d $engine "$URL/api/v1/routing" >/dev/null
    get /api/v1/state | jq -e --arg engine $engine '.fabric.routing == $engine and .whatif.repaired and (.pending | not)'
  done
  # A new worker routes by the chosen engine, too.
  pkill -9 -P "$SERVER"
  post /api/v1/changes 'cut S1_0[2]' >/dev/null || true
  post /api/v1/undo '' >/dev/null || true
  get /api/v1/state | jq -e '.fabric.routing == "updn+"'
  curl -sS -X PUT -H "$auth" -d '' "$URL/api/v1/routing" >/dev/null
  get /api/v1/state | jq -e '.fabric.routing == "sftree"'
}

@test "the proof is of the tables that are saved with it" {
  serve 'ft(4,3)' sftree
  for _ in 1 2; do
    get /api/v1/files/fabric >fabric
    get /api/v1/files/tables >tables
    curl -sS -D headers "$URL/api/v1/files/proof" >proof
    grep -q 'filename="proof.txt"' headers
    "$FATWOOD" verify fabric tables --check proof
    post /api/v1/changes 'remove S2_0' >/dev/null
  done
  get /api/v1/files/page >page.html
  grep -q '<script type="application/json" id="data">' page.html
  # Routes that can deadlock have none.
  "$FATWOOD" route 'torus(4,4)' minhop -o tables
  kill "$SERVER"
  serve 'torus(4,4)' tables
  [ "$(code "$URL/api/v1/files/proof")" = 409 ]
  jq -e '.error | test("deadlock")' body
}

@test "a task reports its progress; too many tasks are refused, and the rest goes on" {
  serve 'ft(16,3)' updn+
  id=$(post /api/v1/tasks/whatif '' | jq .id)
  progresses() { get "/api/v1/tasks/$id" >task && jq -e '.progress > 0' task; }
  until_true progresses
  jq -e '.status == "running" and .progress > 0 and .progress < 1' task
  local refused=0
  for _ in $(seq 20); do
    [ "$(code -X POST -H "Authorization: Bearer $TOKEN" -d '' "$URL/api/v1/tasks/permutations?samples=100000000")" != 503 ] || refused=$((refused + 1))
  done
  [ "$refused" -ge 2 ]
  [ "$(code "$URL/api/v1/verbs/show")" = 503 ]
  jq -e '.error | test("too many tasks")' body
  [ "$(code "$URL/api/v1/state")" = 200 ]
}

@test "live is asked every so often; a program that hangs leaves the last good state" {
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o net
  mkdir bin
  printf '#!/bin/sh\ncat "%s/net"\n' "$PWD" >bin/ibnetdiscover
  chmod +x bin/ibnetdiscover
  PATH="$PWD/bin:$PATH" serve live sftree --every 1s
  [ "$(get /api/v1/state | jq -r .fabric.title)" = live ]
  [ "$(get /api/v1/verbs/show | jq .links)" = 48 ]
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to ibnetdiscover -o net2
  mv net2 net
  until_links 47
  printf '#!/bin/sh\nsleep 1000\n' >bin/hangs
  chmod +x bin/hangs
  mv bin/hangs bin/ibnetdiscover
  until_true state_is .error
  get /api/v1/state >state
  jq -e '(.error | test("ibnetdiscover took more than 10 s")) and .fabric.links == 47 and .age_seconds > 9' state
  # A what-if does not wait for it.
  post /api/v1/changes 'cut S1_0[2]' | jq -e .repaired
}

@test "counters of two readings become rates beside the predicted load" {
  mkdir run
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o run/ibdiagnet2.ibnetdiscover
  # counters WORDS OF_ONE: what every switch port has sent, and port 1 of the first switch.
  counters() {
    "$FATWOOD" convert 'ft(4,2)' --to json | jq -r --arg all "$1" --arg one "$2" '[.nodes[] | select(.kind == "switch")] | to_entries[] | .key as $k |
      .value.guid as $guid | range(1; 5) as $port | "----\nPort=\($port) Lid=0x0001 GUID=\($guid) Device=1 Port Name=x\n----\nport_xmit_data_extended=\(if $k == 0 and $port == 1 then $one else $all end)"'
  }
  counters 0x3e8 0x3e8 >run/ibdiagnet2.pm
  serve run updn+
  [ "$(code "$URL/api/v1/counters")" = 404 ]
  counters 0x7d0 0x3d478 >new
  mv new run/ibdiagnet2.pm
  until [ "$(code "$URL/api/v1/counters")" = 200 ]; do sleep 0.1; done
  # Words of four bytes: 250,000 of them on the hottest link.
  jq -e '.seconds > 0 and .hottest[0].bytes == 1000000 and .hottest[0].predicted_share > 0' body
  jq -e '(.hottest[0].gbps - 0.008 / .seconds | fabs) < 1e-9' body
}

@test "live with ibqueryerrors: counters of two readings; without it there are none" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o net
  mkdir bin
  printf '#!/bin/sh\ncat "%s/net"\n' "$PWD" >bin/ibnetdiscover
  # printed WORDS OF_ONE: as ibqueryerrors prints them.
  printed() {
    "$FATWOOD" convert 'ft(4,2)' --to json | jq -r --arg all "$1" --arg one "$2" '[.nodes[] | select(.kind == "switch")] | to_entries[] | .key as $k |
      .value.guid as $guid | "Data Counters for \($guid) \"x] port 9: [y\"", (range(1; 5) as $port |
      "   GUID \($guid) port \($port): [PortXmitData == \(if $k == 0 and $port == 1 then $one else $all end) (1.000KB)] [PortRcvData == 7 (7.000B)]")'
    echo '## Summary: 14 nodes checked, 0 bad nodes found'
  }
  printed 1000 1000 >counters
  printf '#!/bin/sh\necho "$@" >>"%s/asked_switches"\ncat "%s/counters"\nexit 1\n' "$PWD" "$PWD" >bin/ibqueryerrors
  chmod +x bin/*
  PATH="$PWD/bin:$PATH" serve live updn+ --every 1s
  printed 2000 251000 >new
  mv new counters
  until [ "$(code "$URL/api/v1/counters")" = 200 ] && jq -e '.hottest[0].bytes == 1000000' body; do sleep 0.1; done
  jq -e '.hottest[0].bytes == 1000000 and .hottest[0].predicted_share > 0' body
  grep -qx -- '--counters --skip-sl' asked_switches
  # A program that prints nothing is not asked again; the fabric is read all the same.
  : >counters
  counters_gone() { [ "$(code "$URL/api/v1/counters")" = 404 ]; }
  until_true counters_gone
  : >asked_switches
  "$FATWOOD" convert 'ft(4,2)' --cut 'S1_0[3]' --to ibnetdiscover -o net2
  mv net2 net
  until_links 15
  [ "$(code "$URL/api/v1/counters")" = 404 ]
  [ ! -s asked_switches ]
}

@test "figures of the state; several lines make several changes; files and verbs are of the changed fabric" {
  serve 'ft(4,3)' sftree
  get /api/v1/state | jq -ce '.fabric | del(.fingerprint, .routes_fingerprint, .hottest)' >state
  echo '{"title":"ft(4,3)","format":"spec","routing":"sftree","switches":20,"hosts":16,"adapters":16,"links":48,"missing_cables":0,"slow_cables":0,"safe":true,"unreachable_pairs":0,"loops":0,"deadlock_free":true,"differing_entries":0,"warnings":[],"evenness_mean":1.0,"evenness_worst":1.0,"jobs":{"mean":0.9790922619047618,"worst":0.7,"ideal_mean":1.0},"worst_gbps":32.0,"p1_gbps":32.0,"p10_gbps":32.0,"median_gbps":32.0,"port_gbps":32.0}' |
    jq -c . | diff - state
  get /api/v1/state | jq -e '.fabric.hottest | length == 10 and .[1] == {from: "S1_0[2]", to: "S2_1[3]", load: 14}'
  [ "$(code "$URL/api/v1/page")" = 200 ]
  jq -e '.command | endswith("ft(4,3) --engines sftree")' body
  post /api/v1/changes $'cut S1_0[1]\n# a comment\n\n \tcut S2_3[1] \r\n' | jq -e '.unrepaired.pairs_lost == 52'
  printf 'cut S1_0[1]\ncut S2_3[1]\n' >faults
  get /api/v1/files/faults | diff faults -
  curl -sS -D headers "$URL/api/v1/files/fabric" >downloaded
  grep -q 'filename="fabric.json"' headers
  "$FATWOOD" diff downloaded 'ft(4,3)' --json | jq -e '.cables.new | length == 2'
  [ "$(code "$URL/api/v1/files/secrets")" = 404 ]
  # Twice: the second answer is the kept one.
  for _ in 1 2; do get /api/v1/verbs/show >served; done
  "$FATWOOD" show 'ft(4,3)' --faults faults --json | diff - served
  get '/api/v1/verbs/load?traffic=alltoall' >served
  "$FATWOOD" load 'ft(4,3)' sftree --faults faults --traffic alltoall --json | diff - served
  post /api/v1/undo '' >/dev/null
  get /api/v1/verbs/show | jq -e '.links == 47'
  # A verb that fails is the caller's mistake, and says which; the last line of what it printed.
  [ "$(code "$URL/api/v1/verbs/load?traffic=hotspot:99")" = 400 ]
  jq -e '.error | startswith("there is no counted host")' body
  id=$(post '/api/v1/tasks/worst' '' | jq .id)
  until get "/api/v1/tasks/$id" >task && jq -e '.status == "done"' task; do sleep 0.1; done
  jq -e '.verb == "worst" and .progress == 1 and .seconds > 0 and .seconds < 60 and .error == null' task
  [ "$(code -X DELETE -H "Authorization: Bearer $TOKEN" "$URL/api/v1/tasks/$id")" = 404 ]
  get /metrics >metrics
  grep -qx 'fatwood_task_duration_seconds_count{verb="load"} 2' metrics
  grep -qx 'fatwood_task_failures_total{verb="load"} 1' metrics
}

@test "every verb answers, with each pattern that its description names" {
  serve 'ft(4,3)' sftree
  for words in show verify compare 'whatif?lose=S2_1' worst 'permutations?samples=3' \
    'job?hosts=H\[0-3\]&collective=allreduce:ring&message_size=1M' 'trace?from=H0&to=H5'; do
    [ "$(code "$URL/api/v1/verbs/$words")" = 200 ] || { cat body; false; }
  done
  jq -e '.hops | length == 6' body
  for pattern in $(get /api/v1/openapi.json | jq -r '.paths."/api/v1/verbs/load".get.parameters[0].schema.pattern' |
    tr -d '^()$' | sed 's/|shift|.*//' | tr '|' ' ') shift:1 cluster:4 hotspot:3; do
    [ "$(code "$URL/api/v1/verbs/load?traffic=$pattern")" = 200 ] || { echo "$pattern"; cat body; false; }
  done
}

@test "tables of a file: the page and the verbs take them" {
  "$FATWOOD" route 'ft(4,3)' updn+ -o tables
  serve 'ft(4,3)' tables
  get /api/v1/page | jq -e '.command | endswith("--tables tables --engines none")'
  get '/api/v1/verbs/load?traffic=shift:1' >served
  "$FATWOOD" load 'ft(4,3)' tables --traffic shift:1 --json | diff - served
}

@test "verbs return the JSON of the command line; tasks run, and can be cancelled" {
  serve 'ft(4,3)' sftree
  get '/api/v1/verbs/load?traffic=alltoall' >served
  "$FATWOOD" load 'ft(4,3)' sftree --traffic alltoall --json >printed
  diff served printed
  id=$(post '/api/v1/tasks/worst' '' | jq .id)
  until get "/api/v1/tasks/$id" >task && jq -e '.status == "done"' task; do sleep 0.1; done
  "$FATWOOD" worst 'ft(4,3)' sftree --json >printed
  [ "$(jq -c .result.ratio task)" = "$(jq -c .ratio printed)" ]
  id=$(post '/api/v1/tasks/permutations?samples=100000000' '' | jq .id)
  curl -sS -X DELETE -H "Authorization: Bearer $TOKEN" "$URL/api/v1/tasks/$id" >/dev/null
  until get "/api/v1/tasks/$id" >task && jq -e '.status == "cancelled"' task; do sleep 0.1; done
  jq -e '.status == "cancelled"' task
}

@test "refusals: token, origin, host, method, address, size, parameters" {
  serve 'ft(4,3)' sftree
  local auth="Authorization: Bearer $TOKEN"
  [ "$(code -d 'cut S1_0[1]' "$URL/api/v1/changes")" = 401 ]
  [ "$(code -H 'Authorization: Bearer no' -d 'cut S1_0[1]' "$URL/api/v1/changes")" = 401 ]
  [ "$(code -H "$auth" -H 'Origin: http://evil.example' -d x "$URL/api/v1/changes")" = 403 ]
  [ "$(code -H 'Host: evil.example' "$URL/api/v1/state")" = 403 ]
  [ "$(code -H "$auth" -d 'cut nobody[1]' "$URL/api/v1/changes")" = 400 ]
  [ "$(code -H "$auth" -d '' "$URL/api/v1/changes")" = 400 ]
  [ "$(code -H "$auth" -d 'melt S1_0' "$URL/api/v1/changes")" = 400 ]
  [ "$(code -H "$auth" -d '' "$URL/api/v1/undo")" = 409 ]
  [ "$(code "$URL/nowhere")" = 404 ]
  [ "$(code "$URL/api/v1/tasks/999")" = 404 ]
  [ "$(code "$URL/api/v1/verbs/route")" = 404 ]
  [ "$(code -X DELETE "$URL/api/v1/state")" = 405 ]
  [ "$(code "$URL/api/v1/verbs/load?traffic=file:/etc/passwd")" = 400 ]
  [ "$(code "$URL/api/v1/verbs/load?traffic=alltoall&output=x")" = 400 ]
  [ "$(code "$URL/?token=wrong")" = 401 ]
  head -c 2000000 /dev/zero | tr '\0' x >large
  [ "$(code -H "$auth" -H 'Expect:' --data-binary @large "$URL/api/v1/changes")" = 413 ]
  # The state is as it was.
  [ "$(get /api/v1/state | jq -c .changes)" = '[]' ]
  # The token once in the address becomes a cookie.
  curl -sS -c jar "$URL/?token=$TOKEN" >/dev/null
  [ "$(code -b jar -d 'cut S1_0[1]' "$URL/api/v1/changes")" = 200 ]
}

@test "no inline script, and names are text" {
  serve 'ft(4,3)' sftree
  curl -sS -D headers "$URL/" >page
  grep -qi "content-security-policy:.*script-src 'self'" headers
  ! grep -i 'content-security-policy' headers | grep -q "script-src[^;]*unsafe-inline"
  # Data is no script: the browser does not run it.
  [ "$(grep -o '<script[^>]*>' page | grep -cv 'src="/page.js"\|type="application/json"')" = 0 ]
  get /page.js | grep -q fatwood
}

@test "metrics pass promtool, and the description lists what answers" {
  command -v promtool || skip "promtool is not installed (prometheus)"
  serve 'ft(4,3)' sftree
  get /api/v1/verbs/show >/dev/null
  get /metrics >metrics
  promtool check metrics <metrics
  grep -qx 'fatwood_hosts 16' metrics
  grep -qx 'fatwood_deadlock_free 1' metrics
  for path in $(get /api/v1/openapi.json | jq -r '.paths | to_entries[] | select(.value.get) | .key' | grep -v '{\|events\|verbs'); do
    [ "$(code "$URL$path")" != 404 ] || [[ "$path" == */history || "$path" == */counters ]]
  done
}

@test "a file that changes is read again; a bad one leaves the last good state" {
  "$FATWOOD" convert 'ft(4,3)' --to json -o net
  serve net sftree --history kept
  curl -sSN --max-time 60 "$URL/api/v1/events" >events 3>&- &
  local client=$!
  until_true grep -q retry events
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to json -o net2
  mv net2 net
  until_links 47
  [ "$(get /api/v1/state | jq .fabric.missing_cables)" = 1 ]
  until_true grep -q '^event: fabric' events
  kill "$client"
  grep -A1 '^event: fabric' events | sed -n 's/^data: //p' | jq -e '.cables.lost == [["S1_0[1]", "S2_0[3]"]]'
  head -c 300 net >net3
  mv net3 net
  until_true state_is .error
  get /api/v1/state | jq -e '.error != null and .fabric.links == 47'
  [ "$(get /api/v1/history | jq '.states | length')" = 2 ]
  first=$(get /api/v1/history | jq '.states[0].id')
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to json -o net2
  mv net2 net
  get "/api/v1/history/$first" | jq -e '.cables.lost == [["S1_0[1]", "S2_0[3]"]]'
}

@test "a pipe in the place of the fabric: an error, and the what-if goes on; the file is read when it is back" {
  "$FATWOOD" convert 'ft(4,3)' --to json -o net
  serve net sftree
  mkfifo pipe
  mv pipe net
  until_true state_is .error
  get /api/v1/state | jq -e '(.error | test("a pipe")) and .fabric.links == 48'
  post /api/v1/changes 'cut S1_0[2]' | jq -e .repaired
  # Verbs would read it, too.
  [ "$(code "$URL/api/v1/verbs/show")" = 503 ]
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to json -o net2
  mv net2 net
  until_links 47
  state_is '.error == null'
  [ "$(code "$URL/api/v1/verbs/show")" = 200 ]
}

@test "a pipe in the folder of a run is an error, too, until it is gone" {
  mkdir run
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o run/ibdiagnet2.ibnetdiscover
  serve run sftree
  mkfifo run/ibdiagnet2.pm
  until_true state_is .error
  rm run/ibdiagnet2.pm
  until_true state_is '.error == null'
}

@test "a process that hangs while it reads files is killed, and the next one reads them" {
  "$FATWOOD" convert 'ft(4,3)' --to json -o net
  serve net sftree --every 1s
  reader() { pgrep -P "$SERVER" -f files-worker; }
  kill -STOP "$(reader)"
  until_true grep -q 'took more than 10 s' err
  until_true state_is '.error == null'
  post /api/v1/changes 'cut S1_0[2]' | jq -e .repaired
}

@test "a history that can't be written shows in the state, the metrics, the log and the events; then it is kept" {
  "$FATWOOD" convert 'ft(4,3)' --to json -o net
  serve net sftree --history kept --every 1s
  state_is '.history_error == null'
  curl -sSN "$URL/api/v1/events" >events 3>&- &
  until_true grep -q retry events
  mv kept gone
  "$FATWOOD" convert 'ft(4,3)' --cut 'S1_0[1]' --to json -o net2
  mv net2 net
  until_true state_is .history_error
  state_is '.fabric.links == 47 and .error == null'
  get /metrics | grep -qx 'fatwood_history_error 1'
  grep -q 'history was not kept.*kept' err
  until_true grep -q '"what":"history"' events
  [ "$(code "$URL/api/v1/history")" = 503 ]
  mv gone kept
  until_true state_is '.history_error == null'
  get /api/v1/history | jq -e '[.states[].fabric.links] == [48, 47]'
  get /metrics | grep -qx 'fatwood_history_error 0'
}

@test "entries are compared with the tables that were proved first, not with the last reading" {
  "$FATWOOD" route 'ft(4,3)' updn+ -o tables
  "$FATWOOD" route 'ft(4,3)' sftree -o other
  "$FATWOOD" diff 'ft(4,3)' 'ft(4,3)' --tables tables other --json >diff || true
  serve 'ft(4,3)' tables
  state_is '.fabric.differing_entries == 0'
  cp other new && mv new tables
  until_true state_is '.fabric.differing_entries > 0'
  [ "$(get /api/v1/state | jq .fabric.differing_entries)" = "$(jq .entries_changed diff)" ]
  # The same tables read once more: they still differ.
  reads() { get /metrics | sed -n 's/^fatwood_reads_total //p'; }
  before=$(reads)
  touch tables
  until [ "$(reads)" -gt "$before" ]; do sleep 0.1; done
  [ "$(get /metrics | sed -n 's/^fatwood_differing_entries //p')" = "$(jq .entries_changed diff)" ]
  # Those who want these tables say so: they are proved, and count from then on.
  curl -sS -X PUT -H "Authorization: Bearer $TOKEN" -d '' "$URL/api/v1/routing" >/dev/null
  state_is '.fabric.differing_entries == 0'
}

@test "the worker's death is an error of one request" {
  serve 'ft(4,3)' sftree
  pkill -9 -P "$SERVER"
  post /api/v1/changes 'cut S1_0[1]' >first || true
  post /api/v1/changes 'cut S1_0[2]' | jq -e '.repaired'
  [ "$(get /metrics | sed -n 's/^fatwood_worker_starts_total //p')" = 2 ]
}

@test "SIGTERM stops it soon, with nothing left behind" {
  TMPDIR=$PWD serve 'ft(4,3)' sftree
  post '/api/v1/tasks/permutations?samples=100000000' '' >/dev/null
  curl -sSN "$URL/api/v1/events" >events 2>&1 3>&- &
  until_true grep -q retry events
  kill "$SERVER"
  while kill -0 "$SERVER" 2>/dev/null; do sleep 0.1; done
  ! pgrep -P "$SERVER"
  [ -z "$(ls -d fatwood-serve-* 2>/dev/null)" ]
  SERVER=
}

@test "bad words: exit 2 and what to do" {
  run -2 "$FATWOOD" serve 'ft(4,3)' --bind 0.0.0.0
  [[ "$output" == *--token-file* ]]
  run -2 "$FATWOOD" serve 'ft(4,3)' --every never
  run -2 "$FATWOOD" serve nothing-of-that-name
  echo short >token
  chmod 600 token
  run -2 "$FATWOOD" serve 'ft(4,3)' --token-file token
  mkdir other
  echo hello >other/letter
  run -2 "$FATWOOD" serve 'ft(4,3)' --history other
}

@test "examples: alert rules pass promtool, and rules and dashboard use metrics that exist" {
  command -v promtool || skip "promtool is not installed (prometheus)"
  local examples
  examples=$(dirname "$BATS_TEST_FILENAME")/../../../examples/serve
  promtool check rules "$examples/alerts.yml"
  serve 'ft(4,3)' sftree
  get /api/v1/verbs/show >/dev/null
  get /metrics >metrics
  jq -r '.panels[].targets[].expr' "$examples/grafana.json" | cat - "$examples/alerts.yml" | grep -o 'fatwood_[a-z_0-9]*' | sort -u >used
  [ -s used ]
  while read -r name; do grep -q "^$name[ {]" metrics || { echo "$name is no metric"; false; }; done <used
}

@test "docs/live.md lists every metric, and no other" {
  serve 'ft(4,3)' sftree
  get /api/v1/verbs/show >/dev/null
  get /metrics | grep -o '^fatwood_[a-z_0-9]*' | sort -u >metrics
  sed -n '/^| metric /,/^$/s/^|\([^|]*\)|.*/\1/p' "$(dirname "$BATS_TEST_FILENAME")/../../../docs/live.md" |
    grep -o 'fatwood_[a-z_0-9]*' | sort -u >listed
  diff metrics listed
}
