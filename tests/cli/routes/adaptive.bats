#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Adaptive engines and tables on the command line: routed, written, read again, proved, checked.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "ar_updn and ar_ftree: what is written as far and read again is proved alike" {
  for spec in 'ft(4,3)' 'pgft(2;4,4;1,2;1,2)' like-stage; do
    for engine in ar_updn ar_ftree; do
      "$FATWOOD" convert "$spec" --to ibnetdiscover -o net
      run "$FATWOOD" route net --engine "$engine" -o x.far
      [ "$status" -eq 0 ]
      run --separate-stderr "$FATWOOD" verify net "$engine" --json
      made=$output made_status=$status
      run --separate-stderr "$FATWOOD" verify net x.far --json
      [ "$status" -eq "$made_status" ]
      [ "${output//x.far/}" = "${made//$engine/}" ]
      jq -e '.deadlock_free and .loops == 0 and .adaptive.masked_safe == .holds' <<<"$output"
    done
  done
}

@test "the groups of the far are those that are asked for" {
  "$FATWOOD" route 'ft(4,3)' --engine ar_updn --choice hashed -o x.far
  grep -q 'HBF' x.far
  ! grep -q 'Free' x.far
  grep -qE '^1 +0 +0 +[0-9]+,[0-9]+,$' x.far
  run -1 "$FATWOOD" route 'pgft(2;4,4;1,2;1,2)' --engine ar_updn --groups 2
  [[ "$output" == *"takes 4 groups of ports on "*"; 2 are allowed"* ]]
  run -2 "$FATWOOD" route 'ft(4,3)' --engine updn+ --choice hashed
  [[ "$output" == *"engine updn+ does not support --choice"* ]]
  run -0 "$FATWOOD" route 'ft(4,3)' --engine updn+ --groups 2
}

@test "groups are not written where there is no place for them" {
  run -2 "$FATWOOD" route 'ft(4,3)' --engine ar_updn -o lfts
  [[ "$output" == *"--to far"* ]]
  [ ! -e lfts ]
  run -2 "$FATWOOD" route 'ft(4,3)' --engine ar_updn --out-opensm folder
  run -2 "$FATWOOD" optimise 'ft(4,3)' --engine ar_updn
  [[ "$output" == *"adaptive"* ]]
}

@test "certificates of adaptive tables hold in both programs, and spoilt ones don't" {
  "$FATWOOD" convert like-stage --to ibnetdiscover -o net  # has LIDs
  "$FATWOOD" route net --engine ar_updn -o x.far
  run -0 "$FATWOOD" verify net x.far --certificate proof
  grep -q '^choice every$' proof
  run -0 "$FATWOOD" verify net x.far --check proof
  holds=$output
  run -0 "$FATWOOD_CHECK" net x.far proof
  [[ "$output" == "holds: "*", whatever is chosen" ]]
  [ "$(grep -oE '[0-9]+ routes' <<<"$output")" = "$(grep -oE '[0-9]+ routes' <<<"$holds")" ]
  # The plain tables' order is no proof for the groups, and the other way round.
  "$FATWOOD" route net --engine updn+ -o lfts
  run -1 "$FATWOOD_CHECK" net lfts proof
  run -1 "$FATWOOD" verify net lfts --check proof
  # Two channels changed about: the first two lines of the order between switches.
  head=$(grep -n '^lane 0' proof | cut -d: -f1)
  awk -v h="$head" 'NR <= h {print; next} /^end/ {for (i = n; i; i--) print line[i]; print; next} {line[++n] = $0}' proof >back
  run -1 "$FATWOOD_CHECK" net x.far back
  [[ "$output" == *"waits for"* ]]
  run -1 "$FATWOOD" verify net x.far --check back
  [[ "$output" == *"waits for"* ]]
}

@test "a port that leads astray is named with its switch, destination and group" {
  "$FATWOOD" convert 'ft(4,3)' --to ibnetdiscover -o net
  "$FATWOOD" route net --engine ar_updn -o x.far
  # All groups get a port down.
  sed -i -E 's/^(1 +0 +0 +)([0-9,]+)$/\1\24,/' x.far
  run -1 "$FATWOOD" verify net x.far
  [[ "$output" == *"leads astray, of group 1"* ]]
  [[ "$output" == *"are connected by some choice"* ]]
  [[ "$output" == *"packets that keep to the default ports, alone: all holds"* ]]
  run -1 "$FATWOOD" verify net x.far --json
  jq -e '.adaptive.risky_entries > 0 and .adaptive.first_risky.group == 1 and .adaptive.default_ports_hold' <<<"$output"
}

@test "--rechoose makes no difference to tables of one port an entry" {
  run -0 "$FATWOOD" verify 'ft(4,3)' updn+ --rechoose
  run -1 "$FATWOOD" verify 'ring(5)' minhop --rechoose
  run -0 "$FATWOOD" verify 'ft(4,3)' ar_updn --rechoose
}

@test "the table of what a lost cable does" {
  run "$FATWOOD" verify 'ft(4,3)' ar_ftree --json
  jq -e '.adaptive.coverage | .pairs == 224 and .exposed == 224 and .exposed_notified == 0' <<<"$output"
  jq -e '[.adaptive.coverage.rows[] | select(.way == "up") | .one_port] == [0, 0]' <<<"$output"
}

@test "load splits evenly over groups, and reports what a hash makes of it" {
  run -0 "$FATWOOD" load 'ft(8,3)' ar_updn --traffic shift:5 --json
  jq -e '.mload == 1 and has("hashed") == false' <<<"$output"
  run -0 "$FATWOOD" load 'ft(8,3)' ar_updn --traffic permutation --queue-pairs 1,16 --seeds 50 --json
  jq -e '.hashed.rows | length == 2 and .[0].fullest.median > .[1].fullest.p99 and .[0].used < 1' <<<"$output"
  run -0 "$FATWOOD" load 'ft(8,3)' ar_updn --traffic permutation --at-most 2 --seeds 50 --json
  jq -e '.hashed.queue_pairs_needed > 1 and .hashed.at_most == 2' <<<"$output"
  run -0 "$FATWOOD" load 'ft(8,3)' ar_updn --traffic permutation --queue-pairs 4 --same-hash
  [[ "$output" == *"all switches hash alike"* ]]
  run -2 "$FATWOOD" load 'ft(8,3)' updn+ --traffic permutation --queue-pairs 4
  [[ "$output" == *"--queue-pairs needs adaptive tables"* ]]
  run -2 "$FATWOOD" load 'ft(8,3)' ar_updn --traffic permutation --seeds 4
  [[ "$output" == *"--seeds needs --queue-pairs or --at-most"* ]]
}

@test "sim chooses from groups as the tables or --choice say" {
  for choice in free bounded hashed; do
    run -0 "$FATWOOD" sim 'ft(4,3)' --routing ar_updn --choice "$choice" --load 0.5 --cycles 2000 --json
    jq -e '.deadlock == null and .points[0].accepted > 0.4' <<<"$output"
  done
  run -2 "$FATWOOD" sim 'ft(4,3)' --routing updn+ --choice free --load 0.5
  [[ "$output" == *"--choice needs adaptive tables"* ]]
  # A burst that never ends keeps its port; one that ends at once is chosen for each packet.
  for silence in 0 1000000; do
    run -0 "$FATWOOD" sim 'ft(4,3)' --routing ar_updn --choice bounded --burst-silence "$silence" --load 0.9 --cycles 2000 --json
    jq -c '.points[0].latency_mean' <<<"$output" >>latencies
  done
  [ "$(sort -u latencies | wc -l)" -eq 2 ]
}

@test "compare and report take adaptive engines" {
  run -0 "$FATWOOD" compare 'ft(4,3)' --json
  jq -e '.engines[] | select(.name == "ar_updn") | .adaptive and .kept and .shift == null and .deadlock_free' <<<"$output"
  run -0 "$FATWOOD" report 'ft(4,3)' --engines ar_updn,updn+ -o page.html
  grep -q 'ar_updn' page.html
}

@test "each kind of packet is judged: switches without adaptive routing, levels, transports" {
  "$FATWOOD" verify 'ft(4,3)' ar_updn --json >out
  jq -e '.adaptive.kinds | map([.choosing_switches, .holds]) == [[20, true], [0, true]]' out
  jq -e '.adaptive.kinds | map(.packets[].kept_in_order) == [false, true]' out
  # Leaves of the run's fabric choose on level 0 for RC and DC; the second leaf has it off.
  cp -r "$BATS_TEST_DIRNAME/../../fixtures/ibdiagnet2" run
  sed -i '/^START_AR_INFO/,/^END_AR_INFO/ {
    s/,65535,0,0,0,0,0,1,0,0$/,0,0,0,0,0,0,1,0,0/
    s/^0x0000000000001002,1,/0x0000000000001002,0,/ }' run/ibdiagnet2.db_csv
  # A group of the first leaf gets a port to a host of its own.
  sed -i '0,/^1 .*3,4,/ s/^\(1 .*\)3,4,/\11,3,4,/' run/ibdiagnet2.far
  run -1 --separate-stderr "$FATWOOD" verify run run --json
  jq -e '.adaptive.kinds | length == 2' <<<"$output"
  jq -e '.adaptive.kinds[0] | .choosing_switches == 3 and .unreachable_pairs > 2 and
    (.packets | map([.service_levels, .transports, .kept_in_order]) == [[[0], ["RC", "DC"], false]])' <<<"$output"
  jq -e '.adaptive.kinds[1] | .choosing_switches == 0 and .unreachable_pairs == 2 and
    (.packets | map(.kept_in_order) == [false, false, true])' <<<"$output"
  run -1 --separate-stderr "$FATWOOD" verify run run
  [[ "$output" == *"3 switches"*"SL 0 RC DC"* ]]
  judged=$output
  run -1 --separate-stderr "$FATWOOD" verify run
  [ "$output" = "$judged" ]
  [[ "$output" == *"no switch"*"SL 0-15 UD UC; SL 1-15 RC DC; SL 0-15 kept in order"* ]]
}

@test "a switch that has adaptive routing off for every transport uses no groups" {
  cp -r "$BATS_TEST_DIRNAME/../../fixtures/ibdiagnet2" run
  sed -i '/^START_AR_INFO/,/^END_AR_INFO/ s/,5,0,1,1,65535,/,15,0,1,1,0,/' run/ibdiagnet2.db_csv
  run -1 --separate-stderr "$FATWOOD" verify run run --json
  [[ "$stderr" == *"adaptive routing is off on 4 switches: their groups are left out"* ]]
  jq -e '.adaptive == null' <<<"$output"
}

@test "verify of a run takes the run's own service levels and lanes, and says so" {
  mkdir run
  "$FATWOOD" convert 'ring(5)' --to ibnetdiscover -o run/net
  "$FATWOOD" route run/net --engine dfsssp -o run/tables --sl levels
  run -1 --separate-stderr "$FATWOOD" verify run --json
  jq -e '.deadlock_free == false' <<<"$output"
  cp levels run/x.psl
  run -0 --separate-stderr "$FATWOOD" verify run --certificate proof --json
  jq -e '.deadlock_free and .lanes == 2' <<<"$output"
  [[ "$stderr" == *"run: service levels of paths from x.psl, level i in lane i"* ]]
  run -0 "$FATWOOD" verify run run --check proof
  # The tables' file itself, or levels that are given, come before those of the run.
  run -1 --separate-stderr "$FATWOOD" verify run run/tables
  sed 's/ [0-9]*$/ 0/' levels >zero
  run -1 --separate-stderr "$FATWOOD" verify run --sl zero
  [[ "$stderr" != *"from x.psl"* ]]
  # Both levels in lane 0, by the run's slvl; and levels that nothing is known of.
  for guid in $(grep -o 'switchguid=0x[0-9a-f]*' run/net | cut -d= -f2); do
    for in in 0 1 2 3; do for out in 1 2 3; do
      echo "$guid $in $out 0x00 0x23 0x45 0x67 0x89 0xab 0xcd 0xef"
    done; done
  done >run/x.slvl
  run -1 --separate-stderr "$FATWOOD" verify run
  [[ "$stderr" == *"from x.psl, lanes of levels from x.slvl"* ]]
  tar cf run.tar run
  run -1 --separate-stderr "$FATWOOD" verify run.tar
  [[ "$stderr" == *"from x.psl, lanes of levels from x.slvl"* ]]
  rm run/x.psl
  run -1 --separate-stderr "$FATWOOD" verify run
  [[ "$stderr" == *"x.slvl is not used: no file of the run says which path has which"* ]]
}

@test "adaptive tables whose routes change lanes are proved, and both programs check the proof" {
  "$FATWOOD" convert like-stage --to ibnetdiscover -o net  # has LIDs
  "$FATWOOD" route net --engine ar_updn -o x.far --sl levels
  slvl() { # $1: the lane of level 0 on the first switch
    awk -v odd="$1" '/^switchguid=/ { guid = substr($0, 12, 18) }
      /^Switch/ { ports = $2
        printf "Switch %s, base LID 1, \"s\"\n", guid
        for (i = 0; i <= ports; i++) for (o = 0; o <= ports; o++)
          print i, o, ":", odd, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
        odd = 0 }' net
  }
  slvl 1 >map
  run -0 --separate-stderr "$FATWOOD" verify net x.far --sl levels --sl2vl map --certificate proof
  [[ "$output" == *"lanes that routes change between"* ]]
  run -0 "$FATWOOD" verify net x.far --check proof --sl levels --sl2vl map
  run -0 "$FATWOOD_CHECK" net x.far proof --sl levels --sl2vl map
  slvl 2 >other
  run -1 "$FATWOOD_CHECK" net x.far proof --sl levels --sl2vl other
  [[ "$output" == *"proof:6: it is about a lane map"* ]]
  run -1 "$FATWOOD" verify net x.far --check proof --sl levels --sl2vl other
  { sed '/^order/q' proof; sed '1,/^order/d;$d' proof | tac; echo end; } >backwards
  run -1 "$FATWOOD_CHECK" net x.far backwards --sl levels --sl2vl map
  [[ "$output" == *"waits for"* ]]
  run -1 "$FATWOOD" verify net x.far --check backwards --sl levels --sl2vl map
  [[ "$output" == *"waits for"* ]]
  run -2 "$FATWOOD" verify net x.far --sl levels --sl2vl map --rechoose
  [[ "$output" == *"different lanes on different ports"* ]]
  # Lane 15 is for management alone.
  slvl 15 >lost
  run -1 --separate-stderr "$FATWOOD" verify net x.far --sl levels --sl2vl lost
  [[ "$output" == *"discarded"* ]]
}
