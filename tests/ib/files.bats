#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The real programs as judges of our files: ibsim loads what we write, ibnetdiscover inside it reads
# back as the same fabric, OpenSM loads our tables and dumps the same.

load ib

setup() {
  need_ib
  cd "$BATS_TEST_TMPDIR"
}

teardown() {
  ib_stop
}

# Sorted lines of what two descriptions of a fabric must share: cables by description and port.
cables() {
  "$FATWOOD" convert "$1" --to json | jq -r '
    (.nodes | map({key: .id, value: (.description // .id)}) | from_entries) as $name |
    .links[] | [[$name[.[0]], .[1]], [$name[.[2]], .[3]]] | sort | flatten | map(tostring) | join(" ")' | sort
}

# By description: kind, ports, GUID, port GUIDs.
nodes() {
  "$FATWOOD" convert "$1" --to json |
    jq -r '.nodes[] | [(.description // .id), .kind, .ports, .guid, (.addresses | map(.[1]) | join("+"))] | join(" ")' | sort
}

same_inside() {
  "$FATWOOD" convert "$1" --to ibsim -o net
  ib_start net
  ib_discover >found
  cables net >cables.ours
  cables found >cables.theirs
  nodes net >nodes.ours
  nodes found >nodes.theirs
  [ -s cables.ours ]
  diff cables.ours cables.theirs
  diff nodes.ours nodes.theirs
}

@test "ibnetdiscover finds a generated tree as we wrote it" {
  same_inside 'ft(8,3)'
}

@test "ibnetdiscover finds the 648-port switch with racks as we wrote it" {
  same_inside 'switch648+racks'
}

@test "ibnetdiscover -p reads as the same cables" {
  "$FATWOOD" convert 'xgft(2;4,4;1,2)' --to ibsim -o net
  ib_start net
  ib_discover -p >found
  [ "$("$FATWOOD" convert found --to json | jq '[.nodes, .links] | map(length)' -c)" = \
    "$("$FATWOOD" convert net --to json | jq '[.nodes, .links] | map(length)' -c)" ]
  diff <(cables net) <(cables found)
}

@test "a lifelike fabric, converted, comes up in ibsim with all its cables" {
  strip() { "$FATWOOD" convert "$1" --to json | jq -c '.links[] | [[.[0], .[1]], [.[2], .[3]]] | sort' | sort; }
  for fabric in like-x5 $(real x5/X5.topofile); do
    "$FATWOOD" convert "$fabric" --to ibsim -o net
    IB_HOST= ib_start net
    ib_discover >found
    diff <(strip "$fabric") <(strip found)
    ib_stop
  done
}

@test "opensm-subnet.lst reads as the same cables" {
  "$FATWOOD" convert 'xgft(2;4,4;1,2)' --to ibsim -o net
  ib_start net
  ib_opensm -R minhop
  diff <(cables net) <(cables "$IB_DIR/opensm-subnet.lst")
}

@test "OpenSM loads the tables we write and dumps the same" {
  "$FATWOOD" convert 'xgft(3;2,2,2;1,2,2)' --to ibsim -o bare
  ib_start bare
  ib_opensm -R minhop
  ib_discover >net # with the LIDs that OpenSM gave
  "$FATWOOD" route net --engine minhop -o ours.lfts
  rm "$IB_DIR"/*.dump
  ib_opensm -R file,no_fallback -U ours.lfts
  entries() { grep -E '^(Unicast|0x)' "$1" | sed 's/ of switch Lid.* guid / /; s/ #.*//; s/ (.*//; s/\[.*\]//' ; }
  [ "$(entries ours.lfts | wc -l)" -gt 100 ]
  # Sections come in OpenSM's own order.
  sorted() { entries "$1" | awk '/^Unicast/ {s = $NF; next} {print s, $0}' | sort; }
  diff <(sorted ours.lfts) <(sorted "$IB_DIR/opensm-lfts.dump")
}
