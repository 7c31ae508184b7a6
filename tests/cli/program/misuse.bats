#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What goes wrong: each case ends with 2 (1 where a fabric does not allow a promise), says what was
# expected, prints no table and writes no file.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  : >empty
  mkdir -p folder
  head -c 300 /dev/zero >zeros
}

# refused PATTERN ARGUMENT...
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$FATWOOD" "$@"
  [ "$status" -eq 2 ] || { echo "status $status: $*"; false; }
  [ -z "$output" ] || { echo "printed: $*"; false; }
  [[ "$stderr" == *"$pattern"* ]] || { echo "$*: $stderr"; false; }
}

@test "a verb that is none is named, with those there are" {
  refused 'there is no verb "shwo"' shwo 'ft(4,2)'
  refused 'did you mean show?' shwo 'ft(4,2)'
  refused 'name a verb'
}

@test "mistakes in words are answered in words" {
  refused 'unknown option --size; did you mean --message-size?' job 'ft(4,2)' dmodk --hosts all --size 1G
  refused 'unknown option --egine; did you mean --engine?' route 'ft(4,2)' --egine updn+
  refused 'unknown option -q' show 'ft(4,2)' -q
  refused '--lanes needs a whole number from 1 to 15' route 'ft(4,2)' --engine nue --lanes
  refused '--lanes: expected a whole number from 1 to 15, found "99"' route 'ft(4,2)' --engine nue --lanes 99
  refused '--lanes: expected a whole number from 1 to 15, found "x"' route 'ft(4,2)' --engine nue --lanes x
  refused '--longest more: expected least, or how many hops more: 0 to 8' route 'ft(4,2)' --engine even --longest more
  refused '--longest 9: expected least, or how many hops more: 0 to 8' route 'ft(4,2)' --engine even --longest 9
  refused 'engine sftree does not support --longest' route 'ft(4,2)' --engine sftree --longest least
  refused '--effort: expected full or quick, found "slow"' route 'ft(4,2)' --engine even --effort slow
  refused '--lanes is given more than once' route 'ft(4,2)' --engine nue --lanes 3 --lanes 4
  refused 'unexpected argument "ft(4,3)"' show 'ft(4,2)' 'ft(4,3)' 'ft(8,3)'
  refused 'ROUTING is required' route 'ft(4,2)'
}

@test "names that are not there are answered with the closest" {
  refused 'there is no routing "sfree" (did you mean sftree?)' route 'ft(4,2)' --engine sfree
  refused 'there is no routing "mihnop" (did you mean minhop?)' load 'ft(4,2)' mihnop --traffic ring
  refused 'no node is called "S1_00" (did you mean S1_0?)' show 'ft(4,2)' --cut S1_00
  refused 'no node "S1_9" (did you mean S1_0?)' trace 'ft(4,2)' updn+ --from H0 --to S1_9
  refused 'none of the 4 hosts is in this fabric (H[00-03]) (did you mean H0?)' job 'ft(4,2)' dmodk --hosts 'H[00-03]'
  refused 'no host is called Hx (did you mean H0?)' job 'ft(4,2)' dmodk --hosts Hx
}

@test "trace names a port as it takes it" {
  rails='rails(units=2,hosts=3,rails=2,spines=2)'
  run --separate-stderr "$FATWOOD" trace "$rails" minhop --from node-0001 --to node-0002
  [ "$status" -eq 2 ]
  name=$(sed -n 's/.*such as "\(.*\)"$/\1/p' <<<"$stderr")
  [ -n "$name" ]
  run -0 "$FATWOOD" trace "$rails" minhop --from "$name" --to 0x0010000000000200
}

@test "a mistake in a list of jobs has its column" {
  echo 'other H[4-7] allgathr 1M' >jobs
  refused 'jobs:1:14: ' job 'ft(4,2)' dmodk --hosts 'H[0-3]' --beside jobs
  echo 'other H[4-7] allgather 1X' >jobs
  refused 'jobs:1:24: ' job 'ft(4,2)' dmodk --hosts 'H[0-3]' --beside jobs
  echo '12|3|H[4-7]|x' >jobs
  refused 'jobs:1:4: job 12 has 3 nodes, but its list has 4' job 'ft(4,2)' dmodk --hosts 'H[0-3]' --beside jobs
  printf 'a H4\na H5\n' >jobs
  refused 'jobs:2:3: another job on line 1 has the name a' job 'ft(4,2)' dmodk --hosts 'H[0-3]' --beside jobs
}

@test "an option with nothing in it is refused" {
  refused 'found nothing' route 'ft(4,2)' --engine updn+ -o ''
  refused 'found nothing' show ''
  refused 'found nothing' verify 'ft(4,2)' updn+ --certificate ''
}

@test "numbers that are none are refused" {
  refused 'expected a whole number from 0' show 'ft(4,2)' --fault-seed -1
  refused 'expected a whole number from 0' route 'ft(4,2)' --engine updn+ --seed 99999999999999999999
  refused '--sample: expected a whole number from 1 to' optimise 'ft(4,2)' --engine bfot --sample 0
  refused 'cycles 9000000000000000000: expected 100 to' sim 'ft(4,2)' --routing dmodk --load 0.3 \
    --cycles 9000000000000000000
}

@test "nan and infinity are no numbers, wherever one is read" {
  for bad in nan -nan inf -inf NaN infinity; do
    refused 'expected a number' permutations 'ft(4,2)' dmodk --width $bad
    refused 'load: expected a number' sim 'ft(4,2)' --routing minhop --load $bad
    refused 'load: expected a number' sim 'ft(4,2)' --routing minhop --load 0.1:$bad:0.1
    for option in --switch-load --link-speed --terminal-speed --port0-speed; do
      refused 'expected a number' sim 'ft(4,2)' --routing minhop --load 0.5 $option=$bad
    done
    echo "H0[1] $bad" >links
    refused 'links:1:7: expected gigabits' sim 'ft(4,2)' --routing minhop --load 0.5 --links links
    echo "$bad H0 H1 64" >trace
    refused 'trace:1:1: expected a time' sim 'ft(4,2)' --routing minhop --trace trace
    refused 'expected a number' load 'ft(4,2)' dmodk --traffic uniform:$bad
    echo "H0 H1 $bad" >traffic
    refused 'traffic:1:7: ' load 'ft(4,2)' dmodk --traffic file:traffic
  done
}

@test "a file that can't be read to its end is not taken for one that ends there" {
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables >/dev/null
  broken=/proc/self/mem
  [ -e $broken ] || skip "no file here that opens and can't be read"
  refused "$broken:1: can't be read further" sim 'ft(4,2)' --routing minhop --load 0.5 --links $broken
  refused "$broken:1: can't be read further" sim 'ft(4,2)' --routing minhop --trace $broken
  refused "$broken:1: can't be read further" load 'ft(4,2)' dmodk --traffic file:$broken
  refused "$broken: can't be read to its end" verify 'ft(4,2)' tables --check $broken
}

@test "a line without an end is refused, not read" {
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables >/dev/null
  head -c 100000 /dev/zero | tr '\0' 'x' >long
  refused 'long:1: a line has more than 65536 bytes' sim 'ft(4,2)' --routing minhop --load 0.5 --links long
  refused 'long:1: a line has more than 65536 bytes' sim 'ft(4,2)' --routing minhop --trace long
  refused 'long:1: a line has more than 65536 bytes' load 'ft(4,2)' dmodk --traffic file:long
  refused 'long:1: ' verify 'ft(4,2)' tables --check long
}

@test "a table that can't be printed is an error" {
  run bash -c '"$FATWOOD" show "ft(4,2)" >/dev/full'
  [ "$status" -eq 2 ]
  [[ "$output" == *"standard output can't be written"* ]]
  run bash -c '"$FATWOOD" show "ft(4,2)" --json >/dev/full'
  [ "$status" -eq 2 ]
  run bash -c '"$FATWOOD" convert "ft(4,2)" --to dot >/dev/full'
  [ "$status" -eq 2 ]
}

@test "folders, zeros and empty files are refused wherever a file is read" {
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables >/dev/null
  "$FATWOOD" route 'ft(4,2)' --engine lash --sl levels -o laned >/dev/null
  for option in --order --roots --compute --uncounted --io --faults --node-name-map; do
    refused 'is a directory; expected a file' route 'ft(4,2)' --engine sftree $option folder
    refused 'zeros:1:1: ' route 'ft(4,2)' --engine sftree $option zeros
    [[ "$stderr" == *'\u0000\u0000'* ]]
  done
  for option in --order --roots --compute; do
    refused 'empty: names no node' route 'ft(4,2)' --engine sftree $option empty
  done
  for file in folder empty zeros; do
    refused "$file" show $file
    refused "$file" verify 'ft(4,2)' $file
    refused "$file" verify 'ft(4,2)' tables --sl $file
    refused "$file" verify 'ft(4,2)' laned --sl levels --sl2vl $file
    refused "$file" verify 'ft(4,2)' updn+ --check $file
    refused "$file" load 'ft(4,2)' dmodk --traffic file:$file
    refused "$file" sim 'ft(4,2)' --routing dmodk --trace $file
    refused "$file" job 'ft(4,2)' dmodk --hosts @$file
  done
}

@test "a list of nodes is no fabric" {
  printf 'Switch\t : 0x000000000000001f ports 36 devid 0xd2f0 vendid 0x2c9 "leaf"\n' >list
  refused 'list:1:9: this is a list of nodes without cables (ibnetdiscover -l' show list
}

@test "one terminal has nobody to talk to" {
  refused 'fewer than two hosts' worst 'pgft(1;1;1;1)' dmodk
  refused 'fewer than two hosts' sim 'pgft(1;1;1;1)' --routing dmodk --load 0.5
  refused 'fewer than two hosts' permutations 'pgft(1;1;1;1)' dmodk
}

@test "two adapters without a switch are shown, and refused by engines for trees" {
  cat >pair <<'EOF'
caguid=0xa1
Ca	1 "H-00000000000000a1"		# "left"
[1](a2) 	"H-00000000000000b1"[1] (b2) 		# lid 1 lmc 0 "right" lid 2 4xEDR

caguid=0xb1
Ca	1 "H-00000000000000b1"		# "right"
[1](b2) 	"H-00000000000000a1"[1] (a2) 		# lid 2 lmc 0 "left" lid 1 4xEDR
EOF
  run -0 "$FATWOOD" show pair
  [[ "$output" == *"No switches."* ]]
  [[ "$output" == *"left[1] - right[1]: two adapters without a switch between"* ]]
  run -1 "$FATWOOD" verify pair ftree
  run -0 "$FATWOOD" verify pair minhop
}

@test "the chips of a director have names of their own" {
  director() {
    local chip
    for chip in 1 2; do
      printf 'sysimgguid=0xd0\nswitchguid=0xd%d(d%d)\n' $chip $chip
      printf 'Switch\t36 "S-00000000000000d%d"\t\t# "MF0;core [rack 7]:CS7520/L0%d/U1" enhanced port 0 lid %d lmc 0\r\n' \
        $chip $chip $chip
      printf '[1]\t"S-00000000000000e1"[%d]\t\t# "MF0;top:MSB7700/U1" lid 3 4xEDR\r\n\r\n' $chip
    done
    printf 'switchguid=0xe1(e1)\nSwitch\t36 "S-00000000000000e1"\t\t# "MF0;top:MSB7700/U1" base port 0 lid 3 lmc 0\n'
    printf '[1]\t"S-00000000000000d1"[1]\t\t# "x" lid 1 4xEDR\n[2]\t"S-00000000000000d2"[1]\t\t# "x" lid 2 4xEDR\n'
  }
  director >net
  run -0 "$FATWOOD" trace net minhop --from 0xd1 --to 0xd2
  [[ "$output" == *"core [rack 7]:CS7520/L01/U1"* ]]
  [[ "$output" == *"top"* && "$output" != *"MSB7700"* ]]
  run -0 "$FATWOOD" show net
  [[ "$output" != *"same-name"* ]]
}

@test "worst traffic of adapters with two ports can be loaded again" {
  "$FATWOOD" worst 'xgft(2;4,4;2,2)' updn+ -o traffic >/dev/null
  run -0 "$FATWOOD" load 'xgft(2;4,4;2,2)' updn+ --traffic file:traffic
}

@test "an engine is no file of tables, and a file is no engine to start from" {
  refused "OLD must be a file of tables; minhop is an engine: write its tables with fatwood route 'torus(4,4)' minhop -o minhop.lft" \
    transition 'torus(4,4)' minhop new.lft
  "$FATWOOD" route 'ft(4,2)' minhop -o old.lft
  refused 'NEW must be a file of tables; updn+ is an engine' transition 'ft(4,2)' old.lft updn+
  refused 'OLD must be a file of tables; even is an engine' repair 'ft(4,2)' even
  refused 'each word of --tables must be a file of tables; dmodk is an engine' \
    diff 'ft(4,2)' 'ft(4,2)' --tables old.lft dmodk
  refused 'optimise starts from an engine, such as even, not from a file of tables (old.lft)' \
    optimise 'ft(4,2)' old.lft
  refused 'there is no engine "evn" (did you mean even?)' optimise 'ft(4,2)' evn
  cp old.lft even
  "$FATWOOD" repair 'ft(4,2)' even  # a file of that name
}

@test "a routing is listed once" {
  run --separate-stderr "$FATWOOD" load 'ft(4,2)' evn --traffic ring
  [ "$(grep -o ' dmodk' <<<"$stderr" | wc -l)" -eq 1 ]
}

@test "a fabric without hosts has none for a job" {
  printf 'Switch 4 "S-1"\n[1] "S-2"[1]\nSwitch 4 "S-2"\n[1] "S-1"[1]\n' >bare
  refused '--hosts: this fabric has no hosts' job bare minhop --hosts all
}

@test "the name of a host means all its adapters, in every option of faults" {
  rails='rails(units=2,hosts=3,rails=2,spines=2)'
  adapters() { "$FATWOOD" show "$rails" "$@" --json | jq -c '[.adapters, .links]'; }
  [ "$(adapters)" = '[18,34]' ]
  [ "$(adapters --remove node-0001)" = '[16,32]' ]
  [ "$(adapters --cut node-0001)" = '[18,32]' ]
  "$FATWOOD" whatif "$rails" even --lose node-0001 --json | jq -e '.repaired.pairs_lost == 12 * 11 - 10 * 9'
}

@test "sizes of messages: the option and its limits" {
  for size in 0 -1 1000000000G 1Q; do
    refused "--message-size: expected a size from 1 byte to 1024G, like 2048, 4k or 16M, not \"$size\"" \
      job 'ft(4,2)' dmodk --hosts all --message-size "$size"
    refused "--message-size: expected a size from 1 byte" \
      sim 'ft(4,2)' dmodk --collective ring --message-size "$size"
  done
}

@test "a fabric that is cut short" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover >whole
  ends=0
  size=$(wc -c <whole)
  for ((bytes = size - 40; bytes > size - 400; bytes -= 7)); do
    head -c "$bytes" whole >cut
    run --separate-stderr "$FATWOOD" show cut
    [[ "$status" -ne 2 || "$stderr" == *"cut short"* ]] || { echo "$bytes: $stderr"; false; }
    [ "$status" -ne 2 ] || ends=$((ends + 1))
  done
  [ "$ends" -gt 10 ]
  "$FATWOOD" convert 'ft(4,2)' --to json | head -c 900 >cut
  refused 'expected a JSON value (the file may be cut short)' show cut
  "$FATWOOD" plan --hosts 8 --choose 1 --figures none -o planned >text
  head -c 900 planned/plan.json >cut
  refused 'expected JSON (the file may be cut short)' show cut
  sed '0,/^\[1\]/s/^\[1\].*/[1] nonsense/' whole >wrong  # not at its end
  run --separate-stderr "$FATWOOD" show wrong
  [ "$status" -eq 2 ]
  [[ "$stderr" != *"cut short"* ]]
}

@test "live without a port says what it needs" {
  mkdir bin
  printf '#!/bin/sh\necho "ibpanic: no port" >&2\nexit 1\n' >bin/ibnetdiscover
  chmod +x bin/ibnetdiscover
  PATH="$PWD/bin:$PATH" refused \
    'no port; run as root on a host with an active InfiniBand port' check live live
}
