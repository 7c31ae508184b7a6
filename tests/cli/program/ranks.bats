#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Started by Open MPI and by Slurm: the same bytes as one process, at any number of ranks.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  command -v mpirun >/dev/null || skip "no mpirun (Debian: openmpi-bin)"
  [ -e "$FATWOOD_BUILD/mpi/libfatwood_mpi.so" ] || skip "built without Open MPI (Debian: libopenmpi-dev)"
  unset OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_SIZE
  export OMP_WAIT_POLICY=passive ASAN_OPTIONS=detect_leaks=0 # MPI is not ours
}

# ranks N WORDS..: the program on N ranks.
ranks() {
  local n=$1
  shift
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    mpirun --oversubscribe --bind-to none -n "$n" "$FATWOOD" "$@"
}

# What depends on the clock is left out.
same_on_ranks() {
  "$FATWOOD" "$@" | sed -E 's/"seconds": ?[0-9.e+-]+//' >one
  [ -s one ]
  for n in 2 3; do
    ranks "$n" "$@" | sed -E 's/"seconds": ?[0-9.e+-]+//' >many
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

@test "loads and sizes of sim are the same on any number of ranks" {
  same_on_ranks sim 'ft(4,2)' --routing dmodk --load 0.2,0.9,0.5,1.0 --cycles 500 --threads 2 --json
  same_on_ranks sim 'ft(4,2)' --routing dmodk --collective ring --message-size 1k:8k --threads 1 --json
}

@test "what each loss costs is the same on any number of ranks, and a second run goes on" {
  same_on_ranks whatif 'ft(4,3)' sftree --cut 2 --threads 2 --csv
  "$FATWOOD" whatif 'ft(4,3)' --sets 2 --samples 300 --csv >one
  ranks 2 whatif 'ft(4,3)' --sets 2 --samples 300 --csv --keep kept >many
  cmp one many
  sort kept >before
  ranks 3 whatif 'ft(4,3)' --sets 2 --samples 300 --csv --keep kept >many
  cmp one many
  sort kept | cmp before -
}

@test "better placements of a job are the same on any number of ranks" {
  local hosts='H[0-2],H[9-11]'
  same_on_ranks job 'ft(4,3)' dmodk --hosts "$hosts" --collective alltoall --message-size 1M \
    --improve both --free 'H[0-15]' --tries 60 --seed 4 --json
  ranks 2 job 'ft(4,3)' dmodk --hosts "$hosts" --collective alltoall --message-size 1M \
    --improve order --tries 20 --hostfile many.hosts >/dev/null
  [ "$(wc -l <many.hosts)" -eq 6 ]
}

@test "a fabric and its hints are read by rank 0 alone" {
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o fabric
  "$FATWOOD" permutations fabric sssp --cut 2 --samples 200 --width 10 >one
  # Standard input has one reader.
  ranks 3 permutations - sssp --cut 2 --samples 200 --width 10 <fabric >many
  cmp one many
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

@test "an error is printed once, with its code" {
  run --separate-stderr ranks 2 permutations 'ft(8,3)' nothing
  [ "$status" -eq 2 ]
  [ "$(grep -c '^fatwood: ' <<<"$stderr")" -eq 1 ]
}

@test "the error of one rank ends all, with its message" {
  cat >unlike <<'END'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && exec "$FATWOOD" permutations 'ft(8,3)' nothing
exec "$FATWOOD" permutations 'ft(16,3)' dmodk --samples 1000000000 --threads 1
END
  chmod +x unlike
  run --separate-stderr env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    mpirun --oversubscribe --bind-to none -n 3 "$PWD/unlike"
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"fatwood: rank 1: "*nothing* ]]
}

@test "ranks that meet over TCP alone" {
  export OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1 OMPI_MCA_osc=^sm,ucx OMPI_MCA_btl_tcp_if_include=lo
  same_on_ranks permutations 'ft(8,3)' dmodk --samples 300 --width 5 --threads 1
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

@test "srun and sbatch, as users start it" {
  "$FATWOOD" permutations 'ft(8,3)' dmodk --samples 300 --width 5 --json >one
  cat >batch <<END
#!/bin/bash
#SBATCH --ntasks=3 --output=batch.log
srun "$FATWOOD" permutations 'ft(8,3)' dmodk --samples 300 --width 5 --json >batched
END
  cat >commands <<END
set -e
srun --mpi=pmix -n 2 "$FATWOOD" permutations 'ft(8,3)' dmodk --samples 300 --width 5 --json >many
sbatch --wait batch
END
  run --separate-stderr "$BATS_TEST_DIRNAME/../../support/slurm_of_one" slurm bash commands
  [ "$status" -ne 77 ] || skip "${stderr%%$'\n'*}"
  [ "$status" -eq 0 ]
  cmp one many
  cmp one batched
}
