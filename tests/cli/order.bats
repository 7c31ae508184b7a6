#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood order: a shuffled job, a good one, bad hosts.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "a better order is found, written, and is good" {
  for i in 8 0 12 4 9 1 13 5; do echo "H$i"; done >hosts
  run --separate-stderr "$FATWOOD" order 'ft(4,3)' dmodk --hosts hosts --collective shifts -o good --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","better":'* ]]
  [ "$(sort good)" == "$(sort hosts)" ]
}

@test "hosts in order are left alone" {
  for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo "H$i"; done >hosts
  run --separate-stderr "$FATWOOD" order 'ft(4,3)' dmodk --hosts hosts
  [ "$status" -eq 0 ]
  [[ "$output" == *"no better order was found"* ]]
}

@test "unknown and repeated hosts are refused" {
  printf 'H0\nnobody\n' >hosts
  run "$FATWOOD" order 'ft(4,3)' dmodk --hosts hosts
  [ "$status" -eq 2 ]
  [[ "$output" == *"hosts:2:"* ]]
  printf 'H0\nH0\n' >hosts
  run "$FATWOOD" order 'ft(4,3)' dmodk --hosts hosts
  [ "$status" -eq 2 ]
  [[ "$output" == *"twice"* ]]
}

@test "--hosts all takes every host" {
  run -0 --separate-stderr "$FATWOOD" order 'ft(4,2)' dmodk --hosts all --json
  all=$output
  run -0 --separate-stderr "$FATWOOD" order 'ft(4,2)' dmodk --hosts 'H[0-7]' --json
  [ "$output" = "$all" ]
}
