#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood worst: known ratios, certificates that load as told, bounds told as bounds.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "known ratios, as fractions" {
  run --separate-stderr "$FATWOOD" worst 'ft(8,2)' disjoint:3 --json
  [ "$status" -eq 0 ]
  [ "$(jq -r .ratio <<<"$output")" = 4/3 ]
  run --separate-stderr "$FATWOOD" worst 'ft(4,3)' dmodk --json
  [ "$(jq -r .ratio <<<"$output")" = 3 ]
}

@test "a complete tree with other cables has no exact ratio by its formula" {
  fixtures="$BATS_TEST_DIRNAME/../../fixtures/fabrics"
  run --separate-stderr "$FATWOOD" worst "$fixtures/xgft-2-4-4-horizontal-cables.json" dmodk --json
  [ "$status" -eq 0 ]
  jq -e '.ratio_at_most_value >= 4 or .ratio_value >= 4' <<<"$output"
}

@test "paths of two addresses that share a channel count together" {
  "$FATWOOD" convert 'random(2,1,terminals=3)' --to json -o fabric.json
  "$FATWOOD" route fabric.json sssp --lmc 1 -o tables >/dev/null
  run --separate-stderr "$FATWOOD" worst fabric.json tables --permutation --json
  [ "$status" -eq 0 ]
  jq -e '.load_value == 1' <<<"$output"
}

@test "the traffic it writes gives that ratio when loaded" {
  "$FATWOOD" worst 'xgft(3;4,4,8;1,4,4)' osrm:3 -o t --json >worst.json
  run --separate-stderr "$FATWOOD" load 'xgft(3;4,4,8;1,4,4)' osrm:3 --traffic file:t --json
  [ "$status" -eq 0 ]
  [ "$(jq -r .perf <<<"$output")" = "$(jq -r .ratio worst.json)" ]
  [ "$(jq -r .ratio worst.json)" = 7/3 ]
}

@test "an engine's tables are as bad as the algebraic routing they hold" {
  closed=$("$FATWOOD" worst 'ft(8,3)' dmodk --json | jq -r .ratio)
  "$FATWOOD" route 'ft(8,3)' --engine dmodk -o tables >/dev/null
  run --separate-stderr "$FATWOOD" worst 'ft(8,3)' ./tables --json
  [ "$status" -eq 0 ]
  [ "$(jq -r .ratio <<<"$output")" = "$closed" ]
}

@test "a complete tree that comes from a file is recognised and served exactly" {
  "$FATWOOD" convert 'ft(8,3)' --to ibnetdiscover -o net
  run --separate-stderr "$FATWOOD" worst net osrm:2 -o t --json
  [ "$status" -eq 0 ]
  [ "$(jq -r .ratio <<<"$output")" = 3 ]
  run --separate-stderr "$FATWOOD" load net osrm:2 --traffic file:t --json
  [ "$(jq -r .perf <<<"$output")" = 3 ]
  "$FATWOOD" route net --engine sftree -o tables >/dev/null
  [ "$("$FATWOOD" worst net tables --json | jq -r .ratio)" = "$("$FATWOOD" worst 'ft(8,3)' sftree --json | jq -r .ratio)" ]
}

@test "on a damaged tree there are bounds, and the lower is not above the upper" {
  run --separate-stderr "$FATWOOD" worst 'ft(8,2)' minhop --cut 'S1_0[1]' --json
  [ "$status" -eq 0 ]
  jq -e '.ratio_at_least <= .ratio_at_most_value + 1e-9' <<<"$output"
  jq -e '.ratio_at_least >= 1' <<<"$output"
}

@test "where the bounds of a damaged tree meet, the ratio is exact, and other code finds it too" {
  "$FATWOOD" worst 'ft(4,3)' sftree --cut 2 --keep-connected -o traffic >text
  grep -q '^oblivious ratio  exactly [0-9]*: the bounds meet$' text
  "$FATWOOD" worst 'ft(4,3)' sftree --cut 2 --keep-connected --json >worst
  jq -e '.ratio == .ratio_at_most and .oload_at_most == 1' worst
  "$FATWOOD" load 'ft(4,3)' sftree --cut 2 --keep-connected --traffic file:traffic --json >load
  jq -s -e '.[0].ratio_value == .[1].perf_value' worst load
}

@test "tables of a complete tree that take a detour or miss a route have bounds, with the reason" {
  "$FATWOOD" route 'ft(4,2)' --engine minhop -o tables
  # H0 over S2_0 by way of S1_1 and S2_1; then no route from S2_0 to H0.
  awk '/^Unicast/ {of = $0} /^0x0001/ && of ~ /S2_0|S1_1/ {$2 = "002"} {print}' tables >detour
  awk '/^Unicast/ {of = $0} /^0x0001/ && of ~ /S2_0/ {next} {print}' tables >hole
  jq -e '.why_bounds == "the route from H4 to H0 is not a shortest path up and down the tree" and .ratio == 3' \
    <("$FATWOOD" worst 'ft(4,2)' detour --json)
  jq -e '.why_bounds == "there is no route from H2 to H0"' <("$FATWOOD" worst 'ft(4,2)' hole --json 2>/dev/null)
}

@test "the worst permutation of a ring" {
  run --separate-stderr "$FATWOOD" worst 'ring(6)' minhop --permutation --json
  [ "$status" -eq 0 ]
  jq -e '.load | tonumber >= 2' <<<"$output"
}

@test "wrong input is refused" {
  run --separate-stderr "$FATWOOD" worst 'ft(8,3)' disjoint:0
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"K is 0"* ]]
  run --separate-stderr "$FATWOOD" worst 'ft(8,3)' osrm2
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"it needs"* ]]
  run --separate-stderr "$FATWOOD" worst 'ft(8,3)' no-such-routing
  [ "$status" -eq 2 ]
}

@test "hosts with several ports: the exact ratio, for algebraic routings and tables" {
  for routing in dmodk smodk umulti disjoint:2 minhop updn+ sssp dfsssp lash nue ftree sftree even bfot apot; do
    run --separate-stderr "$FATWOOD" worst 'xgft(2;4,3;2,2)' $routing -o t --json
    [ "$status" -eq 0 ]
    ratio=$(jq -r .ratio <<<"$output")
    [ "$ratio" != null ]
    run --separate-stderr "$FATWOOD" load 'xgft(2;4,3;2,2)' $routing --traffic file:t --json
    [ "$(jq -r .perf <<<"$output")" = "$ratio" ]
  done
}

@test "two adapters on one cable: the channel is loaded once" {
  cat >mix <<'END'
Switch 2 "S"
[1] "H0"[1]
[2] "H1"[1]

Hca 1 "H0"
[1] "S"[1]

Hca 1 "H1"
[1] "S"[2]

Hca 1 "H2"
[1] "H3"[1]

Hca 1 "H3"
[1] "H2"[1]
END
  run --separate-stderr "$FATWOOD" worst mix minhop --json
  [ "$status" -eq 0 ]
  jq -e '.ratio_at_least == 1 and .oload_at_most == 1' <<<"$output"
}

@test "the level of the worst channel is that of its lower end" {
  for tree in 'ft(4,2)' 'xgft(3;4,4,8;1,4,4)' 'kary(2,3)'; do
    "$FATWOOD" worst "$tree" dmodk --json >worst
    # "S2_0[1] -> S3_0[1]" is between levels 2 and 3.
    lower=$(jq -r .channel worst | grep -o '[SH][0-9]*_*' | sed 's/H.*/0/; s/[S_]//g' | sort -n | head -n 1)
    [ "$(jq .level worst)" = "$lower" ] || { cat worst; false; }
  done
}
