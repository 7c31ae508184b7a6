#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Started by Open MPI: the same bytes as one process, at any number of ranks.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  command -v mpirun >/dev/null || skip "no mpirun"
  [ -e "$FATWOOD_BUILD/mpi/libfatwood_mpi.so" ] || skip "built without Open MPI"
  unset OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_SIZE
}

# ranks N WORDS..: standard output of the program on N ranks.
ranks() {
  local n=$1
  shift
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    mpirun -q --bind-to none -n "$n" "$FATWOOD" "$@"
}

same_on_ranks() {
  "$FATWOOD" "$@" >one
  for n in 1 2 3; do
    ranks "$n" "$@" >many
    cmp one many
  done
}

@test "permutations are the same on any number of ranks" {
  same_on_ranks permutations 'ft(8,3)' dmodk disjoint:2 random:2 --samples 300 --width 5 --threads 1
  same_on_ranks permutations 'ft(8,3)' dmodk --samples 300 --width 5 --threads 2 --json
}

@test "worst cases are the same on any number of ranks" {
  same_on_ranks worst 'ft(8,3)' disjoint:2 --threads 1
  same_on_ranks worst 'ft(4,3)' dmodk --permutation --threads 2 --json
}

@test "a file is written once, and is the same" {
  "$FATWOOD" worst 'ft(4,3)' dmodk -o one.traffic >/dev/null
  ranks 2 worst 'ft(4,3)' dmodk -o many.traffic >/dev/null
  cmp one.traffic many.traffic
}

@test "a study's points are measured by all ranks, and a second run goes on from them" {
  "$FATWOOD" study 000-table1 --quick --out one --json | jq 'del(.. | .seconds?)' >one.json
  ranks 2 study 000-table1 --quick --out many --json | jq 'del(.. | .seconds?)' >many.json
  cmp one.json many.json
  [ "$(ls one/points/000-table1)" = "$(ls many/points/000-table1)" ]
  stat -c %Y many/points/000-table1/* >before
  ranks 3 study 000-table1 --quick --out many --json | jq 'del(.. | .seconds?)' >again.json
  cmp one.json again.json
  stat -c %Y many/points/000-table1/* | cmp before -
}

@test "an error is told once, with its code" {
  run --separate-stderr ranks 2 permutations 'ft(8,3)' nothing
  [ "$status" -eq 2 ]
  [ "$(grep -c '^fatwood: ' <<<"$stderr")" -eq 1 ]
}

@test "a verb that shares nothing runs once" {
  "$FATWOOD" show 'ft(4,2)' >one
  ranks 3 show 'ft(4,2)' >many
  cmp one many
}

@test "a program without MPI says what to install" {
  mkdir bin
  cp "$FATWOOD" bin/fatwood
  OMPI_COMM_WORLD_SIZE=2 run bin/fatwood show 'ft(4,2)'
  if [ "$status" -eq 0 ]; then skip "libfatwood_mpi.so is on the loader's path"; fi
  [ "$status" -eq 2 ]
  [[ "$output" == *"libopenmpi"* ]]
}
