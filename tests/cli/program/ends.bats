#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# How the program ends when nobody reads what it says, when it is stopped, and when memory runs out.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
}

# A switch whose hosts are named by its ports alone: read with a warning.
one_sided() {
  printf '%s\n' 'vendid=0x2c9' 'devid=0xbd36' 'sysimgguid=0x100' 'switchguid=0x100(100)' \
    'Switch 3 "S-0000000000000100" # "sw100" port 0 lid 0 lmc 0' \
    '[1] "H-0000000000010000"[1](10001) # "h1" lid 0 4xSDR' \
    '[2] "H-0000000000010010"[1](10011) # "h2" lid 0 4xSDR'
}

@test "the exit code stays when stderr can't be written" {
  run bash -c '"$FATWOOD" show nofile 2>&-'
  [ "$status" -eq 2 ]
  run bash -c '"$FATWOOD" show nofile 2>/dev/full'
  [ "$status" -eq 2 ]
  run bash -c '"$FATWOOD" route "torus(4,4)" --engine dmodk 2>/dev/full'
  [ "$status" -eq 1 ]
}

@test "notes and warnings that can't be written change nothing" {
  run bash -c '"$FATWOOD" permutations "ft(4,2)" disjoint:9 2>/dev/full'
  [ "$status" -eq 0 ]
  one_sided >sided.txt
  run bash -c '"$FATWOOD" convert sided.txt --to json 2>&1 >/dev/null'
  [ "$status" -eq 0 ]
  [[ "$output" == *warning* ]]
  run bash -c '"$FATWOOD" convert sided.txt --to json 2>/dev/full'
  [ "$status" -eq 0 ]
  run bash -c '"$FATWOOD" convert sided.txt --to json 2>&-'
  [ "$status" -eq 0 ]
}

@test "what is said never goes into a file of the user" {
  # With stderr closed, the next file that is opened would take its place.
  bash -c '"$FATWOOD" route "ft(4,2)" --engine updn+ -o with 2>&-'
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o without
  cmp with without
  run bash -c '"$FATWOOD" show "ft(4,2)" >&-'
  [ "$status" -eq 2 ]
}

@test "a program that is stopped while it writes leaves nothing behind" {
  for signal in 'TERM -o' 'KILL -o' 'TERM --out-opensm' 'KILL --out-opensm'; do
    "$FATWOOD" route 'ft(24,3)' --engine dmodk "${signal#* }" out >/dev/null 3>&- &
    pid=$!
    # It writes when a file of its own is open: one of the name to be, or one without a name.
    for ((i = 0; i < 3000; ++i)); do
      [ -d "/proc/$pid" ] || break
      ls -l "/proc/$pid/fd" 2>/dev/null | grep -q "$PWD" && break
      sleep 0.01
    done
    kill -s "${signal% *}" "$pid" 2>/dev/null || true
    wait "$pid" || true
    [ -z "$(ls | grep partial)" ] || { ls -l; false; }
    # A folder appears with its files or not at all.
    [ ! -d out ] || [ -s out/commands ] || { ls -l out; false; }
    rm -rf out
  done
}

@test "out of memory is said in words" {
  [ -z "${FATWOOD_SANITIZERS:-}" ] || skip "the address sanitizer takes terabytes of address space"
  run bash -c 'ulimit -v 150000; OMP_NUM_THREADS=1 "$FATWOOD" route "ft(64,3)" --engine minhop --threads 1 -o out'
  echo "$output"
  [ "$status" -eq 2 ]
  [[ "$output" == *"out of memory"* ]]
  [ ! -e out ]
}
