#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood verify, verify and compare: --check verdicts, exit codes, what they refuse.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "updn+ holds on a tree, exit 0" {
  run --separate-stderr "$FATWOOD" verify 'ft(4,3)' updn+
  [ "$status" -eq 0 ]
  [[ "$output" == *"holds      yes"* ]]
}

@test "minhop on ft(4,3) has a cycle, named as hosts and ports, exit 1" {
  run --separate-stderr "$FATWOOD" verify 'ft(4,3)' --engine minhop --json
  [ "$status" -eq 1 ]
  [[ "$output" == '{"fatwood":"'*'","holds":false,'* ]]
  [[ "$output" == *'"unreachable":{"terminal_terminal":0,"terminal_switch":0,"switch_terminal":0,"switch_switch":0}'* ]]
  [[ "$output" == *'"deadlock_free":false,"deadlock_free_packets_of":{"hosts":true,"aggregation_nodes":true,"switches":false},"lanes":1,'* ]]
  [[ "$output" == *'"cycle":[{"lane":0,"channel":"S'* ]]
}

@test "packets of terminals alone don't deadlock there" {
  run "$FATWOOD" verify 'ft(4,3)' minhop --terminals-only
  [ "$status" -eq 0 ]
}

@test "a certificate is written, checked, and refused when it is of other tables" {
  run "$FATWOOD" verify 'ft(4,3)' updn+ --certificate proof
  [ "$status" -eq 0 ]
  run "$FATWOOD" verify 'ft(4,3)' updn+ --check proof
  [ "$status" -eq 0 ]
  [[ "$output" == "holds: "* ]]
  run "$FATWOOD" verify 'ft(4,3)' minhop --check proof
  [ "$status" -eq 1 ]
  [[ "$output" == *"proof:3: "* ]]
  run "$FATWOOD" verify 'ft(4,2)' updn+ --check proof
  [ "$status" -eq 2 ]
}

@test "a mangled certificate is refused with its line" {
  "$FATWOOD" verify 'ft(4,3)' updn+ --certificate proof
  sed '10s/ 1$/ 99/' proof >bad
  run "$FATWOOD" verify 'ft(4,3)' updn+ --check bad
  [ "$status" -eq 2 ]
  [[ "$output" == *"bad:10: "* ]]
  head -n 50 proof >bad
  run "$FATWOOD" verify 'ft(4,3)' updn+ --check bad
  [ "$status" -eq 2 ]
  [[ "$output" == *"bad:51: "*"ends"* ]]
}

@test "an order that routes descend is refused, exit 1" {
  "$FATWOOD" verify 'ft(4,3)' updn+ --certificate proof
  { head -n 6 proof; sed -n '7,102p' proof | tac; tail -n 1 proof; } >bad
  run "$FATWOOD" verify 'ft(4,3)' updn+ --check bad
  [ "$status" -eq 1 ]
  [[ "$output" == *"waits for"* ]]
}

@test "no certificate for what can deadlock" {
  run "$FATWOOD" verify 'ft(4,3)' minhop --certificate proof
  [ "$status" -eq 1 ]
  [ ! -e proof ]
}

@test "tables from a file hold as the engine's do; a part of them does not" {
  "$FATWOOD" route 'ft(4,3)' --engine updn+ -o tables
  run "$FATWOOD" verify 'ft(4,3)' tables
  [ "$status" -eq 0 ]
  grep -v '^0x0003 ' tables >part
  run --separate-stderr "$FATWOOD" verify 'ft(4,3)' part
  [ "$status" -eq 1 ]
  [[ "$output" == *"no entry"* ]]
  [[ "$output" == *"does not reach"* ]]
}

@test "a switch's entry for its own LID counts like any other" {
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables
  "$FATWOOD" verify 'ft(4,2)' tables --certificate proof
  grep -q '^0x0009 000' tables
  for port in 001 200 255; do
    sed "0,/^0x0009 000/s/^0x0009 000/0x0009 $port/" tables >bad
    run --separate-stderr "$FATWOOD" verify 'ft(4,2)' bad --json
    [ "$status" -eq 1 ]
    [ "$(jq '.unreachable.terminal_switch' <<<"$output")" = 8 ]
    run "$FATWOOD" verify 'ft(4,2)' bad --check proof
    [ "$status" -eq 1 ]
  done
}

@test "lanes from a file count" {
  "$FATWOOD" route 'ring(5)' --engine dfsssp -o tables --sl lanes
  run "$FATWOOD" verify 'ring(5)' tables --sl lanes
  [ "$status" -eq 0 ]
  run "$FATWOOD" verify 'ring(5)' tables
  [ "$status" -eq 1 ]
  # All levels in one lane: as if there were none.
  { echo 'Switch 0x0020000000000000, base LID 6, "S0"'; echo '0 1 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'; } >one
  run "$FATWOOD" verify 'ring(5)' tables --sl lanes --sl2vl one
  [ "$status" -eq 1 ]
}

# An SL-to-VL dump with all levels in one lane at switches up to $1, and each in its own elsewhere.
sl2vl() {
  local s in out
  for s in 0 1 2 3 4; do
    echo "Switch 0x002000000000000$s, base LID $((s + 6)), \"S$s\""
    for in in 0 1 2 3; do
      for out in 0 1 2 3; do
        if [ "$s" -le "$1" ]; then
          echo "$in $out : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
        else
          echo "$in $out : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
        fi
      done
    done
  done
}

@test "lanes may change from port to port: the verdict counts that" {
  "$FATWOOD" route 'ring(5)' --engine dfsssp -o tables --sl levels
  sl2vl -1 >same
  run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl same --json
  [ "$status" -eq 0 ]
  [ "$(jq .lanes <<<"$output")" = 2 ]
  # Where two lanes meet in one, a circle through both closes.
  sl2vl 3 >differ
  run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl differ --json
  [ "$status" -eq 1 ]
  [ "$(jq .deadlock_free <<<"$output")" = false ]
  [ "$(jq '[.cycle[].lane] | unique | length' <<<"$output")" -ge 1 ]
  run "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl differ
  [[ "$output" == *"16 lanes that routes change between: a shortest cycle"* ]]
  # Others need lanes that stay.
  run "$FATWOOD" trace 'ring(5)' tables --sl levels --sl2vl differ --from H0 --to H1
  [ "$status" -eq 2 ]
  # A way without a row can't be judged.
  sed -i '0,/^3 1 :/{/^3 1 :/d}' differ
  run "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl differ
  [ "$status" -eq 2 ]
  [[ "$output" == *"no row for S0 from port 3 to port 1"* ]]
}

@test "--sl2vl alone: are the tables safe for all levels, and if not, for which?" {
  "$FATWOOD" route 'ring(5)' --engine updn+ -o safe
  "$FATWOOD" route 'ring(5)' --engine minhop -o unsafe
  sl2vl 3 >differ
  run --separate-stderr "$FATWOOD" verify 'ring(5)' safe --sl2vl differ --json
  [ "$status" -eq 0 ]
  jq -e '.service_levels.discarded == [15] and .service_levels.safe_together == [range(15)]' <<<"$output"
  run --separate-stderr "$FATWOOD" verify 'ring(5)' unsafe --sl2vl differ --json
  [ "$status" -eq 1 ]
  jq -e '.service_levels.cyclic | length >= 15' <<<"$output"
  # One lane for each level everywhere: what holds for one lane.
  { echo 'Switch 0x0020000000000000, base LID 6, "S0"'; echo '0 1 : 0 1 2 3 15 0 0 0 0 0 0 0 0 0 0 0'; } >one
  run --separate-stderr "$FATWOOD" verify 'ring(5)' safe --sl2vl one --json
  [ "$status" -eq 0 ]
  jq -e '.service_levels.discarded == [4]' <<<"$output"
  run "$FATWOOD" verify 'ring(5)' unsafe --sl2vl one
  [ "$status" -eq 1 ]
  # An engine can be asked, too; a certificate needs the levels of paths; other verbs need --sl.
  run "$FATWOOD" verify 'ring(5)' updn+ --sl2vl differ
  [ "$status" -eq 0 ]
  run "$FATWOOD" verify 'ring(5)' safe --sl2vl differ --certificate proof
  [ "$status" -eq 2 ]
  run "$FATWOOD" load 'ring(5)' safe --traffic alltoall --sl2vl differ
  [ "$status" -eq 2 ]
}

@test "what is not checked has a name" {
  run "$FATWOOD" verify 'ft(4,2)' updn --json
  jq -e '.not_checked | index("multicast") != null and index("partitions") != null' <<<"$output"
}

@test "a proof for lanes that change is written, checked, and refused for other lanes" {
  "$FATWOOD" route 'ring(5)' --engine dfsssp -o tables --sl levels
  # The last switch calls lanes 0 and 1 by other numbers.
  sl2vl -1 >same
  awk '/"S4"/ { last = 1 } / : / && last { $4 = 2; $5 = 3 } { print }' same >renamed
  run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl renamed --certificate proof
  [ "$status" -eq 0 ]
  grep -q '^lane-map 0x' proof
  run "$FATWOOD" verify 'ring(5)' tables --check proof --sl levels --sl2vl renamed
  [ "$status" -eq 0 ]
  [[ "$output" == *"holds"* ]]
  run "$FATWOOD" verify 'ring(5)' tables --check proof --sl levels --sl2vl same
  [ "$status" -eq 1 ]
  [[ "$output" == *"proof:4: it is about a lane map"* ]]
  # A lane that there is not, and an order backwards.
  sed '8s/ [0-9]*$/ 99/' proof >bad
  run "$FATWOOD" verify 'ring(5)' tables --check bad --sl levels --sl2vl renamed
  [ "$status" -eq 2 ]
  [[ "$output" == *"bad:8: there is no such lane"* ]]
  { head -7 proof; sed '1,7d;$d' proof | tac; echo end; } >backwards
  run "$FATWOOD" verify 'ring(5)' tables --check backwards --sl levels --sl2vl renamed
  [ "$status" -eq 1 ]
  [[ "$output" == *"waits for"* ]]
}

@test "paths that a file of levels leaves out are reported, or refused if asked" {
  "$FATWOOD" route 'ring(5)' --engine dfsssp -o tables --sl levels
  run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl levels --whole-sl
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  grep -v ' 3 [01]$' levels >part # all to one host: from four other switches
  run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl part
  [[ "$stderr" == *"4 paths between switches have no service level, 4 of them between terminals"* ]]
  run "$FATWOOD" verify 'ring(5)' tables --sl part --whole-sl
  [ "$status" -eq 2 ]
}

@test "options of engines are refused with a file of tables" {
  "$FATWOOD" route 'ring(5)' --engine dfsssp -o tables --sl levels
  for option in '--lmc 1' '--groups 4' '--choice hashed' '--manager H0'; do
    # shellcheck disable=SC2086
    run "$FATWOOD" verify 'ring(5)' tables --sl levels $option
    [ "$status" -eq 2 ]
    [[ "$output" == *"${option%% *} needs an engine, and tables is none"* ]]
  done
}

@test "tables of another fabric are refused or clearly answered" {
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables
  run "$FATWOOD" verify 'ft(8,3)' tables
  [ "$status" -ne 0 ]
  [ "$status" -le 2 ]
}

@test "ports that do not exist are reported" {
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables
  sed -E '3s/^(0x[0-9a-f]+) [0-9]+/\1 200/' tables >bad
  run "$FATWOOD" verify 'ft(4,2)' bad
  [ "$status" -eq 1 ]
  [[ "$output" == *"bad:3: a route by a port that the switch does not have"* ]]
  [[ "$output" == *"does not reach H1[1]"* ]]
}

@test "neither tables nor engine is an error" {
  run "$FATWOOD" verify 'ft(4,2)'
  [ "$status" -eq 2 ]
  run "$FATWOOD" verify 'ft(4,2)' absent.lfts
  [ "$status" -eq 2 ]
}

@test "compare reports the most loaded link of shifts, and not how many conflicts there are" {
  run --separate-stderr "$FATWOOD" compare 'ft(8,2)' --cut 3 --json
  [ "$status" -eq 0 ]
  jq -e '[.engines[].shift | select(. != null) | .mean_largest <= .largest and .largest <= 4 * .mean_largest
    and (.conflicts == 0 or .conflicts > .largest)] | all and length > 4' <<<"$output"
}

@test "compare prints a row for every engine" {
  run --separate-stderr "$FATWOOD" compare 'ft(4,3)'
  [ "$status" -eq 0 ]
  for engine in minhop updn+; do [[ "$output" == *"$engine "* ]]; done
  run --separate-stderr "$FATWOOD" compare 'ring(6)' --json
  [ "$status" -eq 0 ]
  [[ "$output" == '{"fatwood":"'*'","engines":[{"name":"'* ]]
  [[ "$output" == *'"deadlock_free":false'* ]]
}

@test "an engine is checked on connected pairs; verify wants every pair, and counts disconnected ones" {
  run --separate-stderr "$FATWOOD" compare 'ft(4,2)' --cut S2_0
  [ "$status" -eq 0 ]
  [[ "$output" != *BROKEN* ]]
  [[ "$output" == *"26 pairs are disconnected"* ]]
  run --separate-stderr "$FATWOOD" compare 'ft(4,2)' --cut S2_0 --json
  [ "$(jq '.engines[0].apart | add' <<<"$output")" = 26 ]
  [ "$(jq '[.engines[] | select(.refused == null) | .kept] | all' <<<"$output")" = true ]
  run --separate-stderr "$FATWOOD" verify 'ft(4,2)' minhop --cut S2_0 --json
  [ "$status" -eq 1 ]
  jq -e '(.apart | add) == 26' <<<"$output"
  # Two planes, for adaptive tables too.
  run --separate-stderr "$FATWOOD" compare 'xgft(2;4,3;2,2)'
  [ "$status" -eq 0 ]
  [[ "$output" != *BROKEN* ]]
  [[ "$output" != *refuses* ]]
  [[ "$output" == *"Recommended: sftree connects every pair that cables connect without deadlock."* ]]
  for engine in updn+ ar_updn sftree even; do
    run --separate-stderr "$FATWOOD" verify 'xgft(2;4,3;2,2)' "$engine" --json
    [ "$status" -eq 1 ]
    jq -e '(.apart | add) == 578 and .deadlock_free' <<<"$output"
  done
  # A connected fabric needs no note.
  run "$FATWOOD" compare 'ft(4,2)'
  [ "$status" -eq 0 ]
  [[ "$output" != *"disconnected"* ]]
}

@test "what is sent in the lane of management does not arrive" {
  "$FATWOOD" route 'ring(5)' --engine dfsssp -o tables --sl levels
  sl2vl -1 >same
  run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl same --json
  [ "$(jq '.discarded | add' <<<"$output")" = 0 ]
  [ "$status" -eq 0 ]
  # Level 1 in lane 15, everywhere or in all switches but one.
  sed 's/ : 0 1 / : 0 15 /' same >all
  awk '/"S4"/ { last = 1 } / : / && !last { $5 = 15 } { print }' same >one
  for file in all one; do
    run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl $file --json
    [ "$status" -eq 1 ]
    [ "$(jq '.holds' <<<"$output")" = false ]
    [ "$(jq '.discarded | add' <<<"$output")" -gt 0 ]
    [ "$(jq -c '.unreachable' <<<"$output")" = "$(jq -c '.discarded' <<<"$output")" ]
    [ "$(jq '.first_unreachable == null' <<<"$output")" = false ]
  done
  run --separate-stderr "$FATWOOD" verify 'ring(5)' tables --sl levels --sl2vl all
  [[ "$output" == *"in lane 15, which carries no data; the first is "* ]]
}

@test "multicast tables between those of two switches are skipped, and nothing after them" {
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables
  awk '{ print } /lids dumped/ {
    print "Multicast mlids [0xC000-0xC3FF] of switch Lid 9 guid 0x0020000000000000 (S):"
    print "            0        1"; print " MLid"; print "0xc000      x  x"; print "1 valid mlids dumped" }' tables >both
  grep -q mlids both
  run --separate-stderr "$FATWOOD" verify 'ft(4,2)' both --json
  [ "$status" -eq 0 ]
  [ "$(jq '.unreachable | add' <<<"$output")" = 0 ]
}

@test "compare ends with a recommendation, which holds" {
  run --separate-stderr "$FATWOOD" compare 'ft(4,3)' --cut 2
  [ "$status" -eq 0 ]
  [[ "${lines[-1]}" == "Recommended: "*" connects every pair without deadlock"* ]]
  [ "$("$FATWOOD" compare 'ft(8,3)' --json | jq -r .recommendation.engine)" = sftree ] # as even as nue, and for trees
  for fabric in 'ft(4,3)' 'ring(6)' 'torus(4,4)'; do
    "$FATWOOD" compare "$fabric" --json >compared
    engine=$(jq -r .recommendation.engine compared)
    [[ "$(jq -r .recommendation.reason compared)" == "$engine connects every pair"* ]]
    "$FATWOOD" verify "$fabric" --engine "$engine" >verdict
    least=$(jq '[.engines[] | select(.deadlock_free and .loops == 0 and ([.unreachable[]] | add) == 0
                                     and (.name | startswith("apot") | not)) | .use.largest] | min' compared)
    jq -e --arg e "$engine" --argjson l "$least" '.engines[] | select(.name == $e) | .use.largest == $l' compared
  done
}
