#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The same fabric has the same tables: read from a file, from the file with its records in another
# order, and in the real OpenSM, which finds the fabric in an order of its own. And what OpenSM was
# handed, as its own queries return it: hop counts, service levels, limits of lanes.
bats_require_minimum_version 1.5.0

load ib

setup() {
  need_ib dump_fts saquery
  [ -e "$FATWOOD_BUILD/opensm/libfatwood_opensm.so" ] || skip "the plug-in was not built"
  cd "$BATS_TEST_TMPDIR"
  printf 'event_plugin_name fatwood_opensm\n' >conf
  IB_HOST=
}

teardown() { ib_stop; }

table_engines="minhop updn updn+ dnup sssp dfsssp lash ftree sftree bfot bfot+"

# The records of a net file in another order; a head of comments stays where it is.
shuffled() {
  awk -v seed="$2" 'BEGIN { RS = ""; ORS = "\n\n"; srand(seed) }
    NR == 1 && /^#/ { print; next }
    { record[n++] = $0 }
    END { for (i = n - 1; i > 0; --i) { j = int(rand() * (i + 1)); t = record[i]; record[i] = record[j]; record[j] = t }
          for (i = 0; i < n; ++i) print record[i] }' "$1"
}

# "switch LID port" of a dump, in one order. A switch's entry for itself is there or not.
entries() {
  awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); s = substr($0, RSTART + 5, RLENGTH - 5) }
       /^0x/ && $2 != "000" && $2 != "255" { print s, $1, $2 + 0 }' "$1" | sort
}

# Tables of a file and of the file in another order, byte for byte.
same_of_files() {
  local engine
  shuffled "$1" 7 >other
  ! cmp -s "$1" other
  for engine in $2; do
    "$FATWOOD" route "$1" --engine "$engine" -o straight >/dev/null 2>&1
    "$FATWOOD" route other --engine "$engine" -o crooked >/dev/null 2>&1
    cmp straight crooked
  done
  # Faults by number and by chance take the same cables.
  "$FATWOOD" route "$1" --cut 3 --remove 1 --engine minhop -o straight >/dev/null 2>&1
  "$FATWOOD" route other --cut 3 --remove 1 --engine minhop -o crooked >/dev/null 2>&1
  cmp straight crooked
}

# And in OpenSM, which is given the fabric in the other order.
same_in_opensm() {
  local engine
  shuffled "$1" 8 >other
  ib_start other
  for engine in $2; do
    ib_opensm -F conf -R "fatwood_$engine,no_fallback"
    grep -q "fatwood_$engine tables configured on all switches" "$IB_DIR/opensm.log"
    ib_manager "$engine"
    "$FATWOOD" route "$1" --engine "$engine" "${IB_MANAGER[@]}" -o outside >/dev/null 2>&1
    entries outside >entries.outside
    entries "$IB_DIR/opensm-lfts.dump" >entries.inside
    [ -s entries.outside ]
    cmp entries.outside entries.inside
  done
}

real() {
  file=$FATWOOD_REAL_FABRICS/$1
  [ -e "$file" ] || skip "$file is not here"
}

# A file of a fabric with LIDs, as of a live one.
alive() {
  "$FATWOOD" convert "$@" --to ibsim -o bare
  ib_start bare
  ib_opensm -R minhop
  ib_discover >net
  ib_stop
  IB_HOST=
}

@test "a generated tree" {
  alive 'xgft(3;3,3,4;1,3,3)' --cut 7
  same_of_files net "$table_engines"
  same_in_opensm net "$table_engines"
}

@test "a torus" {
  alive 'torus(4,5)'
  printf 'qos TRUE\n' >>conf
  engines=${table_engines/ftree }
  engines=${engines/updn } # OpenSM finds no roots
  same_of_files net "$engines"
  same_in_opensm net "$engines"
}

@test "hosts with several ports" {
  alive 'xgft(2;4,3;2,2)' --cut 'H1[1]' --cut 'H5[2]'
  same_of_files net "$table_engines"
  same_in_opensm net "minhop updn sftree sssp"
}

@test "a real fabric with hosts on a spine" {
  real stage/ibnetdiscover.txt
  same_of_files "$file" "$table_engines"
  same_in_opensm "$file" "$table_engines"
}

@test "a real fabric with uneven leaves" {
  real x5/X5.topofile
  same_of_files "$file" "$table_engines"
  same_in_opensm "$file" "$table_engines"
}

@test "a real fabric with aggregation nodes" {
  real dgx-ndr/ibnetdiscover.txt
  same_of_files "$file" "$table_engines"
  same_in_opensm "$file" "sftree minhop dfsssp"
}

@test "Selene" {
  real selene/selene.compute.txt
  same_of_files "$file" "minhop sftree"
  same_in_opensm "$file" sftree
}
