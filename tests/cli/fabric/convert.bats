#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood convert: each form, standard input and output, packed files, nothing written on errors.

setup() {
  cd "$BATS_TEST_TMPDIR"
}

@test "every form is written" {
  for form in ibsim ibnetdiscover dot graphml json slurm guids; do
    "$FATWOOD" convert 'ft(4,3)' --to $form -o out.$form
    [ -s out.$form ]
  done
  [ "$(wc -l <out.guids)" = 4 ]
  grep -qx '0x[0-9a-f]\{16\}' out.guids
  [ "$(grep -c '^SwitchName=.* Nodes=' out.slurm)" = 8 ]
  # A tree in the strict sense: one switch a pod, one at the top.
  [ "$(grep -c '^SwitchName=.* Switches=' out.slurm)" = 5 ]
  [ "$(jq '.nodes | length' out.json)" = 36 ]
}

@test "forms that hold it all come back the same" {
  for form in ibsim ibnetdiscover json; do
    "$FATWOOD" convert switch648 --to $form -o a
    "$FATWOOD" convert a --to $form -o b
    cmp a b
  done
}

@test "gzip, xz and standard input are read as they are" {
  "$FATWOOD" convert 'ft(4,2)' --to ibsim -o a
  for pack in gzip xz cat; do
    $pack <a >a.packed
    "$FATWOOD" convert a.packed --to ibsim | cmp - a
    "$FATWOOD" convert - --to ibsim <a.packed | cmp - a
  done
}

@test "a name map changes descriptions" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o a
  guid=$(sed -n 's/^switchguid=0x\([0-9a-f]*\)(.*/\1/p' a | head -1)
  echo "0x$guid \"leaf one\"" >map
  "$FATWOOD" convert a --to ibnetdiscover --node-name-map map | grep -q '^Switch.*# "leaf one"'
}

@test "broken packing is an error with the file's name" {
  "$FATWOOD" convert 'ft(4,2)' --to ibsim | gzip >a.gz
  head -c 200 a.gz >cut.gz
  run "$FATWOOD" convert cut.gz --to ibsim -o out
  [ "$status" = 2 ]
  [[ "$output" == *"cut.gz: gzip data end too early"* ]]
  [ ! -e out ]
}

@test "bad input: exit 2, place and expectation named, nothing written" {
  printf 'Switch 4 "a"\n[9] "b"[1]\n' >bad
  run "$FATWOOD" convert bad --to json -o out
  [ "$status" = 2 ]
  [[ "$output" == *'bad:2:2: "a" has no port 9; expected 1 to 4'* ]]
  [ -z "$(ls out* 2>/dev/null)" ]
  run "$FATWOOD" convert 'ft(4,2)' --to nonsense
  [ "$status" = 2 ]
  run "$FATWOOD" convert 'ft(4,2)' --to json -o no/such/folder
  [ "$status" = 2 ]
  run "$FATWOOD" convert /dev/null --to json
  [ "$status" = 2 ]
  run "$FATWOOD" convert . --to json
  [ "$status" = 2 ]
}

@test "a bomb is not unpacked to its end" {
  head -c 300000000 /dev/zero | gzip >zeros.gz
  run timeout 600 "$FATWOOD" convert zeros.gz --to json
  [ "$status" = 2 ]
}

@test "a list of GUIDs that would not be written is refused" {
  echo S2_0 >roots
  run "$FATWOOD" convert 'ft(4,2)' --to slurm --guids io -o out
  [ "$status" = 2 ]
  [[ "$output" == *"--guids needs --to guids"* ]]
  [ ! -e out ]
  run "$FATWOOD" convert 'ft(4,2)' --to guids --guids roots --roots roots
  [ "$status" = 0 ]
}
