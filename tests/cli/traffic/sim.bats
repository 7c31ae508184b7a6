#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood sim: what it prints and writes, and which input it refuses before it runs.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "the keys that scripts rely on" {
  run --separate-stderr "$FATWOOD" sim 'kary(2,2)' --routing dmodk --traffic uniform --load 0.2,0.4 --cycles 2000 --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","points":[{"offered":0.2,"accepted":'* ]]
  [[ "$output" == *'"latency_mean":'*'"latency_p99":'*'"flit_hops":'*'"seconds":'*'"deadlock":null'* ]]
}

@test "the same seed gives the same table at any number of threads" {
  for t in 1 2; do
    "$FATWOOD" sim 'kary(2,3)' --routing random:2 --load 0.2:0.8:0.2 --cycles 2000 --seed 5 --threads $t --csv t$t.csv >/dev/null
  done
  cmp t1.csv t2.csv
  [ "$(wc -l <t1.csv)" -eq 5 ]
}

@test "files: a plot, a time series, the use of channels" {
  run "$FATWOOD" sim 'kary(2,2)' --routing minhop --load 0.5 --cycles 2000 --svg p.svg --series s.csv --use u.csv
  [ "$status" -eq 0 ]
  [[ "$(head -c 4 p.svg)" == "<svg" ]]
  [ "$(wc -l <s.csv)" -eq 101 ]
  grep -q 'H0\[1\],S1_0' u.csv
}

@test "receivers without limit: a hot spot takes in what all others send" {
  run --separate-stderr "$FATWOOD" sim 'kary(4,1)' --routing dmodk --traffic hotspot:0 --load 0.8 --cycles 20000 --json
  [ "$status" -eq 0 ]
  [[ "$output" == *'"accepted":0.33'* ]]
  run --separate-stderr "$FATWOOD" sim 'kary(4,1)' --routing dmodk --traffic hotspot:0 --load 0.8 --cycles 20000 --receivers unlimited --json
  [ "$status" -eq 0 ]
  [[ "$output" =~ '"accepted":0.'(79|80|81) ]]
  run "$FATWOOD" sim 'kary(2,2)' --routing dmodk --load 0.8 --receivers fast
  [ "$status" -eq 2 ]
}

@test "a collective keeps full bandwidth under d-mod-k, in order" {
  run --separate-stderr "$FATWOOD" sim 'kary(4,2)' --routing dmodk --collective shift --message-size 4k:8k
  [ "$status" -eq 0 ]
  [[ "$output" == *"8192"*"1.0000"* ]]
}

@test "a trace, with a switch's own port" {
  printf '0 H0 H3 4k\n100 switch:S1_0 switch:S2_0 64 # status\n' >t
  run --separate-stderr "$FATWOOD" sim 'kary(2,2)' --routing updn+ --trace t --json
  [ "$status" -eq 0 ]
  [[ "$output" == *'"messages":2'*'"deadlock":null'* ]]
  # What switches send is no part of the terminals' share, which stays below 1.
  printf '0 H0 H3 64\n0 switch:S1_0 switch:S2_0 64k\n' >t
  run --separate-stderr "$FATWOOD" sim 'kary(2,2)' --routing updn+ --trace t
  [ "$status" -eq 0 ]
  [[ "${lines[1]}" =~ ^\ +-\ +2\ .*\ 0\.00[0-9]+\ +[0-9.]+$ ]] || { echo "${lines[1]}"; false; }
  # Switches alone: no terminal sends, so none has a bandwidth.
  printf '0 switch:S1_0 switch:S2_0 64k\n' >t
  run --separate-stderr "$FATWOOD" sim 'kary(2,2)' --routing updn+ --trace t
  [[ "${lines[1]}" == *" -        -        - "* ]] || { echo "${lines[1]}"; false; }
}

@test "a deadlock is named, and the exit code is 1" {
  # Everyone four hops round a ring of nine, both ways closed.
  for i in 0 1 2 3 4 5 6 7 8; do
    for k in 0 1 2 3 4 5 6 7; do echo "$((k * 100)) H$i H$(((i + 4) % 9)) 64k"; done
  done >t
  run --separate-stderr "$FATWOOD" sim 'ring(9)' --routing minhop --trace t
  [ "$status" -eq 1 ]
  [[ "$output" == *"deadlock: "*" packets wait in a cycle"* ]]
  [[ "$output" == *"holds the input buffer of "*" lane 0"*"wants the output buffer of "* ]]
}

@test "switches' own traffic, in a lane of its own" {
  run --separate-stderr "$FATWOOD" sim 'kary(4,2)' --routing updn+ --load 0.5 --switch-load 0.5 --switch-service-level 1 --port0-speed 2.5 --cycles 3000 --json
  [ "$status" -eq 0 ]
  [[ "$output" == *'"switches":{"offered":0.5'* ]]
}

@test "tables and lanes from files give what the engine gives" {
  "$FATWOOD" route 'torus(4,4)' --engine dfsssp -o t --sl s >/dev/null
  "$FATWOOD" sim 'torus(4,4)' --routing dfsssp --load 0.8 --cycles 2000 --csv a.csv >/dev/null
  "$FATWOOD" sim 'torus(4,4)' --routing t --sl s --load 0.8 --cycles 2000 --csv b.csv >/dev/null
  cmp a.csv b.csv
}

@test "what can't be is refused before the run" {
  refused() { run "$FATWOOD" sim "$@"; [ "$status" -eq 2 ]; }
  refused 'kary(2,2)' --routing dmodk --load 1.5
  [[ "$output" == *"load 1.5"* ]]
  refused 'kary(2,2)' --routing dmodk --load 0.5 --input-flits 5
  [[ "$output" == *"can't hold a packet"* ]]
  refused 'kary(2,2)' --routing nosuch --load 0.5
  refused 'kary(2,2)' --load 0.5
  refused 'kary(2,2)' --routing dmodk
  refused 'kary(2,2)' --routing dmodk --load 0.5 --collective ring
  refused 'kary(2,2)' --routing disjoint:2 --load 0.5 --switch-load 0.5
  refused 'kary(2,2)' --routing dmodk --load 0.5 --traffic shifts
  refused 'kary(2,2)' --routing dmodk --load 0.5 --lanes 2 --shares high:3
  refused 'kary(2,2)' --routing dmodk --load 0.5 --crossbar 0
  printf '0 H0 H9 64\n' >t
  refused 'kary(2,2)' --routing dmodk --trace t
  [[ "$output" == *"t:1:"* ]]
  refused 'kary(2,2)' --routing dmodk --traffic uniform:0 --load 0.5
  [[ "$output" == *"no host sends"* ]]
  refused 'kary(2,2)' --routing dmodk --collective uniform:0
  [[ "$output" == *"no host sends"* ]]
  refused 'torus(4,4)' --routing dfsssp --sl t --load 0.5
  [[ "$output" == *"--sl needs a file of tables; dfsssp has its own lanes"* ]]
}

@test "a load too small to send anything ends, and sends nothing" {
  run --separate-stderr timeout 600 "$FATWOOD" sim 'ft(4,2)' --routing minhop --load 1e-18 --cycles 500 --json
  [ "$status" -eq 0 ]
  [[ "$output" == *'"accepted":0.0,'* ]]
  run --separate-stderr timeout 600 "$FATWOOD" sim 'ft(4,2)' --routing minhop --load 0.1 --switch-load 1e-18 --cycles 500 --json
  [ "$status" -eq 0 ]
  [[ "$output" == *'"switches":{"offered":1e-18,"accepted":0.0,'* ]]
  refused() { run "$FATWOOD" sim "$@"; [ "$status" -eq 2 ]; }
  # Nothing arrived, so nothing had a latency, and no load is the last before saturation.
  run --separate-stderr "$FATWOOD" sim 'ft(4,2)' --routing minhop --load 0.5 --message-flits 4000000000 --cycles 500
  [ "$status" -eq 0 ]
  [[ "${lines[1]}" == *"0.5   0.0000  0.0000         -       -"*"no whole message arrived" ]]
  refused 'ft(4,2)' --routing minhop --load saturation --message-flits 4000000000 --cycles 500
  [[ "$output" == *"no message is created within 500 cycles, not even at load 1"* ]]
  refused 'ft(4,2)' --routing minhop --load 0.5 --lanes 0
  refused 'ft(4,2)' --routing minhop --load 0.5 --lanes 16
}

@test "an option that asks for what will not happen is refused" {
  void() {
    run "$FATWOOD" sim 'kary(2,2)' --routing minhop "$@"
    [ "$status" -eq 2 ] || { echo "status $status: $*"; false; }
    [[ "$output" == *"$pattern"* ]] || { echo "$*: $output"; false; }
  }
  printf '0 H0 H3 4k\n' >t
  for option in '--use u' '--series s' '--message-flits 10' '--switch-load 0.5' '--traffic ring' '--cycles 500' '--switch-service-level 1'; do
    pattern="${option%% *} requires --"
    void --collective ring $option
    void --trace t $option
  done
  for option in --barrier '--stages 2' '--placement random'; do
    pattern="${option%% *} requires --collective"
    void --load 0.5 $option
    void --trace t $option
  done
  pattern='--message-size needs --load or --collective'
  void --trace t --message-size 4k
  pattern='give either --message-'
  void --load 0.5 --message-size 4k --message-flits 10
  pattern='give either --mtu or --packet-flits'
  void --load 0.5 --mtu 4k --packet-flits 10
  pattern='give either --buffer-packets'
  void --load 0.5 --buffer-packets 2 --input-flits 20 --output-flits 20
  pattern='--switch-service-level requires --switch-load'
  void --load 0.5 --switch-service-level 1
  pattern='--choice needs adaptive tables'
  void --load 0.5 --choice free
  pattern='expected Gb/s, from 0.001'
  for option in --link-speed --terminal-speed; do
    void --load 0.5 $option 0.0004
    void --load 0.5 $option 0
    void --load 0.5 $option=-1
  done
  pattern='1 of 2 lanes: give one share for each lane'
  void --load 0.5 --lanes 2 --shares high:1
}

@test "an option that makes no difference is accepted" {
  run -0 "$FATWOOD" sim 'kary(2,2)' --routing minhop --load 0.5 --cycles 300 --json
  usual=$(jq -c 'del(.. | .seconds?)' <<<"$output")
  for option in '--high-limit 10' '--burst-silence 5' '--paths packet-order'; do
    # shellcheck disable=SC2086
    run -0 "$FATWOOD" sim 'kary(2,2)' --routing minhop --load 0.5 --cycles 300 --json $option
    [ "$(jq -c 'del(.. | .seconds?)' <<<"$output")" = "$usual" ]
  done
}

@test "a link's speed goes to the port that is meant, never to the first of several" {
  "$FATWOOD" convert 'kary(2,2)' --to ibnetdiscover -o f
  sed -i 's/"H1"/"H0"/' f
  "$FATWOOD" show f >/dev/null
  echo 'H0[1] 8' >links
  run "$FATWOOD" sim f --routing minhop --load 0.5 --cycles 500 --links links
  [ "$status" -eq 2 ]
  [[ "$output" == *'links:1:1: 2 nodes are called "H0": H0 ('* ]]
  id=$(sed -n 's/^Ca.*"\(H-[0-9a-f]*\)".*"H0".*/\1/p' f | tail -1)
  [ -n "$id" ]
  echo "$id[1] 8" >links
  "$FATWOOD" sim f --routing minhop --load 0.9 --cycles 2000 --links links --use u.csv >/dev/null
}

@test "figures of a point agree with each other and with the use of every channel" {
  "$FATWOOD" sim 'ft(4,2)' --routing minhop --load 0.6 --cycles 3000 --threads 1 --json --use use.csv >point
  jq -e '.points[0] | .latency_p50 < .latency_p95 and .latency_p95 < .latency_p99 and .latency_p99 <= .latency_max' point
  jq -e '.points[0].busiest | map(.use) | . == (sort | reverse) and length == 10' point
  most=$(awk -F, 'NR > 1 && $NF > most { most = $NF } END { print most }' use.csv)
  jq -e --argjson most "$most" '.points[0].busiest[0].use | . - $most | . * . < 1e-6' point
}

# A leaf with host H, spines s and t above it, a core with host G above both; the cable from s to
# the leaf is cut. Packets to H went down by s; now they go down by t, and s sends to the core.
four_switches() {
  cat >net <<'NET'
switchguid=0x1(1)
Switch	4 "leaf"
[1]	"H"[1](101)
[3]	"t"[1]

switchguid=0x2(2)
Switch	4 "s"
[2]	"core"[1]

switchguid=0x3(3)
Switch	4 "t"
[1]	"leaf"[3]
[2]	"core"[2]

switchguid=0x4(4)
Switch	4 "core"
[1]	"s"[2]
[2]	"t"[2]
[3]	"G"[1](201)

caguid=0x100
Ca	1 "H"
[1](101)	"leaf"[1]

caguid=0x200
Ca	1 "G"
[1](201)	"core"[3]
NET
  "$FATWOOD" route net --engine minhop -o new >/dev/null
}

@test "tables change while packets fly: nothing loops where a transition is safe in any order" {
  "$FATWOOD" route 'ft(4,3)' --engine ftree -o old >/dev/null
  "$FATWOOD" repair 'ft(4,3)' --cut 'S2_0[1]' old -o new --json >/dev/null || true
  for order in number random rounds; do
    run --separate-stderr "$FATWOOD" sim 'ft(4,3)' --cut 'S2_0[1]' --routing old --switch-to new \
      --at 1000 --order $order --load 0.7 --cycles 6000 --json
    [ "$status" -eq 0 ]
    jq -e '.deadlock == null and .switched.packets_looping == 0 and .switched.loop == null
           and .switched.packets_discarded > 0' <<<"$output"
  done
  # Nothing is discarded when no cable is gone.
  run --separate-stderr "$FATWOOD" sim 'ft(4,3)' --routing old --switch-to new --at 1000 --load 0.7 --cycles 6000 --json
  [ "$status" -eq 0 ]
  jq -e '.switched.packets_discarded == 0' <<<"$output"
}

@test "a switch written too early sends packets round in a loop, and rounds do not" {
  four_switches
  echo core >top
  # Before, s and the core had port 1 for H.
  awk '/^Unicast/ { on = /\(\047(s|core)\047\)/ } on && /\047H\047$/ { $2 = "001" } { print }' new >old
  [ "$(diff old new | grep -c '^<')" -eq 2 ]
  run --separate-stderr "$FATWOOD" transition net --roots top old new --json
  jq -e '.safe == "rounds" and .counter_example.kind == "loop"' <<<"$output"
  echo '0 G H 1M' >trace
  echo s >first
  sim() { "$FATWOOD" sim net --routing old --switch-to new --at 200 --trace trace "$@" --json; }
  run --separate-stderr sim --order first
  [ "$status" -eq 1 ]
  jq -e '.switched.packets_looping > 0 and .deadlock != null' <<<"$output"
  run --separate-stderr sim --order rounds --roots top
  [ "$status" -eq 0 ]
  jq -e '.switched.packets_looping == 0 and .deadlock == null and .switched.packets_discarded > 0' <<<"$output"
}

@test "sim --switch-to: what can't be is refused" {
  "$FATWOOD" route 'ft(4,2)' --engine ftree -o new >/dev/null
  run "$FATWOOD" sim 'ft(4,2)' --routing ftree --load 0.1 --at 5
  [ "$status" -eq 2 ]
  [[ "$output" == *--switch-to* ]]
  run "$FATWOOD" sim 'ft(4,2)' --routing ftree --switch-to new --collective shift
  [ "$status" -eq 2 ]
  run "$FATWOOD" sim 'ft(4,2)' --routing ftree --switch-to absent --load 0.1
  [ "$status" -eq 2 ]
  run "$FATWOOD" sim 'ft(4,2)' --adaptive --switch-to new --load 0.1
  [ "$status" -eq 2 ]
  echo nobody >order
  run "$FATWOOD" sim 'ft(4,2)' --routing ftree --switch-to new --load 0.1 --order order
  [ "$status" -eq 2 ]
  [[ "$output" == *order:1:1*nobody* ]]
}

@test "hosts with a port in each of two planes send by both, and no packet changes planes" {
  for routing in minhop even updn+; do
    run --separate-stderr "$FATWOOD" sim 'xgft(2;4,3;2,2)' --routing $routing --load 0.3 --cycles 4000 --json
    [ "$status" -eq 0 ]
    jq -e '.points[0].accepted > 0.28 and .points[0].accepted < 0.32' <<<"$output"
  done
  run --separate-stderr "$FATWOOD" sim 'xgft(2;4,3;2,2)' --adaptive --load 0.3 --cycles 500
  [ "$status" -eq 0 ]
  # Switches of different planes can't send to each other, and a trace may name any two ports.
  run "$FATWOOD" sim 'xgft(2;4,3;2,2)' --routing updn+ --load 0.3 --switch-load 0.01
  [ "$status" -eq 2 ]
  [[ "$output" == *"leaves a pair disconnected"* ]]
  echo '0 H0[1] H5[2] 6400' >messages
  run "$FATWOOD" sim 'xgft(2;4,3;2,2)' --routing updn+ --trace messages
  [ "$status" -eq 2 ]
}
