#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood-check, which reads the files alone: what it lets pass, and what it refuses with file and
# line. $FATWOOD only makes the files.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

# Files net, lfts and proof of a fabric and an engine; sl where the engine has lanes.
prove() {
  "$FATWOOD" convert "$1" --to ibnetdiscover -o net
  "$FATWOOD" route net --engine "$2" -o lfts --sl sl >/dev/null
  levels=()
  [ ! -s sl ] || levels=(--sl sl)
  "$FATWOOD" verify net lfts "${levels[@]}" --certificate proof >/dev/null
}

holds() {
  run "$FATWOOD_CHECK" "$@"
  [ "$status" -eq 0 ]
  [[ "$output" == "holds: "*"; 0 of them do not arrive" ]]
}

# fails STATUS TEXT ARGUMENTS...
fails() {
  local expected=$1 text=$2
  shift 2
  run "$FATWOOD_CHECK" "$@"
  [ "$status" -eq "$expected" ] || { echo "$output" && false; }
  [[ "$output" == *"$text"* ]] || { echo "$output" && false; }
}

@test "it is built of its own files and the standard library" {
  folder=$(dirname "$BATS_TEST_FILENAME")/../../../check
  for file in $(sed -n 's/^#include "\(.*\)"/\1/p' "$folder"/*.cpp "$folder"/*.hpp); do [ -e "$folder/$file" ]; done
  ! ldd "$FATWOOD_CHECK" | grep -E 'fmt|fatwood|gomp'
}

@test "proofs of every engine hold; verify says the --check same" {
  for spec in 'ft(4,3)' 'ring(5)' 'torus(3,3)' like-stage 'rails(units=2,hosts=3,rails=2,spines=2,storage=1)'; do
    for engine in updn+ sftree dfsssp lash; do
      prove "$spec" "$engine"
      holds net lfts proof "${levels[@]}"
      theirs=$("$FATWOOD" verify net lfts --check proof "${levels[@]}")
      [ "$output" = "$theirs" ]
    done
  done
}

@test "parts that no cable joins are proved together, and count the same by every engine" {
  for spec in 'xgft(2;4,3;2,2)' 'ft(4,3)'; do
    faults=()
    [ "$spec" != 'ft(4,3)' ] || faults=(--cut 'S1_0[1]' --cut 'S1_0[2]' --cut S3_1)
    "$FATWOOD" convert "$spec" "${faults[@]}" --to ibnetdiscover -o net
    said=
    for engine in updn+ sftree even; do
      "$FATWOOD" route net --engine "$engine" -o lfts >/dev/null
      run ! "$FATWOOD" verify net lfts --certificate proof
      run "$FATWOOD_CHECK" net lfts proof
      [ "$status" -eq 0 ]
      [[ "$output" == "holds: "*" of them do not arrive" ]]
      lost=${output##*; }
      [ "${said:=$lost}" = "$lost" ]
      [ "${lost%% *}" -gt 0 ]
    done
  done
}

@test "a fabric without LIDs takes them from the port GUIDs of the tables" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o net
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o lfts >/dev/null
  "$FATWOOD" verify 'ft(4,2)' lfts --certificate proof >/dev/null
  holds net lfts proof
}

@test "a proof that is cut short, doubled, or has another word is refused with its line" {
  prove 'ft(4,3)' updn+
  for lines in 0 1 5 6 50 101 102; do
    head -n "$lines" proof >bad
    fails 2 "bad:$((lines + 1)): the file ends where" net lfts bad
  done
  { cat proof; echo more; } >bad
  fails 2 "bad:$(($(wc -l <proof) + 1)): nothing is expected" net lfts bad
  sed '9{p}' proof >bad
  fails 2 'bad:10: this channel has a place already' net lfts bad
  sed '10s/ [0-9]*$/ 99/' proof >bad
  fails 2 'bad:10: the node has no such port' net lfts bad
  sed '10s/0x002/0x902/;10s/0x001/0x901/' proof >bad
  fails 2 'bad:10: the fabric has no node with this GUID' net lfts bad
  sed '1s/1$/2/' proof >bad
  fails 2 'bad:1: ' net lfts bad
  sed '5s/1/2/' proof >bad
  fails 2 "bad:$(wc -l <proof): expected \"lane 1 \"" net lfts bad
}

@test "an order that is not the routes' is refused with the lines of both channels" {
  prove 'ft(4,3)' updn+
  { head -n 6 proof; sed -n '7,102p' proof | tac; tail -n 1 proof; } >bad
  fails 1 'waits for' net lfts bad
  [[ "$output" =~ bad:[0-9]+:.*"which comes earlier, in line "[0-9]+ ]]
  # Every single channel is needed.
  for line in 7 30 60 102; do  # channels that routes hold and want
    sed -e "${line}d" -e '6s/96/95/' proof >bad
    fails 1 'has no place in the order' net lfts bad
  done
}

@test "tables of another fabric, of another engine, or not whole are refused" {
  prove 'ft(4,3)' updn+
  "$FATWOOD" route net --engine minhop -o other >/dev/null
  fails 1 'proof:3: it is about tables 0x' net other proof
  # Forged: the proof says that it is about these tables, then that it is about that fabric.
  forged=$(sed 's/.*this is //' <<<"$output")
  sed "3s/0x.*/$forged/" proof >bad
  fails 1 'waits for' net other bad
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o small
  "$FATWOOD" route small --engine updn+ -o small.lfts >/dev/null
  "$FATWOOD" verify small small.lfts --certificate small.proof >/dev/null
  "$FATWOOD" convert 'ft(4,2)' --cut 'S1_0[1]' --to ibnetdiscover -o cut
  sed '/^0x0020000000000000 1$/d;/^0x0020000000000004 1$/d;6s/32/30/' small.proof >bad
  fails 1 'bad:2: it is about a fabric 0x' cut small.lfts bad
  "$FATWOOD" route like-stage --engine updn+ -o other >/dev/null
  fails 2 'the fabric has no switch with this GUID' net other proof
  head -n 40 lfts >other
  fails 2 'other:40: no table for switch' net other proof
  sed '2s/ 0*1 / 999 /;2s/0x0001 [0-9]*/0x0001 999/' lfts >other
  fails 2 'other:2: a port is too large' net other proof
  sed '3{p}' lfts >other
  fails 2 'other:4: this LID has an entry already' net other proof
  fails 2 "nothing: can't be opened" net nothing proof
}

@test "entries of LID 0 and ports that are no numbers are refused with their line" {
  prove 'ft(4,2)' updn+
  holds net lfts proof
  sed '2s/^0x[0-9a-f]*/0x0000/' lfts >zero
  fails 2 'zero:2: no port has LID 0' net zero proof
  sed '2s/^\(0x[0-9a-f]* [0-9]*\)/\1x/' lfts >word
  fails 2 'word:2: expected a port' net word proof
}

@test "a fabric whose cable is given in two ways, or that is no fabric, is refused" {
  prove 'ft(4,2)' updn+
  sed '0,/^\[1\]/s/^\[1\]/[4]/' net >bad
  fails 2 'bad:' bad lfts proof
  grep -v '^\[1\]' net | sed '0,/^\[2\]/{/^\[2\]/d}' >bad
  fails 2 'says otherwise' bad lfts proof
  fails 2 'proof:1: expected a node' proof lfts proof
}

@test "another entry of a switch for its own LID does not pass unseen" {
  prove 'ft(4,2)' updn+
  own=$(printf '0x%04x' "$(sed -nE '1s/.*Lid ([0-9]+) guid.*/\1/p' lfts)")
  for port in 255 200 001; do
    sed "0,/^$own 000/s/^$own 000/$own $port/" lfts >other
    ! cmp -s lfts other
    fails 1 'proof:3: it is about tables' net other proof
    forged=$(sed 's/.*this is //' <<<"$output")
    sed "3s/0x.*/$forged/" proof >bad
    run "$FATWOOD_CHECK" net other bad
    [[ "$output" == *"; "[1-9]*" of them do not arrive" || "$output" == *"waits for"* ]]
  done
}

@test "levels count: without them the same tables wait in a circle" {
  prove 'ring(5)' dfsssp
  [ -s sl ]
  holds net lfts proof --sl sl
  fails 1 'proof:3: it is about tables' net lfts proof
  forged=$(sed 's/.*this is //' <<<"$output")
  sed "3s/0x.*/$forged/" proof >bad
  fails 1 'does not hold: bad' net lfts bad
  sed '1s/ [0-9]*$/ 16/' sl >bad
  fails 2 'bad:1: a service level is too large' net lfts proof --sl bad
}

# As in verify.bats: an SL-to-VL dump of ring(5), the last switch with other numbers.
sl2vl() {
  local s in out
  for s in 0 1 2 3 4; do
    echo "Switch 0x002000000000000$s, base LID $((s + 6)), \"S$s\""
    for in in 0 1 2 3; do
      for out in 0 1 2 3; do
        if [ "$s" -eq "$1" ]; then
          echo "$in $out : 2 3 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
        else
          echo "$in $out : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
        fi
      done
    done
  done
}

@test "routes that change lanes are walked in the lane of each step" {
  "$FATWOOD" convert 'ring(5)' --to ibnetdiscover -o net
  "$FATWOOD" route 'ring(5)' --engine dfsssp -o lfts --sl sl >/dev/null
  sl2vl 4 >renamed
  "$FATWOOD" verify 'ring(5)' lfts --sl sl --sl2vl renamed --certificate proof >/dev/null
  holds net lfts proof --sl sl --sl2vl renamed
  sl2vl 3 >other
  fails 1 'proof:4: it is about a lane map 0x' net lfts proof --sl sl --sl2vl other
  forged=$(sed 's/.*this is //' <<<"$output")
  sed "4s/0x.*/$forged/" proof >bad
  fails 1 'which comes earlier, in line' net lfts bad --sl sl --sl2vl other
  sed '/"S1"/,/"S2"/{/^3 /d}' renamed >part
  fails 1 'proof:4: ' net lfts proof --sl sl --sl2vl part
  forged=$(sed 's/.*this is //' <<<"$output")
  sed "4s/0x.*/$forged/" proof >bad
  fails 1 'no row says what lane' net lfts bad --sl sl --sl2vl part
  { head -7 proof; sed '1,7d;$d' proof | tac; echo end; } >backwards
  fails 1 'waits for' net lfts backwards --sl sl --sl2vl renamed
  "$FATWOOD" verify 'ring(5)' lfts --sl sl --certificate keeps >/dev/null
  fails 1 'these change them' net lfts keeps --sl sl --sl2vl renamed
}

@test "lengths: what they prove is found again from the files, and forged ones are refused" {
  "$FATWOOD" convert 'ft(8,3)' --cut 5% --keep-connected --to ibnetdiscover -o net
  "$FATWOOD" load net even --traffic alltoall --bound lengths >/dev/null
  run -0 "$FATWOOD_CHECK" --lengths net lengths
  [ "$output" = "holds: all to all loads some channel with 496/3 or more, with forwarding tables of LMC 0 168 or more" ]
  sed '2s/.*/bound 166/' lengths >forged
  fails 1 'does not hold: forged: all to all loads some channel with 496/3' --lengths net forged
  sed '3s/^[0-9]*/1000000/' lengths >forged
  fails 1 'does not hold' --lengths net forged
  # Lengths of a damaged tree prove less about the whole one.
  "$FATWOOD" convert 'ft(8,3)' --to ibnetdiscover -o whole
  fails 1 'does not hold' --lengths whole lengths
  { cat lengths && tail -n 1 lengths; } >bad
  fails 2 'this channel has a length already' --lengths net bad
  printf 'fatwood-lengths 1\nbound 1\n1 nowhere[1]\n' >bad
  fails 2 'bad:3: the fabric has no node called "nowhere"' --lengths net bad
  printf 'fatwood-lengths 1\nbound 1\n1 S1_0[99]\n' >bad
  fails 2 'bad:3: no cable leaves this port' --lengths net bad
  printf 'fatwood-lengths 1\nbound 1/0\n' >bad
  fails 2 'bad:2: expected a denominator above 0' --lengths net bad
  printf 'fatwood-lengths 2\n' >bad
  fails 2 'bad:1: expected "fatwood-lengths 1"' --lengths net bad
  fails 2 '--count-flows needs --lengths' net lfts proof --count-flows
}

@test "lengths: speeds and hosts with two ports count as they do for load" {
  for spec in like-stage 'rails(units=2,hosts=3,rails=2,spines=2,storage=1)'; do
    for counting in '' --count-flows; do
      "$FATWOOD" convert "$spec" --to ibnetdiscover -o net
      "$FATWOOD" load net even $counting --traffic alltoall --bound lengths >/dev/null
      run -0 "$FATWOOD_CHECK" --lengths net lengths $counting
      [[ "$output" == "holds: "* ]]
    done
  done
}

@test "lengths: tables of several addresses can split more" {
  # Three leaves of five hosts; the second has three up-links. 50 units leave it, in chunks of 5 to an address.
  "$FATWOOD" convert 'xgft(2;5,3;1,4)' --cut 'S1_1[4]' --to ibnetdiscover -o net
  printf 'fatwood-lengths 1\nbound 50/3\n1 S1_1[1]\n1 S1_1[2]\n1 S1_1[3]\n' >lengths
  proved() { "$FATWOOD_CHECK" --lengths net lengths "$@" | sed 's/.*with forwarding tables of //'; }
  [ "$(proved)" = "LMC 0 20 or more" ]
  [ "$(proved --lmc 1)" = "LMC 1 35/2 or more" ]
  [ "$(proved --lmc 2)" = "LMC 2 35/2 or more" ]
  [ "$(proved --lmc 3)" = "LMC 3 135/8 or more" ]
  # No tables have less.
  for lmc in 0 1 2 3; do
    "$FATWOOD" route net --engine even --lmc "$lmc" -o lfts >/dev/null
    "$FATWOOD" load net lfts --traffic alltoall --json >load
    bound=$(proved --lmc "$lmc" | sed 's/LMC . //; s/ or more//')
    jq -e --argjson bound "$(jq -n "$bound")" '.mload_value >= $bound - 1e-9' load
  done
  # The LMC in the fabric's file counts: 16 addresses apart here.
  awk '/^\[1\]\(/ { sub(/lid [0-9]+ lmc 0/, "lid " 16 * ++n " lmc 2") } 1' net >addressed
  [ "$("$FATWOOD_CHECK" --lengths addressed lengths | sed 's/.*with forwarding tables of //')" = "LMC 2 35/2 or more" ]
  fails 2 '--lmc needs a number from 0 to 7' --lengths net lengths --lmc 8
  fails 2 '--lmc needs a number from 0 to 7' --lengths net lengths --lmc
  fails 2 '--lmc needs --lengths' net lfts proof --lmc 1
}

@test "lengths: cables of hosts count in both directions" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o net
  port=$(sed -n '/^Ca.*"H0"/,/^$/s/^\[1\].*"S-0020000000000000"\[\([0-9]*\)\].*/\1/p' net)
  [ -n "$port" ]
  for channel in 'H0[1]' "S1_0[$port]"; do
    printf 'fatwood-lengths 1\nbound 7\n1 %s\n' "$channel" >lengths
    run -0 "$FATWOOD_CHECK" --lengths net lengths
    [ "$output" = "holds: all to all loads some channel with 7 or more" ]
    sed -i '2s/7/8/' lengths
    fails 1 'does not hold' --lengths net lengths
  done
  # In and out of one host: 14 units over two channels.
  printf 'fatwood-lengths 1\nbound 7\n1 H0[1]\n1 S1_0[%s]\n' "$port" >lengths
  run -0 "$FATWOOD_CHECK" --lengths net lengths
  [ "$output" = "holds: all to all loads some channel with 7 or more" ]
  # Out of one, into another: one flow takes both.
  printf 'fatwood-lengths 1\nbound 7\n1 H1[1]\n3 S1_0[%s]\n' "$port" >lengths
  run -0 "$FATWOOD_CHECK" --lengths net lengths
  [ "$output" = "holds: all to all loads some channel with 7 or more" ]
}

# Files net and x.far of an adaptive engine on a fabric with LIDs.
adaptive() {
  "$FATWOOD" convert 'rails(units=2,hosts=2,rails=2,spines=2)' --to ibnetdiscover -o net
  "$FATWOOD" route net --engine "$1" -o x.far >/dev/null
}

@test "adaptive proofs hold, for every choice and for some; other groups and other orders do not" {
  for engine in ar_updn ar_even; do
    adaptive "$engine"
    for how in '' --rechoose; do
      "$FATWOOD" verify net x.far $how --certificate proof >/dev/null
      sed 's/choice every/choice some/' proof >weaker
      run -0 "$FATWOOD_CHECK" net x.far weaker
      [[ "$output" == *"in 1 lane, if waiting packets choose again" ]]
      run -0 "$FATWOOD_CHECK" net x.far proof
      [[ "$output" == "holds: "*" routes follow the order in 1 lane, whatever is chosen" ]]
      { head -8 proof; sed '1,8d;$d' proof | tac; echo end; } >backwards
      fails 1 'which comes no later' net x.far backwards
      # A group that lost a port.
      awk '!done && /^[0-9]+ +0 +0 +[0-9]+,[0-9]+/ { sub(/,[0-9]+,$/, ","); done = 1 } 1' x.far >less.far
      ! cmp -s x.far less.far
      fails 1 'proof:4: it is about groups of ports' net less.far proof
      # The same entries, and no groups.
      sed 's/\(0x.... *[0-9]* *\)Free  */\1Static      /; s/Static      [1-9][0-9]*$/Static      0/' x.far >plain.far
      fails 1 'proof:4: it is about groups of ports' net plain.far proof
    done
  done
  "$FATWOOD" verify net plain.far --certificate plain >/dev/null
  run -0 "$FATWOOD_CHECK" net plain.far plain
}

@test "adaptive tables with two lanes need an order for each" {
  adaptive ar_updn
  "$FATWOOD" route net --engine ar_updn -o x.far --sl zero --force >/dev/null
  awk '/^0x/ { $3 = NR % 2 } 1' zero >levels
  "$FATWOOD" verify net x.far --sl levels --certificate proof >/dev/null
  run -0 "$FATWOOD_CHECK" net x.far proof --sl levels
  [[ "$output" == *"in 2 lanes, whatever is chosen" ]]
  # The same proof without the order of lane 1.
  sed 's/^lanes 2/lanes 1/; /^lane 1/,/^end/{/^end/!d}' proof >short
  ! cmp -s proof short
  fails 1 'lane 1 has no order' net x.far short --sl levels
}

@test "a proof about packets between terminals says nothing about packets to switches" {
  for engine in minhop sssp; do
    "$FATWOOD" convert 'kary(3,3)' --cut 15% --to ibnetdiscover -o net --force
    "$FATWOOD" route net --engine $engine -o tables --force >/dev/null
    "$FATWOOD" verify net tables --terminals-only --certificate proof --force >/dev/null || true
    run -0 "$FATWOOD_CHECK" net tables proof
    [[ "$output" == 'holds: 702 routes '* ]] # of 27 terminals, each to 26
  done
}

@test "groups of one port each are proved like the port" {
  adaptive ar_updn
  # Group k is port k; each entry takes the group of its default port.
  awk '/^Group/ { print; getline; print; for (k = 1; k <= 40; ++k) printf "%d 0 0 %d,\n", k, k; next }
    /^[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+,/ { next }
    $3 == "Free" { $4 = $2 } 1' x.far >one.far
  "$FATWOOD" verify net one.far --certificate proof >/dev/null
  grep -qx 'sets 0x0*' proof
  run -0 "$FATWOOD_CHECK" net one.far proof
  [[ "$output" == "holds: "* ]]
  run -0 "$FATWOOD" verify net one.far --check proof
  # It says nothing about groups of several.
  fails 1 'proof:4: it is about groups of ports' net x.far proof
}

# Every line of file $1 is needed, and every channel also where the count says one less.
each_line_counts() {
  local proof=$1 count line head
  shift
  count=$(wc -l <"$proof")
  for ((line = 1; line <= count; ++line)); do
    sed "${line}d" "$proof" >bad
    run "$FATWOOD_CHECK" "${@/PROOF/bad}"
    [ "$status" -ne 0 ] || { echo "line $line is not needed: $(sed -n "${line}p" "$proof")"; false; }
    sed -n "${line}p" "$proof" | grep -q '^0x' || continue
    head=$(head -n "$line" "$proof" | grep -nE '^(lane|order) ' | tail -n 1 | cut -d: -f1)
    awk -v head="$head" -v line="$line" 'NR == line { next } NR == head { --$NF } 1' "$proof" >bad
    run "$FATWOOD_CHECK" "${@/PROOF/bad}"
    [ "$status" -eq 1 ] || { echo "line $line: channel is not needed: $output"; false; }
  done
}

@test "a certificate without one of its lines is refused, whichever it is" {
  prove 'ft(4,2)' updn+
  each_line_counts proof net lfts PROOF
  prove 'ring(5)' dfsssp # all channels between switches are in use in lane 0, few in lane 1
  for ((line = 1; line <= 6; ++line)); do
    sed "${line}d" proof >bad
    run ! "$FATWOOD_CHECK" net lfts bad --sl sl
  done
  adaptive ar_updn
  "$FATWOOD" verify net x.far --certificate proof >/dev/null
  each_line_counts proof net x.far PROOF
}

@test "usage: --help, wrong options, too few files" {
  run "$FATWOOD_CHECK" --help
  [ "$status" -eq 0 ]
  [[ "$output" == *"--sl2vl FILE"* ]]
  fails 2 'expected FABRIC TABLES PROOF' net
  fails 2 '--fast is no option' net lfts proof --fast
  fails 2 '--sl needs a file' net lfts proof --sl
  fails 2 'give --sl too' net lfts proof --sl2vl x
}

@test "service levels hold for all ports of an adapter on two switches" {
  local net=$BATS_TEST_DIRNAME/../../fixtures/two_port_adapter.net
  for fabric in "$net" "xgft(2;3,3;2,3) --cut 3 --fault-seed 255513"; do
    read -ra words <<<"$fabric"
    for engine in dfsssp lash nue; do
      "$FATWOOD" convert "${words[@]}" --to ibnetdiscover -o net
      "$FATWOOD" route net "$engine" -o lfts --sl sl >/dev/null
      # The second fabric is not connected: verify fails for that alone.
      "$FATWOOD" verify net lfts --sl sl --certificate proof --json >verdict || [ $? -eq 1 ]
      jq -e .deadlock_free verdict
      "$FATWOOD_CHECK" net lfts proof --sl sl
    done
  done
}

@test "verify proves the levels that the file gives to each port, or refuses them" {
  local net=$BATS_TEST_DIRNAME/../../fixtures/two_port_adapter.net
  "$FATWOOD" route "$net" dfsssp -o lfts --sl sl >/dev/null
  # D0 is on S0 and on S3: with another level than the nodes there, the file is refused.
  awk '$1 ~ /0x0980000000000000/ && $2 == 8 { $3 = 1 - $3 } 1' sl >other
  ! cmp -s sl other
  run "$FATWOOD" verify "$net" lfts --sl other
  [ "$status" -eq 2 ]
  [[ "$output" == *"other:"*"D0 sends from 2 switches"* || "$output" == *"other:"*"another node on"* ]]
  # Without its lines it has the level of the others on the switch, in both programs.
  grep -v 0x0980000000000000 sl >fewer
  "$FATWOOD" verify "$net" lfts --sl fewer --certificate proof >/dev/null
  "$FATWOOD_CHECK" "$net" lfts proof --sl fewer
}

@test "names in messages hold no byte that a terminal obeys" {
  prove 'ft(4,2)' updn+
  sed -i 's/"S1_0"/"S1\x9b31m\x1b[2J"/' net
  sed -i '0,/^1 /s//9 /' proof
  run "$FATWOOD_CHECK" net lfts proof
  ! grep -qP '[\x00-\x09\x0b-\x1f\x7f-\xff]' <<<"$output"
}

@test "a file that is one endless line is refused" {
  prove 'ft(4,2)' updn+
  fails 2 '/dev/zero:1: expected the end of the line within 64 KiB' /dev/zero lfts proof
  fails 2 '/dev/zero:1: expected the end of the line within 64 KiB' net /dev/zero proof
  fails 2 '/dev/zero:1: expected the end of the line within 64 KiB' net lfts /dev/zero
}
