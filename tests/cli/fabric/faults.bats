#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Faults on the command line and from a file.

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "cut and remove by name" {
  run "$FATWOOD" show 'xgft(2;4,8;1,4)' --cut 'S1_0[2]' --remove S2_3
  [ "$status" -eq 0 ]
  [[ "$output" == *"11 switches"* ]]
}

@test "a file of faults gives the same as the options" {
  printf '# faults\ncut S1_0[2]  # bad cable\n\n\tremove S2_3\n' > faults.txt
  run "$FATWOOD" show 'xgft(2;4,8;1,4)' --faults faults.txt
  [ "$status" -eq 0 ]
  from_file=$output
  run "$FATWOOD" show 'xgft(2;4,8;1,4)' --cut 'S1_0[2]' --remove S2_3
  [ "$output" = "$from_file" ]
}

@test "a wrong line is named with file, line and column" {
  printf 'cut S1_0[2]\nsever S2_3\n' > faults.txt
  run "$FATWOOD" show 'xgft(2;4,8;1,4)' --faults faults.txt
  [ "$status" -eq 2 ]
  [[ "$output" == *'faults.txt:2:1: expected "cut", "remove", "speed" or "add", found "sever"'* ]]
  printf 'cut S9_9[2]\n' > faults.txt
  run "$FATWOOD" show 'xgft(2;4,8;1,4)' --faults faults.txt
  [ "$status" -eq 2 ]
  [[ "$output" == *'faults.txt:1:5: no node is called "S9_9[2]"'* ]]
  printf 'remove\n' > faults.txt
  run "$FATWOOD" show 'xgft(2;4,8;1,4)' --faults faults.txt
  [ "$status" -eq 2 ]
  [[ "$output" == *'faults.txt:1:7: expected what is to be removed'* ]]
}

@test "too many random faults to stay connected is a broken promise" {
  run "$FATWOOD" show 'ring(5)' --cut 2 --keep-connected
  [ "$status" -eq 1 ]
  [[ "$output" == *"only 1 of 2"* ]]
}

@test "a misspelt fabric lists those that exist" {
  run "$FATWOOD" show 'xgtf(2;4,8;1,4)'
  [ "$status" -eq 2 ]
  [[ "$output" == *'xgft(h;m1,..,mh;w1,..,wh)'* ]]
}

@test "level 0 has no switches to take out" {
  run "$FATWOOD" show 'ft(4,2)' --remove @0
  [ "$status" -eq 2 ]
  [[ "$output" == *"--remove @0: level 0 is the hosts: switches have levels from 1 on"* ]]
  run "$FATWOOD" show 'ft(4,2)' --remove 1@0
  [ "$status" -eq 2 ]
}

@test "a file of faults can change speeds and add switches" {
  printf 'speed S1_0[1] 1xSDR\nadd 2xswitch@2\n' >changes
  run "$FATWOOD" show 'xgft(2;4,8;1,4)' --faults changes --json
  [ "$status" -eq 0 ]
  [ "$(jq .switches <<<"$output")" = 14 ]
  [ "$(jq .links <<<"$output")" = 80 ]
  jq -e 'any(.oddities[]; .kind == "slow-cable")' <<<"$output"
  for bad in 'speed S1_0[1]' 'speed S1_0[1] fast' 'speed nobody[1] 4xHDR' 'add host@1' 'add switch@9' 'add 65xswitch@1' 'add cable@2'; do
    echo "$bad" >changes
    run "$FATWOOD" show 'xgft(2;4,8;1,4)' --faults changes
    [ "$status" -eq 2 ]
    [[ "$output" == *changes:1:* ]]
  done
}
