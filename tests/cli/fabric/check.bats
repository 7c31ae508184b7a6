#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood check: what is green, yellow and red, its exit codes, and commands that can be pasted.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
}

check() { run --separate-stderr "$FATWOOD" check "$@" --json; }
has() { jq -e "$1" <<<"$output" >/dev/null || { jq . <<<"$output"; false; }; }

@test "a complete tree is green" {
  check 'ft(4,3)'
  [ "$status" -eq 0 ]
  has '.cabling == "ok" and .findings == [] and .routing == "even"'
  has '.speed.worst_gbps == .speed.port_gbps and .speed.of_port == 1 and .speed.limited_by == null'
}

@test "without tables nothing is said about the safety of the switches, only what an engine gives" {
  check 'ft(4,3)'
  [ "$status" -eq 0 ]
  has '.tables == "none" and .safe == null and .with == {"engine": "even", "safe": true, "instead_of": null}'
  run "$FATWOOD" check 'ft(4,3)'
  [[ "$output" == *"no tables given; with even"* ]]
  ! grep -q '^safety *OK' <<<"$output"
  # What no engine can give is bad, and the exit code says so.
  check 'ft(4,2)' --cut S1_0
  [ "$status" -eq 1 ]
  has '.safe == null and .with.safe == false'
  # Tables, or an engine that the user names, are what the answer is about.
  check 'ft(4,3)' even
  has '.tables == "given" and .safe == true and .with == null'
}

@test "a quicker engine takes the place of one that would take too long, and check says so" {
  check 'torus(7,7,7)'
  [ "$status" -eq 0 ]
  has '.with.engine != "nue" and .with.instead_of == "nue" and .with.safe'
  run "$FATWOOD" check 'torus(7,7,7)'
  [[ "$output" == *"instead of nue, which is recommended but would take too long for a check"* ]]
  check 'torus(4,4)'
  has '.with.engine == "nue" and .with.instead_of == null'
}

@test "a missing cable is a warning, half of the uplinks missing are bad" {
  check 'ft(8,3)' --cut 'S1_0[1]'
  [ "$status" -eq 0 ]
  has '.cabling == "warn" and .totals == {"bad": 0, "warn": 1, "note": 0}'
  has '.findings[0] | .kind == "missing-cable" and .severity == "warn" and .cost_hosts > 0'
  check 'ft(8,3)' --cut 'S1_0[1]' --cut 'S1_0[2]'
  [ "$status" -eq 1 ]
  has '.cabling == "bad" and .with.safe'
}

@test "routes that can deadlock are red, with an engine that does not" {
  check 'ring(5)' minhop
  [ "$status" -eq 1 ]
  has '(.safe | not) and (.deadlock_free | not) and (.fix | contains("nue"))'
  check 'ring(5)' nue
  [ "$status" -eq 0 ]
  has '.safe and .fix == null'
}

@test "disconnected hosts are red, and no engine is blamed" {
  check 'ft(4,2)' --cut S1_0
  [ "$status" -eq 1 ]
  has '.cabling == "bad" and (.with.safe | not) and (.fix | startswith("cables"))'
}

@test "slower hosts are notes if several are alike, one alone is a warning" {
  check "rails(units=2,hosts=8,rails=2,spines=4,slow_hosts=1)"
  has '[.findings[] | select(.kind == "slow-host") | .severity] == ["warn"]'
  check "rails(units=2,hosts=8,rails=2,spines=4,slow_hosts=6)"
  has '[.findings[] | select(.kind == "slow-host") | .severity] | length > 0 and all(. == "note")'
  has '.cabling == "ok"'
}

@test "findings come by severity, then by cost" {
  check like-selene
  has '[.findings[] | [{"bad": 0, "warn": 1, "note": 2}[.severity], -.cost_hosts]] | . == sort'
}

@test "show has the same severities" {
  "$FATWOOD" show like-selene --json | jq -S '[.oddities[] | [.kind, .text, .severity]] | sort' >shown
  "$FATWOOD" check like-selene --json | jq -S '[.findings[] | [.kind, .text, .severity]] | sort' >checked
  cmp shown checked
}

@test "speed is what load says" {
  "$FATWOOD" load 'ft(8,3)' --cut 3% even --traffic alltoall --json | jq .rates >load
  "$FATWOOD" check 'ft(8,3)' --cut 3% even --json | jq .speed >check
  for key in worst_gbps p1_gbps median_gbps hosts; do
    [ "$(jq ".$key" load)" = "$(jq ".$key" check)" ]
  done
}

# Runs each command that check names for these words: none refuses the fabric or the tables.
paste() {
  rm -rf new.lft rounds tables page.html
  check "$@"
  while read -r line; do
    run --separate-stderr bash -c "${line/#fatwood/\"$FATWOOD\"}" </dev/null
    [ "$status" -le 1 ] || { echo "check $*: $line: $stderr"; false; }
    ! grep -q '^fatwood: [^nw]' <<<"$stderr" || { echo "check $*: $line: $stderr"; false; }
  done < <(jq -r '.next[] | select(contains(" report ") | not)' <<<"$output")
}

@test "every command that it names works on the fabric: trees with faults, other graphs, any tables" {
  for fabric in 'ring(5)' 'torus(4,4)' 'hypercube(3)' 'random(8,12)' 'xgft(2;3,3;2,3)' 'kary(2,1)' like-stage; do
    paste "$fabric"
    paste "$fabric" minhop
  done
  for fault in '--cut S1_0' '--cut S1_0[1]' '--remove @1' '--remove @2' '--cut 2'; do
    paste 'ft(4,2)' $fault
    paste 'ft(4,2)' $fault ar_updn
  done
  paste 'xgft(2;4,4;1,2)' bfot+ --cut 1
  paste 'ft(4,2)' disjoint:2
  "$FATWOOD" route 'ft(4,2)' minhop -o plain
  "$FATWOOD" route 'ft(4,2)' even --lmc 1 -o lmc1
  "$FATWOOD" route 'ft(4,2)' ar_updn --to far -o adaptive
  for old in ./plain ./lmc1 ./adaptive; do paste 'ft(4,2)' "$old" --cut 'S1_0[1]'; done
  "$FATWOOD" route 'torus(4,4)' dfsssp -o lanes --sl levels
  paste 'torus(4,4)' ./lanes
  paste 'torus(4,4)' ./lanes --sl levels
}

@test "commands keep the tables that were given, with their lanes" {
  "$FATWOOD" route 'torus(4,4)' dfsssp -o lanes --sl levels
  check 'torus(4,4)' ./lanes --sl levels --cut 'S0[1]'
  has '[.next[] | select(test(" (verify|compare|report) "))] | length > 1 and all(contains("./lanes --sl levels"))'
}

@test "the tables of a run are checked" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o net
  mkdir run
  cp net run/ibdiagnet2.ibnetdiscover
  "$FATWOOD" route 'ft(4,2)' updn+ -o run/opensm-lfts.dump
  check run
  [ "$status" -eq 0 ]
  has '.routing == "run"'
}

@test "findings are never cut: lines are broken at the width of a terminal, and nowhere else" {
  fabric="rails(units=2,hosts=4,rails=4,spines=2,cables=2,missing_cables=3,slow_cables=2,seed=4)"
  "$FATWOOD" check "$fabric" >pipe || true
  ! grep -q '\.\.\.' pipe
  fact=$("$FATWOOD" check "$fabric" --json | jq -r '.findings[0].text')
  grep -qF "$fact" pipe
  for columns in 50 80 200; do
    script -qec "stty cols $columns; NO_COLOR=1 '$FATWOOD' check '$fabric'" /dev/null | tr -d '\r' >seen
    sed '/^next/,$d' seen | awk -v most=$columns 'length > most { print; bad = 1 } END { exit bad }'
    [ "$(tr -s ' \n' ' ' <seen)" = "$(tr -s ' \n' ' ' <pipe)" ]
  done
  COLUMNS=60 script -qec "stty cols 200; NO_COLOR=1 '$FATWOOD' check '$fabric'" /dev/null | tr -d '\r' >seen
  sed '/^next/,$d' seen | awk 'length > 60 { exit 1 }'
}

@test "port is the speed of one port, in load and check, however many an adapter has" {
  check 'xgft(2;3,3;2,3)' even
  has '.speed | .port_gbps == 32 and .adapter_gbps == 64 and .worst_gbps == 64 and .of_port == 1'
  "$FATWOOD" load 'xgft(2;3,3;2,3)' even --traffic alltoall --json |
    jq -e '.rates | .port_gbps == 32 and .adapter_gbps == 64'
}

@test "pairs of hosts are pairs of hosts: aggregation nodes are not, and compare says the same" {
  # ftree has no routes between spines, nor between their aggregation nodes.
  fabric='rails(units=2,hosts=4,rails=2,spines=4,cables=1)'
  check "$fabric" ftree
  [ "$status" -eq 1 ]
  has '.safe == false and .unreachable > 0 and .lost_between_hosts == 0'
  run "$FATWOOD" check "$fabric" ftree
  [[ "$output" == *"pairs have no route, none between hosts"* ]]
  ! grep -q 'not counted' <<<"$output"
  run "$FATWOOD" compare "$fabric"
  grep -q '^ftree .*safe between hosts only, [0-9]* pairs lost' <<<"$output"
  "$FATWOOD" compare "$fabric" --json | jq -e '.engines[] | select(.name == "ftree") | .lost_between_hosts == 0'
}

@test "colour: on request, never in JSON, never with NO_COLOR or into a pipe" {
  "$FATWOOD" check 'ft(4,2)' --color always | grep -q $'\033\[32m'
  ! "$FATWOOD" check 'ft(4,2)' | grep -q $'\033'
  ! "$FATWOOD" check 'ft(4,2)' --color always --json | grep -q $'\033'
  script -qec "TERM=xterm '$FATWOOD' check 'ft(4,2)'" /dev/null | grep -q $'\033\[32m'
  ! script -qec "TERM=xterm NO_COLOR=1 '$FATWOOD' check 'ft(4,2)'" /dev/null | grep -q $'\033\[32m'
}

@test "wrong input is 2" {
  check 'ft(4,2)' evn
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"did you mean even"* ]]
}

@test "planes are healthy: pairs of different planes need no route, and ports have their own speed" {
  check 'plan(hosts=32,rails=4,planes=4,speed=400,unit=8,radix=16,up=8,spines=4)'
  [ "$status" -eq 0 ]
  has '.with.safe and .cabling == "ok" and .speed.port_gbps == 400 and .speed.worst_gbps <= 400'
  # Components by damage are a fault.
  check 'ft(4,3)' --remove S2_1 --cut 'S1_0[1]'
  [ "$status" -eq 1 ]
  has '.with.safe == false and .cabling == "bad"'
}

@test "pairs without a route change no port's speed, and the best possible is at most a port" {
  "$FATWOOD" route 'ft(8,3)' even -o old >/dev/null
  check 'ft(8,3)' --cut 3 ./old
  [ "$status" -eq 1 ]
  has '.speed.port_gbps == 32 and .speed.worst_gbps == 32 and (.unreachable > 0)'
  "$FATWOOD" load juropa sftree --traffic alltoall --json |
    jq -e '[.bottlenecks[].best_possible_gbps] | all(. <= 32)'
  # Tables that lose pairs are no measure of gains.
  "$FATWOOD" compare 'ft(8,3)' --cut 3 ./old --json | jq -e '[.engines[].gain] | all(. == null)'
}

@test "a fabric without a tree has no best possible" {
  check 'torus(4,4)' minhop
  has '.speed.of_possible == null and .speed.health == "ok"'
  # Commands to paste: no transition from an engine's name.
  has '[.next[] | select(contains("transition"))] == []'
}
