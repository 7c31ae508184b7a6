#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood route: what it prints, which input it refuses.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "the table has targets, routes, hops and lanes" {
  run "$FATWOOD" route 'ft(4,3)' --engine minhop
  [ "$status" -eq 0 ]
  [[ "$output" == *"36 (16 terminals with 1 address each, 20 switches)"* ]]
  [[ "$output" == *"0 missing"* ]]
}

@test "--json prints one object" {
  run --separate-stderr "$FATWOOD" route 'ft(4,3)' --engine minhop --lmc 2 --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","engine":"minhop","lmc":2,'* ]]
  [[ "$output" == *'"targets":84,'* ]]
  [[ "$output" == *'"missing":0,'* ]]
}

@test "even takes longer paths on directors cabled by hand, and counts them" {
  "$FATWOOD" route 'directors(24,12)' even --json >longer
  "$FATWOOD" route 'directors(24,12)' even --longest least --json >least
  jq -e '.hops.longer_pairs > 100 and .hops.longer_by == 2' longer
  jq -e '.hops.longer_pairs == 0 and .hops.longer_by == 0' least
  "$FATWOOD" route 'directors(24,12)' even | grep -E '^longer +[0-9]+ pairs of terminals take more hops than the shortest path; a route has 2 more at most'
  [ "$("$FATWOOD" route 'directors(24,12)' even --longest least | grep -c '^longer')" = 0 ]
  "$FATWOOD" verify 'directors(24,12)' even --json | jq -e '.holds'
  # What it is for: the worst pair.
  "$FATWOOD" load 'directors(24,12)' even --traffic alltoall --json >with
  "$FATWOOD" load 'directors(24,12)' even --longest least --traffic alltoall --json >without
  [ "$(jq -n '[inputs.perf_value] | .[0] * 1.5 < .[1]' with without)" = true ]
}

@test "show lists findings of directors cabled by hand" {
  "$FATWOOD" show 'directors(24,12)' --json >show
  jq -e '[.oddities[].kind] | index("foreign-cable") and index("side")' show
}

@test "an unknown engine lists the known ones" {
  run "$FATWOOD" route 'ft(4,3)' --engine best
  [ "$status" -eq 2 ]
  [[ "$output" == *"minhop"* ]]
}

@test "an order is read, and a wrong line is named" {
  printf '# ranks\n\nH3\nH1[1]\n' >order
  run "$FATWOOD" route 'ft(4,3)' --engine minhop --order order
  [ "$status" -eq 0 ]
  printf 'H3\nnobody\n' >order
  run "$FATWOOD" route 'ft(4,3)' --engine minhop --order order
  [ "$status" -eq 2 ]
  [[ "$output" == *"order:2:"*"nobody"* ]]
}

@test "an absent list is named" {
  run "$FATWOOD" route 'ft(4,3)' --engine updn+ --roots absent
  [ "$status" -eq 2 ]
  [[ "$output" == *"absent"* ]]
}

@test "-o writes a dump with a section for each switch" {
  run "$FATWOOD" route 'ft(4,3)' --engine updn+ -o tables
  [ "$status" -eq 0 ]
  [[ "$output" == *"written    tables"* ]]
  [ "$(grep -c '^Unicast lids' tables)" -eq 20 ]
  [ "$(grep -c '^0x' tables)" -eq 720 ] # 20 switches, 36 addresses each
}

@test "-o - prints the tables alone on standard output" {
  run --separate-stderr "$FATWOOD" route 'ft(4,2)' --engine minhop -o -
  [ "$status" -eq 0 ]
  [[ "${lines[0]}" == Unicast* ]]
  [[ "$stderr" == *"minhop"* ]]
}

@test "--sl writes a line for each source and address" {
  run "$FATWOOD" route 'ring(8)' --engine dfsssp --sl levels
  [ "$status" -eq 0 ]
  sources=$(cut -d' ' -f1 levels | sort -u | wc -l)
  addresses=$(cut -d' ' -f2 levels | sort -u | wc -l)
  [ "$(wc -l <levels)" -eq $((sources * addresses)) ]
  cut -d' ' -f3 levels | sort -u | grep -qx 1
}

@test "too few lanes: exit 1, how many it takes, nothing written" {
  run "$FATWOOD" route 'ring(8)' --engine dfsssp --lanes 1 -o tables
  [ "$status" -eq 1 ]
  [[ "$output" == *"needs 2 lanes"* ]]
  [ ! -e tables ]
}

@test "a directory that is not there is named" {
  run "$FATWOOD" route 'ft(4,2)' --engine minhop -o absent/tables
  [ "$status" -eq 2 ]
  [[ "$output" == *"absent/tables"* ]]
}

@test "an algebraic routing takes the addresses it needs and lists who uses which" {
  run --separate-stderr "$FATWOOD" route 'ft(8,3)' --engine osrm3 --addresses who --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","engine":"osrm3","lmc":2,'* ]]
  [ "$(grep -c '^H' who)" -eq $((128 * 127)) ]
  run "$FATWOOD" route 'ft(8,3)' --engine disjoint:3 --lmc 1
  [ "$status" -eq 2 ]
  run "$FATWOOD" route 'ring(8)' --engine disjoint:3
  [ "$status" -eq 2 ]
}

@test "source routes are counted as well as tables" {
  run --separate-stderr "$FATWOOD" route 'torus(4,4)' --engine apot --json
  [ "$status" -eq 0 ]
  # 16 terminals and 16 switches as targets of 16 switches; a switch is no target of itself.
  [ "$(jq -r '"\(.targets) \(.routes) \(.missing)"' <<<"$output")" = "32 496 0" ]
  # Never shorter than the shortest: 32/15 hops between different switches of a 4x4 torus.
  jq -e '.hops.mean >= 32 / 15 and .hops.mean < 3 and .hops.longest >= 4' <<<"$output"
}

@test "tables can be written as ibdiagnet2's far, by the file's name or by --to" {
  run "$FATWOOD" route 'ft(4,3)' --engine updn+ -o x.far
  [ "$status" -eq 0 ]
  grep -q '^LFT Definition:' x.far
  "$FATWOOD" route 'ft(4,3)' --engine updn+ -o y --to far
  cmp x.far y
  "$FATWOOD" route 'ft(4,3)' --engine updn+ -o lfts
  run -0 "$FATWOOD" verify 'ft(4,3)' x.far
  far=${output//x.far/}
  run -0 "$FATWOOD" verify 'ft(4,3)' lfts
  [ "$far" = "${output//lfts/}" ]
  run -2 "$FATWOOD" route 'ft(4,3)' --engine updn+ --to far
}

@test "adaptive tables are not taken for plain ones" {
  "$FATWOOD" route 'ft(4,3)' --engine updn+ -o x.far
  sed -i '0,/^-----.*/s//&\n1       0           0       3,4,/; 0,/Static      0/s//Free        1/' x.far
  run -1 "$FATWOOD" verify 'ft(4,3)' x.far
  [[ "$output" == *"adaptive: what follows is true whatever"* ]]
  for verb in 'trace --from H0 --to H1' 'worst' 'permutations'; do
    set -- $verb
    run -2 "$FATWOOD" "$1" 'ft(4,3)' x.far "${@:2}"
    [[ "$output" == *"x.far"*"adaptive tables"* ]]
  done
}

@test "an order of destinations is refused by what has none" {
  printf 'H3\nH2\n' >order
  for engine in lash dmodk apot apot-matrix disjoint:2 umulti; do
    run "$FATWOOD" route 'ft(4,2)' --engine $engine --order order
    [ "$status" -eq 2 ] || { echo "$engine: $status"; false; }
    [[ "$output" == *"--order"* ]] || { echo "$engine: $output"; false; }
  done
  for engine in minhop updn+ dnup sssp dfsssp nue ftree sftree bfot bfot+; do
    "$FATWOOD" route 'ft(4,2)' --engine $engine --order order >/dev/null
  done
}

@test "algebraic routings on a formula refuse levels that they do not follow, and accept who counts" {
  echo S2_0 >roots
  echo H0 >hosts
  refuses() {
    run "$FATWOOD" "$@"
    [ "$status" -eq 2 ] || { echo "$*: $status"; false; }
    [[ "$output" == *"; remove --"* ]] || { echo "$*: $output"; false; }
  }
  for option in '--io hosts' '--uncounted hosts'; do
    "$FATWOOD" route 'ft(4,2)' --engine disjoint:2 $option >/dev/null
    "$FATWOOD" load 'ft(4,2)' dmodk --traffic ring $option >/dev/null
  done
  for option in '--roots roots' '--compute hosts'; do
    refuses route 'ft(4,2)' --engine disjoint:2 $option
    refuses route 'ft(4,2)' --engine dmodk $option
    refuses load 'ft(4,2)' dmodk --traffic ring $option
    refuses worst 'ft(4,2)' dmodk $option
    refuses permutations 'ft(4,2)' umulti --shifts $option
    refuses sim 'ft(4,2)' --routing dmodk --load 0.1 --cycles 100 $option
    refuses job 'ft(4,2)' dmodk --hosts 'H[0-3]' $option
    "$FATWOOD" load 'ft(4,2)' updn+ --traffic ring $option >/dev/null
  done
  # A recognised tree has the levels that the hints make.
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o file >/dev/null
  printf 'S2_0\nS2_1\n' >roots
  "$FATWOOD" load file dmodk --traffic ring --roots roots >/dev/null
}
