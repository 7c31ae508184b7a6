#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood repair and transition: what they tell, write and refuse.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "one cut cable changes few entries, and the rest stays" {
  "$FATWOOD" route 'ft(8,3)' --engine ftree -o old >/dev/null
  run --separate-stderr "$FATWOOD" repair 'ft(8,3)' --cut 'S1_0[1]' old -o new --forced-only --json
  [ "$status" -eq 0 ]
  jq -e '.entries_changed == .entries_forced and .entries_changed > 0 and .entries_changed < 200
         and .blocks_changed >= .blocks_forced and .transition == "any order" and .holds
         and (.mload | type) == "number" and (.mload_value | type) == "number"' <<<"$output"
  # A second way: entries of both dumps, one a line.
  entries() { awk '/^Unicast/ { guid = $(NF - 1) } /^0x/ { print guid, $1, $2 }' "$1" | sort; }
  changed=$(jq .entries_changed <<<"$output")
  [ "$(comm -23 <(entries old) <(entries new) | wc -l)" -eq "$changed" ]
  run --separate-stderr "$FATWOOD" verify 'ft(8,3)' --cut 'S1_0[1]' new --json
  jq -e '.unreachable.terminal_terminal == 0 and .loops == 0 and .deadlock_free' <<<"$output"
}

@test "a fresh route changes more than a repair" {
  "$FATWOOD" route 'ft(8,3)' --engine ftree -o old >/dev/null
  "$FATWOOD" route 'ft(8,3)' --cut 5% --engine ftree -o fresh >/dev/null
  repaired=$("$FATWOOD" repair 'ft(8,3)' --cut 5% old --json | jq .entries_changed)
  afresh=$("$FATWOOD" transition 'ft(8,3)' --cut 5% old fresh --json | jq .entries_changed)
  [ "$repaired" -lt "$afresh" ]
}

@test "the tables of a whole fabric are kept as they are" {
  "$FATWOOD" route 'ft(4,3)' --engine sftree -o old >/dev/null
  run --separate-stderr "$FATWOOD" repair 'ft(4,3)' old -o new --json
  [ "$status" -eq 0 ]
  jq -e '.entries_changed == 0 and .blocks_changed == 0 and .pairs_changed == 0' <<<"$output"
  cmp old new
}

@test "tables that turn the other way cannot be mixed with tree tables" {
  "$FATWOOD" route 'ring(5)' --engine updn+ -o old >/dev/null
  "$FATWOOD" route 'ring(5)' --engine dnup -o new >/dev/null
  run --separate-stderr "$FATWOOD" transition 'ring(5)' old new --json
  [ "$status" -eq 1 ]
  jq -e '.safe == "none" and .counter_example.kind == "cycle"' <<<"$output"
}

@test "what is no tree, other tables and absent files are refused" {
  "$FATWOOD" route 'ring(6)' --engine updn+ -o old >/dev/null
  run "$FATWOOD" repair 'ring(6)' old -o new
  [ "$status" -eq 1 ]
  [ ! -e new ]
  run "$FATWOOD" repair 'ft(4,2)' absent
  [ "$status" -eq 2 ]
  [[ "$output" == *absent* ]]
  printf 'no tables\n' >words
  run "$FATWOOD" repair 'ft(4,2)' words -o new
  [ "$status" -eq 2 ]
  [[ "$output" == *words* ]]
  [ ! -e new ]
}

@test "verify says whether old tables can be replaced by new ones" {
  "$FATWOOD" route 'ft(4,3)' --engine ftree -o old >/dev/null
  "$FATWOOD" repair 'ft(4,3)' --cut 'S2_0[1]' old -o new --json >/dev/null || true
  run --separate-stderr "$FATWOOD" verify 'ft(4,3)' --cut 'S2_0[1]' new --from old --json
  jq -e '.transition.safe == "any order" and .transition.entries_changed > 0 and has("holds")' <<<"$output"
  run --separate-stderr "$FATWOOD" verify 'ft(4,3)' new --from absent
  [ "$status" -eq 2 ]
  "$FATWOOD" route 'ft(4,3)' --engine ftree --lmc 1 -o wide >/dev/null
  run "$FATWOOD" verify 'ft(4,3)' old --from wide
  [ "$status" -eq 2 ]
}

@test "entries move in blocks that are sent anyway, and in spare ones, to even out the load" {
  "$FATWOOD" route 'ft(8,3)' --engine ftree -o old >/dev/null
  "$FATWOOD" repair 'ft(8,3)' --cut 3% old --forced-only --json >forced
  "$FATWOOD" repair 'ft(8,3)' --cut 3% old -o new --json >even
  jq -e --slurpfile forced forced '.mload <= $forced[0].mload and .mload_forced == $forced[0].mload
    and .blocks_changed == $forced[0].blocks_changed and .spare_blocks == 0 and .holds
    and .entries_changed >= .entries_forced and .transition == "any order"' even
  jq -e --slurpfile forced forced '.mload < $forced[0].mload' even
  # With the cables back nothing must change: it takes spare blocks to use them.
  "$FATWOOD" repair 'ft(8,3)' new --forced-only --json >idle
  "$FATWOOD" repair 'ft(8,3)' new --spare-blocks 40 -o spare --json >used
  jq -e '.blocks_changed <= .blocks_forced' idle
  jq -e --slurpfile idle idle '.mload < $idle[0].mload and .spare_blocks > 0 and .spare_blocks <= 40
    and .blocks_changed <= .blocks_forced + .spare_blocks and .holds' used
  "$FATWOOD" verify 'ft(8,3)' spare --json >proof || true
  jq -e '.unreachable.terminal_terminal == 0 and .loops == 0 and .deadlock_free' proof
  run "$FATWOOD" repair 'ft(8,3)' --cut 3% old --forced-only --spare-blocks 2
  [ "$status" -eq 2 ]
}

# A tree of four leaves, with an adapter on each of its two spines: routes between these two go
# down to a leaf and up again.
tree_with_hosts_on_spines() {
  "$FATWOOD" convert 'pgft(2;4,4;1,2;1,2)' --to ibsim -o plain >/dev/null
  awk '/^Switch/ && $3 ~ /"S2_/ { port = $2 + 1; sub($2, port); name = "A" n++
         own = sprintf("[%d]\t\"%s\"[1](3000%02d1)\t\t# \"\" lid 0 4xQDR", port, name, n)
         ends = ends sprintf("\ncaguid=0x3000%02d0\nCa\t1 \"%s\"\t\t# \"Aggregation Node\"\n" \
           "[1](3000%02d1)\t%s[%d]\t\t# lid 0 lmc 0 \"\" lid 0 4xQDR\n", n, name, n, $3, port) }
       /^$/ && own { print own; own = "" }
       { print }
       END { if (own) print own; printf "%s", ends }' plain >net
}

@test "fallback routes by a cut cable go another way, in the order of those that stay" {
  tree_with_hosts_on_spines
  "$FATWOOD" route net --engine sftree -o old >/dev/null
  for leaf in 0 1 2 3; do
    for port in 1 2 3 4; do
      run --separate-stderr "$FATWOOD" repair net --cut "S1_$leaf[$port]" old -o new --forced-only --json
      [ "$status" -eq 0 ]
      jq -e '.holds and .entries_dropped == 0 and .entries_changed == .entries_forced
             and .entries_least <= .entries_changed and .entries_changed <= 1.25 * .entries_least
             and (.unreachable | add) == 0' <<<"$output"
      "$FATWOOD" verify net --cut "S1_$leaf[$port]" new --json | jq -e .holds
    done
  done
  # Six further entries move so that the cores keep fifteen.
  "$FATWOOD" route 'ft(8,3)' --engine sftree -o old >/dev/null
  run --separate-stderr "$FATWOOD" repair 'ft(8,3)' --cut 'S1_9[1]' old --forced-only --json
  jq -e '.holds and (.unreachable | add) == 0 and .entries_changed <= 103 and .entries_least == 56' <<<"$output"
}

@test "a cut that splits the fabric: every connected pair has a route, and the others are counted" {
  "$FATWOOD" route 'xgft(3;3,3,4;1,3,3)' --engine sftree -o old >/dev/null
  for seed in 3 7; do
    run --separate-stderr "$FATWOOD" repair 'xgft(3;3,3,4;1,3,3)' --cut 45% --fault-seed $seed old -o new --json
    [ "$status" -eq 1 ]
    jq -e '.deadlock_free and .loops == 0 and .apart.terminal_terminal > 0
           and .unreachable.terminal_terminal == .apart.terminal_terminal' <<<"$output"
    run --separate-stderr "$FATWOOD" repair 'xgft(3;3,3,4;1,3,3)' --cut 45% --fault-seed $seed old
    [[ "$output" == *"of the pairs without a route are disconnected"* ]]
    run --separate-stderr "$FATWOOD" verify 'xgft(3;3,3,4;1,3,3)' --cut 45% --fault-seed $seed new --json
    jq -e '.unreachable.terminal_terminal == .apart.terminal_terminal and .deadlock_free' <<<"$output"
  done
}

@test "tables in several lanes are repaired and their lanes proved again" {
  for engine in dfsssp lash; do
    "$FATWOOD" route 'kary(3,3)' --engine $engine -o old --sl oldsl >/dev/null
    for cut in 'S1_0[1]' 'S2_4[2]' 3; do
      run --separate-stderr "$FATWOOD" repair 'kary(3,3)' --cut "$cut" old -o new --sl oldsl --sl-output newsl --json
      [ "$status" -eq 0 ]
      jq -e '.holds and .deadlock_free and .lanes > 1 and .entries_dropped == 0
             and (.unreachable | add) == 0' <<<"$output"
      run --separate-stderr "$FATWOOD" verify 'kary(3,3)' --cut "$cut" new --sl newsl --json
      [ "$status" -eq 0 ]
      jq -e '.holds and .lanes > 1' <<<"$output"
      # On one lane they could deadlock: the lanes are what holds.
      run --separate-stderr "$FATWOOD" verify 'kary(3,3)' --cut "$cut" new --json
      jq -e '.deadlock_free | not' <<<"$output"
    done
  done
  run "$FATWOOD" repair 'kary(3,3)' old --sl-output newsl
  [ "$status" -eq 2 ]
  run "$FATWOOD" repair 'kary(3,3)' old --sl absent
  [ "$status" -eq 2 ]
}

@test "new switches and addresses of an LMC are taken in" {
  # Tables of the tree before its last core was there.
  "$FATWOOD" route 'ft(4,3)' --remove S3_3 --engine ftree --lmc 1 -o old >/dev/null
  run --separate-stderr "$FATWOOD" repair 'ft(4,3)' old -o new --json
  [ "$status" -eq 0 ]
  jq -e '.holds and .entries_changed > 0 and .unreachable.terminal_terminal == 0
         and .unreachable.terminal_switch == 0 and .transition == "any order"' <<<"$output"
  run --separate-stderr "$FATWOOD" verify 'ft(4,3)' new --json
  jq -e '.unreachable.terminal_terminal == 0 and .loops == 0 and .deadlock_free' <<<"$output"
  # A cut with two addresses a host: each keeps what it can.
  run --separate-stderr "$FATWOOD" repair 'ft(4,3)' --cut 'S1_0[1]' new --forced-only --json
  [ "$status" -eq 0 ]
  jq -e '.holds and .entries_changed == .entries_forced and .entries_changed < 100' <<<"$output"
}

@test "transition judges each lane by itself where service levels are given" {
  "$FATWOOD" route 'ring(6)' --engine dfsssp -o old --sl old.sl >/dev/null
  # On one lane the tables of dfsssp can deadlock, so nothing can be said of mixtures.
  run --separate-stderr "$FATWOOD" transition 'ring(6)' old old --json
  [ "$status" -eq 1 ]
  jq -e '.safe == "none" and .counter_example.lane == 0' <<<"$output"
  run --separate-stderr "$FATWOOD" transition 'ring(6)' old old --sl old.sl --new-sl old.sl
  [ "$status" -eq 0 ]
  [[ "$output" == *"in any order"*"lanes"* ]]
  run --separate-stderr "$FATWOOD" transition 'ring(6)' old old --sl old.sl
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"--new-sl"* ]]
  # verify judges lanes as transition does.
  run --separate-stderr "$FATWOOD" verify 'ring(6)' old --sl old.sl --from old --json
  [ "$status" -eq 1 ]
  jq -e '.deadlock_free and .transition.safe == "none"' <<<"$output"
  for now in 'old --sl old.sl' dfsssp; do
    run --separate-stderr "$FATWOOD" verify 'ring(6)' $now --from old --from-sl old.sl --json
    [ "$status" -eq 0 ]
    jq -e '.deadlock_free and .transition.safe == "any order"' <<<"$output"
  done
  run --separate-stderr "$FATWOOD" verify 'ring(6)' old --from old --from-sl old.sl
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"both --sl and --from-sl"* ]]
  run "$FATWOOD" verify 'ring(6)' old --from-sl old.sl
  [ "$status" -eq 2 ]
}

@test "pairs that no cable joins have no route that changes, and none that a loss could take" {
  # Two planes, in each three leaves of four ports.
  "$FATWOOD" route 'xgft(2;4,3;2,2)' --engine even -o tables
  "$FATWOOD" repair 'xgft(2;4,3;2,2)' --cut 'S1_0[1]' tables -o new --forced-only --json >report 2>messages || [ $? -eq 1 ]
  jq -e '.pairs_changed == 2 * 4 * 8 / 2' report  # half of what the leaf's ports send and get
  "$FATWOOD" whatif 'xgft(2;4,3;2,2)' even --only switches --json |
    jq -e '[.faults[] | select(.remove | startswith("S1_")) | .pairs_lost] | length > 0 and all(. == 2 * 4 * 8 + 4 * 3)'
}

@test "repair: every figure of one cut" {
  "$FATWOOD" route 'ft(4,3)' --engine ftree -o old >/dev/null
  run --separate-stderr "$FATWOOD" repair 'ft(4,3)' --cut 'S1_0[1]' old -o new --forced-only --json
  [ "$status" -eq 0 ]
  jq -e '.entries_changed == 43 and .entries_forced == 43 and .entries_least == 19
         and .entries_dropped == 19 and .entries == 720 and .blocks_changed == 14
         and .blocks_forced == 14 and .blocks == 20 and .pairs_changed == 28 and .pairs == 240
         and .transition == "any order" and .loops == 0 and .deadlock_free and .holds
         and .unreachable == {"terminal_terminal": 0, "terminal_switch": 12, "switch_terminal": 12,
                              "switch_switch": 88}
         and (.apart | add) == 0 and .lanes == 1 and .routes_moved == 0 and .spare_blocks == 0
         and .mload == 28 and .mload_forced == 28 and .files == ["new"]' <<<"$output"
}

@test "repair connects what fresh tables connect (defect 11)" {
  "$FATWOOD" convert 'rlft(2,3)' --cut 2 --fault-seed 5036 --to ibnetdiscover -o net
  "$FATWOOD" route net --engine sftree -o old >/dev/null
  run --separate-stderr "$FATWOOD" repair net --cut 2 --remove 1 --fault-seed 1334 old -o new --json
  [ "$status" -eq 0 ]
  jq -e '(.unreachable | add) == 0 and .holds' <<<"$output"
  "$FATWOOD" verify net --cut 2 --remove 1 --fault-seed 1334 new --json | jq -e .holds
  # One cut of a damaged tree: a few entries more, not fresh tables.
  "$FATWOOD" convert 'rlft(3,3)' --cut 6% --keep-connected --fault-seed 1 --to ibnetdiscover -o net
  "$FATWOOD" route net --engine sftree -o old >/dev/null
  run --separate-stderr "$FATWOOD" repair net --cut 1 --fault-seed 3 old --forced-only --json
  jq -e '(.unreachable | add) == 0 and .entries_changed <= 76 and .entries_least == 52' <<<"$output"
}

@test "repair --lanes N: new tables have at most N lanes (defect 15)" {
  "$FATWOOD" route 'kary(3,3)' --engine dfsssp -o old --sl oldsl >/dev/null
  for lanes in 1 2 8; do
    run --separate-stderr "$FATWOOD" repair 'kary(3,3)' --cut 3 old --sl oldsl --lanes $lanes -o new --sl-output newsl --json
    [ "$status" -eq 0 ]
    jq -e ".lanes <= $lanes and .holds" <<<"$output"
    "$FATWOOD" verify 'kary(3,3)' --cut 3 new --sl newsl --json | jq -e ".lanes <= $lanes and .holds"
  done
}

@test "transition: two rounds with a drain between them, and sim follows them" {
  "$FATWOOD" route 'ft(4,3)' --engine even -o old >/dev/null
  fabric=('ft(4,3)' --cut 'S2_7[2]')
  "$FATWOOD" repair "${fabric[@]}" old --forced-only -o new --json | jq -e '.transition == "rounds"'
  run --separate-stderr "$FATWOOD" transition "${fabric[@]}" old new --json
  [ "$status" -eq 0 ]
  rounds=$output
  jq -e '.safe == "rounds" and (.rounds | length) == 2 and .counter_example.kind == "loop"
         and (.rounds[0].clear | length) > 0 and .rounds[0].drain_after
         and .rounds[0].clear == .rounds[1].write and .rounds[1].clear == []
         and (.rounds[1].drain_after | not)
         and ([.rounds[] | .write | length] | add) == .entries_changed
         and ((.rounds[0].write - .rounds[1].write) | length) == (.rounds[0].write | length)' <<<"$rounds"
  run --separate-stderr "$FATWOOD" transition "${fabric[@]}" old new
  [[ "$output" == *"drained"* ]]
  # The switch of the counter-example first: a deadlock. In rounds there is none.
  jq -r '.counter_example.written[]' <<<"$rounds" >first
  sim() {
    run --separate-stderr "$FATWOOD" sim "${fabric[@]}" --routing old --switch-to new --at 100 --load 0.7 --cycles 6000 --json "$@"
  }
  sim --order first
  [ "$status" -eq 1 ]
  jq -e '.deadlock != null' <<<"$output"
  sim --order rounds
  [ "$status" -eq 0 ]
  jq -e '.deadlock == null and .switched.packets_looping == 0' <<<"$output"
}

@test "whatif takes the order of rewriting from the proof of transition (defect 3)" {
  run --separate-stderr "$FATWOOD" whatif 'ft(4,3)' even --only cables --json
  jq -e '[.faults[].transition] | length == 32 and all(. == "rounds")' <<<"$output"
  run --separate-stderr "$FATWOOD" whatif 'ft(4,3)' ftree --only cables --json
  jq -e '[.faults[].transition] | length == 32 and all(. == "any order")' <<<"$output"
}

@test "transition says that old tables loop by themselves" {
  "$FATWOOD" route 'ft(8,3)' --engine sftree -o other >/dev/null
  run --separate-stderr "$FATWOOD" transition 'ft(6,3)' other other
  [ "$status" -eq 1 ]
  [[ "$output" == *" in the old tables"* && "$output" != *"while  is"* ]]
}

@test "the least is less than what any repair changes (defect 6)" {
  local least="$BATS_TEST_DIRNAME/../../fixtures/least"
  "$FATWOOD" repair "$least/ft42.json" --cut 'S1_0[2]' "$least/ft42-sftree.lfts" --forced-only --json >one 2>/dev/null
  # Other tables, with fewer changes, that are safe on one VL. Ten entries led to the cable.
  "$FATWOOD" verify "$least/ft42.json" --cut 'S1_0[2]' "$least/ft42-repair-with-12-entries.lfts" --json | jq -e .holds
  "$FATWOOD" transition "$least/ft42.json" "$least/ft42-sftree.lfts" "$least/ft42-repair-with-12-entries.lfts" --json |
    jq -e '.entries_changed == 12'
  jq -e '.entries_least == 10 and .entries_forced <= 14 and .holds' one
}

@test "several trees above the same leaves: few blocks change (defect 7)" {
  local trees="$BATS_TEST_DIRNAME/../../fixtures/several-trees"
  "$trees" --trees 4 --missing 3 --service 3 --aggregation --seed 3 >four.json
  "$trees" --trees 2 --pods 4 --cores 4 --planes --missing 3 >two.json
  for words in "four.json even" "four.json sftree --lmc 1" "two.json even"; do
    set -- $words
    "$FATWOOD" route $words -o old >/dev/null
    # The blocks that a repair by levels writes.
    "$FATWOOD" whatif "$1" old --top 0 --permutations 0 --json >levels
    local faults=0 blocks=0 sent=0
    while read -r option name forced; do
      "$FATWOOD" repair "$1" "$option" "$name" old -o new --forced-only --json >one 2>/dev/null
      jq -e '.holds and (.unreachable | add) == 0 and .entries_least <= .entries_forced' one
      [ "$(jq .blocks_changed one)" -le $((2 * forced)) ] || { echo "$words $name: $(jq .blocks_changed one), $forced"; false; }
      faults=$((faults + 1)) blocks=$((blocks + forced)) sent=$((sent + $(jq .blocks_changed one)))
    done < <(jq -r '.faults[] | select(.remove // "core" | startswith("core")) |
                    "\(if .cut then "--cut" else "--remove" end) \(.cut // .remove) \(.blocks_changed)"' levels |
             sort | awk 'NR % 7 == 0')
    [ "$faults" -gt 6 ]
    [ $((4 * sent)) -le $((5 * blocks)) ] || { echo "$words: $sent blocks, $blocks by levels"; false; }
  done
}

@test "several trees above many leaves: no cable or core changes more than 1.25 times the least (defect 7)" {
  local trees="$BATS_TEST_DIRNAME/../../fixtures/several-trees"
  "$trees" --trees 2 --pods 5 --leaves 6 --hosts 36 --spines 4 --cores 8 --missing 10 --service 20 >two.json
  "$trees" --trees 4 --pods 4 --leaves 5 --hosts 24 --spines 4 --cores 4 --planes --missing 10 --service 8 --two-ports 20 >four.json
  local faults=0
  for fabric in two.json four.json; do
    "$FATWOOD" route $fabric --engine even -o old >/dev/null
    "$FATWOOD" whatif $fabric old --top 0 --permutations 0 --json >levels
    while read -r option name forced; do
      "$FATWOOD" repair $fabric "$option" "$name" old --forced-only --engine updn --json >one 2>/dev/null
      jq -e --argjson forced "$forced" '.holds and (.unreachable | add) == 0
        and .blocks_changed <= 1.25 * $forced' one || { echo "$fabric $name: $forced"; false; }
      faults=$((faults + 1))
    done < <(jq -r '.faults[] | select(.remove // "core" | startswith("core")) |
                    "\(if .cut then "--cut" else "--remove" end) \(.cut // .remove) \(.blocks_changed)"' levels |
             sort | awk 'NR % 79 == 1')
  done
  [ "$faults" -gt 10 ]
}

@test "the trade: blocks against jobs and the slowest pair, next to fresh tables" {
  local tree='pgft(3;12,6,4;1,6,6;1,2,1)'
  "$FATWOOD" route "$tree" --engine even -o old >/dev/null
  for cut in 'S1_3[7]' 'S2_8[9]'; do
    "$FATWOOD" repair "$tree" --cut "$cut" old --forced-only --json >forced
    "$FATWOOD" repair "$tree" --cut "$cut" old -o new --json >one
    jq -e '.holds and .transition == "any order" and .engine == "even" and .trade == []
           and .blocks_changed == .blocks_forced and .repaired == .forced' forced
    jq -e --slurpfile forced forced '.holds and .transition == "any order"
      and .forced == $forced[0].forced and .blocks_forced == $forced[0].blocks_forced
      and .unrepaired.pairs_lost > 0 and .repaired.pairs_lost == 0 and .jobs == .repaired.jobs
      and ([.trade[] | select(.taken)] | length) == 1
      and (.trade | map(.blocks_changed) | . == sort and . == unique)
      and all(.trade[]; .blocks_changed <= 8 * ($forced[0].blocks_forced))
      and (.blocks_changed as $b | .repaired as $r | any(.trade[]; .taken and .blocks_changed == $b
           and .worst_gbps == $r.worst_gbps and .jobs == $r.jobs))
      and .repaired.worst_gbps >= 0.9 * .rerouted.worst_gbps
      and .repaired.jobs.mean >= 0.95 * .rerouted.jobs.mean
      and .blocks_rerouted >= .blocks_changed' one
    # The first that is enough, and what load says of the tables that were written.
    jq -e '.rerouted as $f | ([.trade[] | select(.worst_gbps >= 0.9 * $f.worst_gbps
           and .jobs.mean >= 0.95 * $f.jobs.mean)][0]).taken' one
    "$FATWOOD" load "$tree" --cut "$cut" new --traffic alltoall --json >load
    jq -e --slurpfile one one '(.jobs.mean - $one[0].jobs.mean | fabs) < 1e-9
      and (.jobs.worst - $one[0].jobs.worst | fabs) < 1e-9' load
    "$FATWOOD" verify "$tree" --cut "$cut" new --from old --json |
      jq -e '.holds and .transition.safe == "any order"'
    run --separate-stderr "$FATWOOD" repair "$tree" --cut "$cut" old
    [[ "$output" == *"must change"*"balanced, taken"*"routed by even"* ]]
  done
  local forced=$(jq .blocks_forced forced)
  for blocks in 1 $((forced + 3)); do
    "$FATWOOD" repair "$tree" --cut 'S2_8[9]' old --blocks $blocks --json >some
    jq -e --argjson most $blocks '.holds and .blocks_changed <= ([$most, .blocks_forced] | max)
      and (.trade | length) == 1' some
  done
}

@test "the hosts of jobs in another order, and fresh tables of another engine" {
  "$FATWOOD" route 'ft(8,3)' --engine even -o old >/dev/null
  for i in $(seq 127 -1 0); do echo "H$i"; done | awk 'NR % 2' >order
  "$FATWOOD" repair 'ft(8,3)' --cut 'S1_3[6]' old --host-order order --engine sftree --json >one
  jq -e '.host_order == "order" and .engine == "sftree" and .rerouted != null' one
  "$FATWOOD" repair 'ft(8,3)' --cut 'S1_3[6]' old --json >natural
  jq -e --slurpfile one one '.host_order == "natural order of names"
    and .unrepaired.worst_gbps == $one[0].unrepaired.worst_gbps
    and .unrepaired.jobs != $one[0].unrepaired.jobs' natural
  # One that routes by pair has no tables to compare, one that refuses has no figures.
  "$FATWOOD" route 'ft(4,3)' --engine even -o small >/dev/null
  "$FATWOOD" repair 'ft(4,3)' --cut 'S1_0[1]' small --engine apot --json |
    jq -e '.rerouted.worst_gbps > 0 and .blocks_rerouted == null and .holds'
  "$FATWOOD" repair 'ft(4,3)' --cut 'S1_0[1]' small --engine dmodk --json |
    jq -e '.rerouted == null and (.not_rerouted | contains("complete tree")) and .holds
           and (.trade | length) == 1'
  run --separate-stderr "$FATWOOD" repair 'ft(8,3)' old --engine nothing
  [ "$status" -eq 2 ]
  run --separate-stderr "$FATWOOD" repair 'ft(8,3)' old --host-order absent
  [ "$status" -eq 2 ]
}
