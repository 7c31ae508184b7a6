#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Ethernet fabrics: the commands of docs/ethernet.md.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  samples="$BATS_TEST_DIRNAME/../../fixtures/ethernet"
}

# seen DEVICE PORT PEER PORT: one more neighbour of a device.
seen() {
  mkdir -p lldp
  printf 'lldp.%s.via=LLDP\nlldp.%s.chassis.name=%s\nlldp.%s.port.ifname=%s\n' "$2" "$2" "$3" "$2" "$4" >>"lldp/$1.txt"
}
# planned A PORT B PORT, and cabled A PORT B PORT as both ends see it.
planned() { echo "\"$1\":\"$2\" -- \"$3\":\"$4\"" >>edges; }
cabled() {
  seen "$1" "$2" "$3" "$4"
  seen "$3" "$4" "$1" "$2"
}

# Two leaves, two spines, four hosts with a port on each leaf; host 3 has its rails swapped.
two_rails() {
  local leaf spine host
  for leaf in 1 2; do
    for spine in 1 2; do
      planned leaf$leaf swp$((50 + spine)) spine$spine swp$leaf
      cabled leaf$leaf swp$((50 + spine)) spine$spine swp$leaf
    done
    for host in 1 2 3 4; do
      planned gpu$host ens${leaf}f0np0 leaf$leaf swp${host}s0
      if [ "$host" = 3 ]; then
        cabled gpu3 ens$((3 - leaf))f0np0 leaf$leaf swp3s0
      else
        cabled gpu$host ens${leaf}f0np0 leaf$leaf swp${host}s0
      fi
    done
  done
  { echo "graph g {"; cat edges; echo "}"; } >topology.dot
}

@test "diff of a plan and what is seen finds the swapped rails" {
  two_rails
  run --separate-stderr "$FATWOOD" diff topology.dot lldp --rate 400 --json
  [ "$status" -eq 1 ]
  jq -e '[.faults[].kind] == ["exchanged_rails"]' <<<"$output"
  run --separate-stderr "$FATWOOD" diff topology.dot topology.dot
  [ "$status" -eq 0 ]
}

@test "diff compares ports by name, also where some are missing" {
  two_rails
  # A cable less on each leaf: others keep their places.
  for leaf in 1 2; do
    sed -i "/swp1s0/d; /gpu1/d" lldp/leaf$leaf.txt
  done
  rm lldp/gpu1.txt
  run --separate-stderr "$FATWOOD" diff topology.dot lldp --rate 400 --json
  jq -e '[.faults[].kind] | sort == ["device_down", "exchanged_rails"]' <<<"$output"
}

@test "speeds that differ at the ends of a cable are named" {
  mkdir sonic
  for end in leaf1:400000:spine1 spine1:200000:leaf1; do
    IFS=: read -r name speed peer <<<"$end"
    printf '{"DEVICE_METADATA": {"localhost": {"hostname": "%s"}}, "PORT": {"Ethernet0": {"speed": "%s"}},
      "LLDP_ENTRY_TABLE": {"Ethernet0": {"lldp_rem_sys_name": "%s", "lldp_rem_port_id": "Ethernet0"}}}' \
      "$name" "$speed" "$peer" >"sonic/$name.json"
  done
  run --separate-stderr "$FATWOOD" show sonic --json
  [ "$status" -eq 0 ]
  [[ "$output$stderr" == *"speeds differ: leaf1[Ethernet0] has 400G, spine1[Ethernet0] has 200G"* ]]
}

@test "verbs work on the samples" {
  for file in netq/topologyGraph.json suzieq/dual-bgp.output containerlab/clos02.clab.yml; do
    "$FATWOOD" show "$samples/$file" --rate 400 --json | jq -e '.format == "ethernet" and .links > 10'
    "$FATWOOD" route "$samples/$file" updn --rate 400 >/dev/null
    "$FATWOOD" convert "$samples/$file" --rate 400 --to json -o back.json
    "$FATWOOD" diff back.json "$samples/$file" --rate 400
    rm back.json
  done
}

@test "rates and exports that cannot be used are refused with advice" {
  seen leaf1 swp1 spine1 swp1
  run "$FATWOOD" show lldp --rate 123
  [ "$status" -eq 2 ]
  [[ "$output" == *"--rate 123"*"400"* ]]
  printf 'id,termination_a_id,termination_b_id\n1,5,6\n' >export.csv
  run "$FATWOOD" show export.csv
  [ "$status" -eq 2 ]
  [[ "$output" == *"side_a_device"* ]]
}

@test "one broken file does not hide the others" {
  seen leaf1 swp1 spine1 swp1
  printf '{"lldp": {"interface": [' >lldp/leaf2.json
  run --separate-stderr "$FATWOOD" show lldp --rate 400 --json
  [ "$status" -eq 0 ]
  jq -e '.links == 1' <<<"$output"
  [[ "$output$stderr" == *"leaf2.json"*"left out"* ]]
}
