#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood convert: each form, standard input and output, packed files, nothing written on errors.
bats_require_minimum_version 1.5.0

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

# labels NODE: the tiers of a node in labels.sh, nearest first.
labels() { sed -n "s/^kubectl label --overwrite node $1 //p" labels.sh | sed 's/[^ ]*=//g'; }

@test "Kubernetes: labels, topologies and HyperNodes tell of one tree" {
  "$FATWOOD" convert 'ft(4,3)' --to topograph -o labels.sh
  sh -n labels.sh
  [ "$(grep -c '^kubectl label' labels.sh)" = 16 ]
  # Leaves of two hosts, pods of two leaves, one fabric.
  [ "$(labels h0)" = "$(labels h1)" ]
  [ "$(labels h0 | cut -d' ' -f1)" != "$(labels h2 | cut -d' ' -f1)" ]
  [ "$(labels h0 | cut -d' ' -f2)" = "$(labels h3 | cut -d' ' -f2)" ]
  [ "$(labels h0 | cut -d' ' -f3)" = "$(labels h15 | cut -d' ' -f3)" ]
  for form in kueue kai; do
    "$FATWOOD" convert 'ft(4,3)' --to $form -o $form.yaml
    python3 - $form.yaml <<'PY'
import sys, yaml
top = yaml.safe_load(open(sys.argv[1]))
assert top["kind"] == "Topology"
keys = [level["nodeLabel"] for level in top["spec"]["levels"]]
assert keys == [f"fabric.topograph.run/tier-{i}" for i in (2, 1, 0)] + ["kubernetes.io/hostname"], keys
PY
  done
  "$FATWOOD" convert 'ft(4,3)' --to volcano -o volcano.yaml
  python3 - volcano.yaml labels.sh <<'PY'
import re, sys, yaml
nodes = {d["metadata"]["name"]: d["spec"] for d in yaml.safe_load_all(open(sys.argv[1])) if d}
def below(name):  # hosts
    found = set()
    for member in nodes[name]["members"]:
        child = member["selector"]["exactMatch"]["name"]
        if member["type"] == "Node":
            found.add(child)
        else:
            assert nodes[child]["tier"] < nodes[name]["tier"]
            found |= below(child)
    return found
labels = {m[1]: re.findall(r"tier-(\d)=(\S+)", m[2]) for m in re.finditer(r"node (\S+) (.*)", open(sys.argv[2]).read())}
for host, tiers in labels.items():
    for tier, name in tiers:
        assert nodes[name]["tier"] == int(tier) + 1 and host in below(name), (host, name)
PY
  "$FATWOOD" convert 'ft(4,3)' --to topograph --labels a/leaf,a/spine,a/core | grep -q ' a/leaf=[^ ]* a/spine=[^ ]* a/core='
  run "$FATWOOD" convert 'ft(4,3)' --to topograph --labels a/leaf
  [ "$status" -eq 2 ]
  run "$FATWOOD" convert 'ft(4,3)' --to slurm --labels a,b,c
  [ "$status" -eq 2 ]
}

@test "schedulers: on rails the unit is tier 0, and hosts that run no jobs are in no block" {
  "$FATWOOD" convert like-selene --to topograph -o labels.sh
  [ "$(labels node-0001 | cut -d' ' -f1)" = unit1 ]
  [ "$(labels node-0020 | cut -d' ' -f1)" = unit1 ]
  ! grep -q 'node login-' labels.sh
  "$FATWOOD" convert like-selene --to slurm-block -o blocks
  ! grep -q '^BlockName=.*login' blocks
  grep -q 'no jobs run there: .*login' blocks
  least=$(sed -n 's/.*tier-0=\([^ ]*\).*/\1/p' labels.sh | sort | uniq -c | sort -n | awk 'NR == 1 { print $1 }')
  grep -q "^BlockSizes=$least," blocks
}

@test "hosts that have GUIDs for names are in no scheduler's file" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover | sed 's/"H[0-9]"/"MT25408 ConnectX Mellanox Technologies"/' >stock.net
  for form in slurm slurm-block slurm-yaml topograph kueue kai volcano; do
    run --separate-stderr "$FATWOOD" convert stock.net --to $form
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ "$stderr" == *"no host has a name that a scheduler could know"*"--node-name-map"* ]]
  done
  "$FATWOOD" convert stock.net --node-name-map <(echo '0x0010000000000000 "n1"') --to slurm -o topology.conf
  grep -q 'Nodes=n1$' topology.conf
  grep -q '^# left out, .*H-0010000000000100' topology.conf
}
