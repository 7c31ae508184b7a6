#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood permutations: the sampling rule, any number of threads, lists of K, shifts.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "the same bytes at any number of threads" {
  run --separate-stderr "$FATWOOD" permutations 'ft(8,3)' dmodk disjoint:2 random --threads 1 --json
  [ "$status" -eq 0 ]
  one="$output"
  run --separate-stderr "$FATWOOD" permutations 'ft(8,3)' dmodk disjoint:2 random --threads 3 --json
  [ "$output" == "$one" ]
  [[ "$output" == '{"fatwood":"'*'","results":[{"routing":"dmodk","mean":'* ]]
  [[ "$output" == *'"routing":"random",'*'"seeds":5'* ]]
}

@test "K as a list and a range; all paths give 1" {
  run --separate-stderr "$FATWOOD" permutations 'xgft(2;4,8;1,4)' shift1:1,3-4 --json
  [ "$status" -eq 0 ]
  [[ "$output" == *'"shift1:1"'*'"shift1:3"'*'"routing":"shift1:4","mean":1.0,"half_width":0.0,"samples":1000'* ]]
}

@test "tables of an engine" {
  run --separate-stderr "$FATWOOD" permutations 'ft(8,3)' minhop
  [ "$status" -eq 0 ]
  [[ "$output" == *"minhop"* ]]
}

@test "all shifts of a complete RLFT are free of conflicts under dmodk" {
  run --separate-stderr "$FATWOOD" permutations 'pgft(3;18,18,6;1,18,3;1,1,6)' dmodk --shifts --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","results":[{"routing":"dmodk","worst":1,"worst_value":1.0,"worst_shift":1,"mean":1.0,"shifts":1943,"conflict_free":1943}],"among":'* ]]
}

@test "bad K" {
  run "$FATWOOD" permutations 'ft(8,3)' disjoint:0
  [ "$status" -eq 2 ]
  run "$FATWOOD" permutations 'ft(8,3)' disjoint:1,x
  [ "$status" -eq 2 ]
  [[ "$output" == *"expected numbers of paths"* ]]
}

@test "fair rates of permutations and bisections, the same bytes at any number of threads" {
  run --separate-stderr "$FATWOOD" permutations 'ft(8,3)' dmodk minhop ar_updn disjoint:16 --rates --samples 40 --width 20 --threads 1 --json
  [ "$status" -eq 0 ]
  one="$output"
  [[ "$output" == '{"fatwood":"'*'","pattern":"permutations","results":[{"routing":"dmodk","mean":0.'*'"slowest":0.'*'"full":0.'*'"p50":0.'* ]]
  [[ "$output" == *'"routing":"disjoint:16","mean":1.0,"half_width":0.0,"samples":40,'*'"full":1.0'* ]]
  run --separate-stderr "$FATWOOD" permutations 'ft(8,3)' dmodk minhop ar_updn disjoint:16 --rates --samples 40 --width 20 --threads 3 --json
  [ "$output" == "$one" ]
  run --separate-stderr "$FATWOOD" permutations 'ft(8,2)' dmodk --rates --bisections
  [ "$status" -eq 0 ]
  [[ "$output" == "random bisections: fair rates"* ]]
}

@test "options of rates that do not go together" {
  run "$FATWOOD" permutations 'ft(8,2)' dmodk --rates --shifts
  [ "$status" -eq 2 ]
  [[ "$output" == *"give either"*"--shifts"* ]]
  run "$FATWOOD" permutations 'ft(8,2)' dmodk --shifts --samples 5
  [ "$status" -eq 2 ]
  [[ "$output" == *"give either"*"--samples"* ]]
  run "$FATWOOD" permutations 'ft(8,2)' dmodk --bisections
  [ "$status" -eq 2 ]
  [[ "$output" == *"--bisections requires --rates"* ]]
}
