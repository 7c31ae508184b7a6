#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood load: values known by hand, and which input it refuses.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "a hot spot loads one channel with everything" {
  run --separate-stderr "$FATWOOD" load 'ft(4,3)' dmodk --traffic hotspot:0 --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","mload":15,"mload_value":15.0,"oload":15,"oload_value":15.0,"perf":1,"perf_value":1.0,'* ]]
}

@test "a file of amounts, fractions and all" {
  printf '# two flows\nH0 H8 1/2\nH1 H9 1/3\n' >t
  run --separate-stderr "$FATWOOD" load 'ft(4,3)' umulti --traffic file:t --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","mload":"1/2","mload_value":0.5,"oload":"1/2","oload_value":0.5,"perf":1,'* ]]
}

@test "an engine's tables and the algebraic routing give the same loads" {
  run --separate-stderr "$FATWOOD" load 'ft(8,3)' umulti --traffic permutation --json
  [[ "$output" == *'"perf":1,'* ]]
  run --separate-stderr "$FATWOOD" load 'ft(8,3)' minhop --traffic shift:5
  [ "$status" -eq 0 ]
  [[ "$output" == *"up 0-1"* ]]
}

@test "cables besides those of a complete tree can lower the best possible load" {
  fixtures="$BATS_TEST_DIRNAME/../../fixtures/fabrics"
  run --separate-stderr "$FATWOOD" load "$fixtures/xgft-2-4-2-one-horizontal-cable.json" even --traffic alltoall --json
  [ "$status" -eq 0 ]
  jq -e '.oload == 8 and .oload_kind != "theorem"' <<<"$output"
  run --separate-stderr "$FATWOOD" load "$fixtures/xgft-2-4-4-horizontal-cables.json" even --traffic alltoall --json
  [ "$status" -eq 0 ]
  jq -e '.mload == 16 and .oload_value <= 16 and .oload_kind != "theorem"' <<<"$output"
}

@test "stages are listed one by one" {
  run --separate-stderr "$FATWOOD" load 'ft(4,3)' dmodk --traffic doubling
  [ "$status" -eq 0 ]
  [[ "$output" == *"worst: stage"* ]]
}

@test "bad traffic is named with file, line and column" {
  printf '0 1 1\n0 0 1\n' >t
  run "$FATWOOD" load 'ft(4,3)' dmodk --traffic file:t
  [ "$status" -eq 2 ]
  [[ "$output" == *"t:2:3: \"0\" sends to itself"* ]]
  printf '0 1 -1\n' >t
  run "$FATWOOD" load 'ft(4,3)' dmodk --traffic file:t
  [ "$status" -eq 2 ]
  [[ "$output" == *"negative"* ]]
  run "$FATWOOD" load 'ft(4,3)' dmodk --traffic storm
  [ "$status" -eq 2 ]
}

@test "K of 0 is refused, K above all paths is used in full and said so" {
  run "$FATWOOD" load 'ft(4,3)' disjoint:0 --traffic shift:1
  [ "$status" -eq 2 ]
  [[ "$output" == *"K is 0"* ]]
  run "$FATWOOD" load 'ft(4,3)' disjoint:9 --traffic shift:1
  [ "$status" -eq 0 ]
  [[ "$output" == *"at most 4 paths: all of them are used"* ]]
}

@test "a routing says which trees it needs" {
  run "$FATWOOD" load 'ft(4,3)' osrm2 --traffic shift:1
  [ "$status" -eq 2 ]
  [[ "$output" == *"it needs FT(m,2)"* ]]
  run "$FATWOOD" load 'ring(8)' disjoint:2 --traffic shift:1
  [ "$status" -eq 2 ]
  [[ "$output" == *"complete trees"* ]]
}

@test "hosts with several ports: PERF is never below 1" {
  for fabric in 'pgft(1;4;1;3)' 'xgft(2;2,2;2,2)'; do
    for routing in umulti dmodk minhop; do
      run --separate-stderr "$FATWOOD" load "$fabric" $routing --traffic alltoall --json
      [ "$status" -eq 0 ]
      [ "$(jq '.perf_value >= 1' <<<"$output")" = true ]
    done
  done
}

@test "a solver's rounding makes no routing better than the best" {
  # A ring that is cut is a line: both flows cross its middle, whatever the routing.
  printf '0 3 999999999/1000000000\n1 2 1\n' >t
  run --separate-stderr "$FATWOOD" load 'ring(4)' --cut 'S0[2]' minhop --traffic file:t --json
  [ "$status" -eq 0 ]
  [ "$(jq -r .oload_kind <<<"$output")" = "linear program" ]
  [ "$(jq -r .mload <<<"$output")" = "1999999999/1000000000" ]
  [ "$(jq -r .oload <<<"$output")" = "1999999999/1000000000" ]
  [ "$(jq .perf <<<"$output")" = 1 ]
  run --separate-stderr "$FATWOOD" load 'ring(4)' --cut 'S0[2]' minhop --traffic file:t
  [[ "$output" == *"(linear program, to 1e-8)"* ]]
}

@test "the worst stage has the number of its row, in JSON too" {
  run --separate-stderr "$FATWOOD" load 'ft(4,3)' dmodk --traffic doubling
  [[ "$output" =~ worst:\ stage\ ([0-9]+)\ of\ ([0-9]+) ]]
  stage=${BASH_REMATCH[1]}
  run --separate-stderr "$FATWOOD" load 'ft(4,3)' dmodk --traffic doubling --json
  [ "$(jq .stage <<<"$output")" = "$stage" ]
  [ "$(jq '.stages[.stage - 1].mload_value == .mload_value' <<<"$output")" = true ]
  [ "$(jq '[.stages[].mload_value] | max == (.[('"$stage"' - 1)])' <<<"$output")" = true ]
  [ "$(jq '[.stages[].mload_value] | index(max) + 1' <<<"$output")" = "$stage" ]
}
# A tree whose leaf 1 has one slow cable among twelve.
slow_tree() {
  "$FATWOOD" convert 'pgft(2;24,4;1,2;1,6)' --to ibnetdiscover -o net
  awk '!done && /^Switch/ { leaf = /S1_1/ } !done && leaf && /S2_0/ { sub(/4xQDR/, "4xSDR"); done = 1 } { print }' net >slow
  ! cmp -s net slow
}

@test "capacity is speed: a slow cable is the bottleneck, and even avoids it" {
  slow_tree
  "$FATWOOD" show slow | grep 'a bottleneck, with 25% of their speed'
  "$FATWOOD" load slow sftree --traffic alltoall --json >sftree
  "$FATWOOD" load slow even --for alltoall --traffic alltoall --json >even
  jq -e '.unit == "flows on a channel of 32 Gb/s" and .oload_is == "exact"' sftree
  jq -e '.channels[0].gigabits_per_second == 8' sftree
  "$FATWOOD" load slow sftree --traffic alltoall | grep -A1 'most loaded' | grep '8 Gb/s'
  jq -e '.perf_value > 3.5' sftree
  jq -e '.perf_value < 1.1' even
  # Whoever counts flows sees nothing of it.
  "$FATWOOD" load slow sftree --traffic alltoall --count-flows --json | jq -e '.unit == "flows" and .perf_value == 1'
}

@test "permutations are weighed by speed too" {
  slow_tree
  weighed=$("$FATWOOD" permutations slow sftree --json | jq '.results[0].mean')
  counted=$("$FATWOOD" permutations slow sftree --count-flows --json | jq '.results[0].mean')
  [ "$(jq -n "$weighed > 1.5 * $counted")" = true ]
}

@test "a bound is proved by lengths, checked by other code, and refused when forged" {
  "$FATWOOD" load 'ft(8,3)' --cut 5% --keep-connected even --traffic alltoall --json >cut
  "$FATWOOD" load 'ft(8,3)' --cut 5% --keep-connected even --traffic alltoall --bound proof --json >proved
  [ "$(head -n 1 proof)" = "fatwood-lengths 1" ]
  [ "$(jq -s '.[1].oload_value >= .[0].oload_value and .[1].perf_value >= 1' cut proved)" = true ]
  "$FATWOOD" load 'ft(8,3)' --cut 5% --keep-connected even --traffic alltoall --check-bound proof >/dev/null
  # 496 flows over 3 cables, in chunks of 4.
  jq -e '.oload == "496/3" and .tables_at_least == 168 and .mload >= 168' proved
  run "$FATWOOD" load 'ft(8,3)' --cut 5% --keep-connected even --traffic alltoall
  [[ "$output" == *"tables at least 168"* ]]
  "$FATWOOD" load 'xgft(2;4,3;1,2)' --cut 'S1_0[1]' even --traffic alltoall --json |
    jq -e '.oload_is == "exact" and .oload_kind == "attained" and .mload == .oload'
  sed '2s/.*/bound 9999/' proof >forged
  run "$FATWOOD" load 'ft(8,3)' --cut 5% --keep-connected even --traffic alltoall --check-bound forged
  [ "$status" -eq 1 ]
  [[ "$output" == *"these lengths do not prove that a channel carries 9999 or more"* ]]
  # Lengths of one fabric prove little about another.
  run "$FATWOOD" load 'ft(8,3)' even --traffic alltoall --check-bound proof
  [ "$status" -ne 0 ]
  printf 'fatwood-lengths 1\nbound 1\n1 nowhere[1]\n' >bad
  run "$FATWOOD" load 'ft(8,3)' even --traffic alltoall --check-bound bad
  [ "$status" -eq 2 ]
  [[ "$output" == *'bad:3:3: no cabled port of this fabric is called "nowhere[1]"'* ]]
  run "$FATWOOD" load 'ft(8,3)' even --traffic doubling --bound proof
  [ "$status" -eq 2 ]
}

@test "--for: tables for a job are more even for that job" {
  for i in $(seq 0 2 127); do for j in $(seq 0 2 127); do [ $i = $j ] || echo "$i $j"; done; done >half
  echo "half $(seq -s, -f H%g 0 2 126) alltoall" >jobs
  load() { "$FATWOOD" load 'ft(8,3)' --cut 5% --keep-connected "$@" --traffic file:half --json; }
  load sftree >sftree
  load even >even
  load even --for traffic:half >for
  load even --for job:jobs >for-job
  # Less on the fullest channel, the same traffic.
  jq -s -e '.[0].mload_value < .[1].mload_value and .[0].mload_value <= .[2].mload_value' for sftree even
  jq -s -e '.[0].mload_value < .[1].mload_value' for-job sftree
  "$FATWOOD" compare 'ft(8,3)' --cut 5% --keep-connected --for traffic:half --json >compared
  jq -e '[.engines[] | {(.name): .demanded}] | add | .even <= .sftree and .even <= .minhop and .even > 0' compared
  "$FATWOOD" compare 'ft(4,2)' --json | jq -e '.engines[0].demanded == null'
}

@test "--for: what cannot be is reported" {
  refused() {
    expected=$1
    shift
    run "$FATWOOD" "$@"
    [ "$status" -eq 2 ] && [[ "$output" == *"$expected"* ]] || { echo "$output"; false; }
  }
  refused 'expected jobs, alltoall, permutations, shifts, job:FILE or traffic:FILE' route 'ft(4,2)' --engine even --for heat
  refused 'expected jobs' route 'ft(4,2)' --engine even --for job:
  refused 'engine sftree does not support --for' route 'ft(4,2)' --engine sftree --for shifts
  refused 'engine dmodk does not support --for' route 'ft(4,2)' --engine dmodk --for shifts
  refused 'dmodk does not support --for' load 'ft(4,2)' dmodk --traffic ring --for shifts
  echo 'one nowhere[1-4]' >jobs
  refused 'jobs:1:5' route 'ft(4,2)' --engine even --for job:jobs
  echo '0 nowhere 1' >traffic
  refused 'traffic:1:3' route 'ft(4,2)' --engine even --for traffic:traffic
  echo '0 1 0' >traffic
  refused 'every amount is 0' route 'ft(4,2)' --engine even --for traffic:traffic
  refused 'none' route 'ft(4,2)' --engine even --for traffic:none
  "$FATWOOD" route 'ft(4,2)' --engine sftree -o tables >/dev/null
  refused '--for needs an engine' load 'ft(4,2)' tables --traffic ring --for shifts
  refused '--for needs an engine' verify 'ft(4,2)' tables --for shifts
}

@test "means of levels add up to the channels, and the stage named is the worst" {
  "$FATWOOD" load 'ft(4,2)' minhop --traffic uniform:0.3 --top 1000 --json >load
  jq -e '([.levels[] | .channels * .mean_value] | add) - ([.channels[].load_value] | add) | . * . < 1e-9' load
  jq -e '([.levels[].max_value] | max) == .mload_value' load
  "$FATWOOD" load 'ft(4,2)' minhop --cut 'S1_0[1]' --traffic shifts --json >stages
  jq -e '.stages[.stage - 1] == (. | {mload, mload_value, oload, oload_value, perf, perf_value, oload_is, oload_kind, flows}
         + (if has("oload_at_least") then {oload_at_least, oload_at_least_value, perf_at_most, perf_at_most_value} else {} end))' stages
  jq -e '.perf_value == ([.stages[].perf_value] | max) and .stage > 1' stages
}

@test "exact figures: all to all by hand" {
  # Two leaves with three hosts each under two spines. Three destinations share two cables up, so one
  # has two of them: 3 * 2 flows; a host link has 5, and no routing has less.
  "$FATWOOD" load 'xgft(2;3,2;1,2)' sftree --traffic alltoall --top 3 --json >out
  jq -e '.mload == 6 and .mload_value == 6 and .oload == 5 and .oload_value == 5 and .oload_is == "exact"
         and .perf == "6/5" and .perf_value == 1.2 and .flows == 30 and .unit == "flows" and .stage == 1
         and .tables_at_least == 6 and .tables_at_least_value == 6' out
  jq -e '.stages | length == 1 and .[0].mload == 6 and .[0].oload == 5 and .[0].perf == "6/5" and .[0].flows == 30' out
  jq -e '[.levels[] | [.name, .channels, .max, .max_value, .mean, .mean_value]] ==
         [["up 0-1", 6, 5, 5, 5, 5], ["up 1-2", 4, 6, 6, "9/2", 4.5],
          ["down 1-0", 6, 5, 5, 5, 5], ["down 2-1", 4, 6, 6, "9/2", 4.5]]' out
  jq -e '[.channels[] | .load, .load_value, .gigabits_per_second] == [6, 6, 32, 6, 6, 32, 6, 6, 32]' out
  # Two addresses per host go by different spines: half of each flow on each cable.
  "$FATWOOD" route 'xgft(2;3,2;1,2)' --engine sftree --lmc 1 -o tables >/dev/null
  "$FATWOOD" load 'xgft(2;3,2;1,2)' tables --traffic alltoall --json >out
  jq -e '.mload == 5 and [.levels[] | .max] == [5, "9/2", 5, "9/2"]' out
}

@test "a traffic with pairs that no cables connect is refused with their names" {
  run --separate-stderr "$FATWOOD" load 'xgft(2;3,2;1,2)' --cut 'S1_0[1]' --cut 'S1_0[2]' sftree --traffic alltoall --json
  [ "$status" -eq 1 ]
  [ -z "$output" ]
  [[ "$stderr" == *"from H0 to H3"* ]]
}

@test "exact figures: the distribution over hashes" {
  # Two flows from one leaf to another by two spines: a seed puts them on one spine or on two.
  printf 'H0 H3 1\nH1 H4 1\n' >two
  "$FATWOOD" load 'xgft(2;3,2;1,2)' ar_updn --traffic file:two --queue-pairs 1 --seeds 64 --json >out
  jq -e '.mload == 1 and (.hashed | .seeds == 64 and (.rows | length) == 1 and (.rows[0] |
    .queue_pairs == 1 and .fullest.worst == 2 and .slowest.worst == 0.5 and
    ((.fullest.mean - 1) * 64) as $together | $together > 16 and $together < 48 and
    (($together - ($together | round)) | fabs) < 1e-9 and
    ((.slowest.mean - (1 - $together / 128)) | fabs) < 1e-9 and
    .fullest.median == (if $together > 32 then 2 else 1 end) and .fullest.p99 == 2 and .slowest.p99 == 0.5))' out
}

@test "all to all has cuts, rates of pairs and bottlenecks" {
  # Two leaves of three hosts and one cable: nine flows on it, five on a port.
  run --separate-stderr "$FATWOOD" load 'xgft(2;3,2;1,1)' sftree --traffic alltoall --json
  [ "$status" -eq 0 ]
  jq -e '.cuts.number == 4 and .cuts.above_1_02 == 0 and .cuts.mean == 1 and .cuts.worst.evenness == 1
    and .rates.pairs == 30 and .rates.unreachable == 0
    and ([.bottlenecks[].pairs] | add) == 18 and (.bottlenecks[0].channels | length) == 1' <<<"$output"
  run --separate-stderr "$FATWOOD" load 'xgft(2;3,2;1,1)' sftree --traffic shift:1 --json
  jq -e 'has("cuts") | not' <<<"$output"
}
