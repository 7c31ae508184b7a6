#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood whatif: what it prints, keeps and refuses.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "a cable costs what repair reports for its cut" {
  "$FATWOOD" whatif 'ft(4,3)' ftree --only cables --json >all
  jq -e '(.faults | length) == 32 and .now.pairs_lost == 0 and (.put_back | length) == 0 and has("fatwood")' all
  "$FATWOOD" route 'ft(4,3)' --engine ftree -o old >/dev/null
  while read -r cut; do
    "$FATWOOD" repair 'ft(4,3)' --cut "$cut" old --forced-only --json >one || true
    jq -e --arg cut "$cut" --slurpfile one one '.faults[] | select(.cut == $cut) |
      .entries_changed == $one[0].entries_changed and .blocks_changed == $one[0].blocks_changed and
      .mload == $one[0].mload and .pairs_lost == $one[0].unreachable.terminal_terminal' all
  done < <(jq -r '.faults[].cut' all | sort | head -6)
}

@test "missing cables are put back, the best first; added ones are counted" {
  run --separate-stderr "$FATWOOD" whatif 'ft(8,3)' --cut 'S1_5[1]' --cut 'S2_3[4]' --add switch@3 --add cable@1 --json
  [ "$status" -eq 0 ]
  jq -e '.put_back_missing == 2 and (.put_back | length) >= 1 and .put_back[0].worst_gbps > .now.worst_gbps
         and .put_back_all.gigabits_per_second > .now.gigabits_per_second
         and [.add[].what] == ["switch@3", "cable@1"] and .add[0].ports_lacking > 0' <<<"$output"
}

@test "a slow cable is replaced, alone and with the others" {
  slow="$BATS_TEST_DIRNAME/../../golden/inputs/slow-cable.net"
  run --separate-stderr "$FATWOOD" whatif "$slow" even --only cables --json
  jq -e '.replace_slow == 1 and .replace[0].rate == "4xHDR" and .replace[0].usual == "4xNDR"
         and .replace[0].worst_gbps > .now.worst_gbps and .replace_all.worst_gbps == .replace[0].worst_gbps' <<<"$output"
  cable=$(jq -r '.replace[0].from' <<<"$output")
  wanted=$(jq .replace_all.worst_gbps <<<"$output")
  # What is printed is what one gets.
  echo "speed $cable 4xNDR" >faster
  "$FATWOOD" whatif "$slow" even --only cables --faults faster --json >then
  [ "$(jq .now.worst_gbps then)" = "$wanted" ]
  jq -e '.replace_slow == 0 and .replace == [] and .replace_all == null' then
}

@test "two faults that part hosts are found" {
  # Two spines: without both, no leaf reaches another.
  run --separate-stderr "$FATWOOD" whatif 'xgft(2;2,3;1,2)' ftree --json
  jq -e '.pairs_complete and any(.pairs[]; [.faults[].remove] == ["S2_0", "S2_1"])
         and ([.pairs[] | select(.faults | all(has("cut")))] | length) == 3' <<<"$output"
}

@test "a run that was stopped goes on" {
  "$FATWOOD" whatif 'ft(4,3)' --keep kept --csv >whole
  lines=$(wc -l <kept)
  [ "$lines" -gt 30 ]
  # Half of it, the last line unfinished.
  head -c $(($(wc -c <kept) / 2)) kept >half && mv half kept
  "$FATWOOD" whatif 'ft(4,3)' --keep kept --csv >again
  cmp whole again
  [ "$(wc -l <kept)" -eq "$lines" ]
  # Of another fabric nothing is taken.
  "$FATWOOD" whatif 'ft(4,3)' --cut 1 --csv >fresh
  "$FATWOOD" whatif 'ft(4,3)' --cut 1 --keep kept --csv >other
  cmp fresh other
}

@test "results of another question are not reused" {
  # The same file first has the answers to one question, then to another.
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o slow.net >/dev/null
  sed 's/4xQDR/4xEDR/' slow.net >fast.net
  other() { # "WORDS OF ONE" "WORDS OF THE OTHER"
    rm -f kept
    "$FATWOOD" whatif $1 --csv --keep kept >first
    "$FATWOOD" whatif $2 --csv >fresh
    "$FATWOOD" whatif $2 --csv --keep kept >second
    cmp fresh second && ! cmp -s first second || { echo "$1 then $2"; return 1; }
  }
  other 'slow.net' 'fast.net'
  other 'ft(4,3) --seed 1' 'ft(4,3) --seed 4294967297'
  other 'ft(4,3) --permutations 3' 'ft(4,3) --permutations 4'
  other 'ft(4,3) sftree' 'ft(4,3) minhop'
}

@test "the key of kept results covers speeds, LIDs and the way loads are counted" {
  key() { "$FATWOOD" whatif "$@" --csv --keep "$BATS_TEST_TMPDIR/key" >/dev/null && head -1 key && rm key; }
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover -o plain.net >/dev/null
  # The LIDs of nodes are FIRST, FIRST + 1, ..
  number() { # FIRST
    awk -v first="$1" '/^(Switch|Ca)/ { lid = first + n++ }
      { sub(/lid 0 lmc 0/, "lid " lid " lmc 0"); print }' plain.net
  }
  number 1 >one.net
  number 101 >two.net
  sed 's/4xQDR/4xEDR/' one.net >fast.net
  sed -E '/"H0" lid/s/4xQDR/4xEDR/; /^Ca.*"H0"/,/^$/s/4xQDR/4xEDR/' one.net >mixed.net
  grep -q 4xEDR mixed.net && grep -q 4xQDR mixed.net
  plain=$(key one.net)
  [ "$plain" = "$(key one.net)" ]
  [ "$plain" = "$(key one.net --threads 1)" ]
  [ "$plain" != "$(key fast.net)" ]
  [ "$plain" != "$(key two.net)" ]
  [ "$plain" != "$(key one.net --seed 2)" ]
  [ "$(key mixed.net)" != "$(key mixed.net --count-flows)" ]
  [ "$plain" != "$(key one.net minhop)" ]
}

@test "--keep writes only what it may" {
  mkdir folder
  mkfifo pipe
  for path in folder /dev/full /dev/null pipe /; do
    run timeout 600 "$FATWOOD" whatif 'ft(4,2)' --keep "$path"
    [ "$status" -eq 2 ] || { echo "$path: $status $output"; false; }
    [[ "$output" == *"$path"*"regular file"* ]]
  done
  echo 'my own notes' >notes
  run "$FATWOOD" whatif 'ft(4,2)' --keep notes
  [ "$status" -eq 2 ]
  [[ "$output" == *"notes"*"not written by"* ]]
  [ "$(cat notes)" = 'my own notes' ]
  # An empty file, and what an earlier run left, may be written.
  : >empty
  "$FATWOOD" whatif 'ft(4,2)' --keep empty >/dev/null
  head -c 5 empty >begun
  "$FATWOOD" whatif 'ft(4,2)' --keep begun >/dev/null
  cmp empty begun
  run "$FATWOOD" whatif 'ft(4,2)' --keep missing/file
  [ "$status" -eq 2 ]
}

@test "--lose: before, unrepaired, repaired, rerouted, by hand" {
  # Two leaves with three hosts each, two spines. Without S2_0 six flows of each leaf have no route,
  # or three: as sftree spread its destinations. Repaired, nine flows share one cable.
  run --separate-stderr "$FATWOOD" whatif 'xgft(2;3,2;1,2)' sftree --lose S2_0 --json
  [ "$status" -eq 0 ]
  jq -e '.before.pairs_lost == 0 and .before.worst_gbps == 5 * 32 / 6 and
         (.unrepaired.pairs_lost == 6 or .unrepaired.pairs_lost == 12 or .unrepaired.pairs_lost == 9) and
         .repaired.pairs_lost == 0 and (.repaired.worst_gbps - 5 * 32 / 9 | fabs) < 1e-9 and
         .rerouted == .repaired and .transition == "any order" and .deadlock_free' <<<"$output"
  # The same by cutting both cables of the spine, one after the other on the command line.
  "$FATWOOD" whatif 'xgft(2;3,2;1,2)' sftree --lose 'S2_0[1]' --lose 'S2_0[2]' --json >cables
  jq -e --argjson switch "$output" '.repaired == $switch.repaired and .unrepaired == $switch.unrepaired' cables
  # A leaf with its hosts.
  "$FATWOOD" whatif 'xgft(2;3,2;1,2)' sftree --lose S1_0 --json >leaf
  jq -e '.repaired.pairs_lost == 24 and .repaired.worst_gbps == 32' leaf
  # A file of tables is rerouted by the suggested engine.
  "$FATWOOD" route 'xgft(2;3,2;1,2)' minhop -o old.lft >/dev/null
  "$FATWOOD" whatif 'xgft(2;3,2;1,2)' old.lft --lose S2_0 --json >file
  jq -e '.rerouted.worst_gbps == .repaired.worst_gbps' file
  for wrong in nobody 'S2_0[99]' ''; do
    run "$FATWOOD" whatif 'xgft(2;3,2;1,2)' sftree --lose "$wrong"
    [ "$status" -eq 2 ] || { echo "$wrong: $output"; false; }
  done
  run "$FATWOOD" whatif 'xgft(2;3,2;1,2)' sftree --lose S2_0 --only cables
  [ "$status" -eq 2 ]
}

@test "losses of the table are those of --lose, and only compute hosts count" {
  fabric='rails(units=2,hosts=4,rails=2,spines=4,leaf_hosts=2,seed=2)'
  "$FATWOOD" whatif "$fabric" --only switches --top 2 --json >all
  jq -e '[.faults[] | select(.unrepaired)] | length == 2' all
  name=$(jq -r '.faults[0].remove' all)
  "$FATWOOD" whatif "$fabric" --lose "$name" --json >one
  # The list has no job efficiency: it would be measured for each loss.
  jq -e --slurpfile one one '[.faults[0], $one[0] | [.unrepaired, .repaired, .rerouted | del(.jobs)]] | .[0] == .[1]' all
  jq -e '.among.hosts == "compute" and .among.service == 0' all
  "$FATWOOD" whatif "$fabric" --lose "$name" --among all --json >more
  jq -e '.among.hosts == "all" and .among.service > 0' more
}

@test "--add takes a number of switches" {
  "$FATWOOD" whatif 'ft(4,3)' --add switch@3 --add 2xswitch@3 --json >out
  jq -e '.add[1].cables == 2 * .add[0].cables' out
  for wrong in 0xswitch@3 xswitch@3 65xswitch@3 2xhost@3; do
    run "$FATWOOD" whatif 'ft(4,3)' --add "$wrong"
    [ "$status" -eq 2 ]
  done
}

@test "adaptive tables: groups lose ports, and the rest of the group takes their flows" {
  # Four leaves with two hosts each, and two spines: a leaf sends half by each.
  "$FATWOOD" route 'ft(4,2)' --engine ar_updn -o groups.far >/dev/null
  for tables in ar_updn groups.far; do
    "$FATWOOD" whatif 'ft(4,2)' "$tables" --only cables --json >out
    jq -e '.now.pairs_lost == 0 and (.faults | length) == 8 and all(.faults[]; .pairs_lost == 0)' out
    # The other cable of the leaf takes all: two hosts to six others.
    jq -e 'all(.faults[]; (.mload_value - 12 | fabs) < 0.001 and .transition == "any order")' out
    # The spine that lost its cable can't reach the leaf: other leaves lose pairs until they know.
    jq -e 'all(.faults[]; .unrepaired.pairs_lost == 12 and .repaired.pairs_lost == 0)' out
  done
  # What will not happen can't be asked for.
  run "$FATWOOD" whatif 'ft(4,2)' ar_updn --permutations 5
  [ "$status" -eq 2 ]
  [[ "$output" == *--permutations* ]]
  "$FATWOOD" whatif 'ft(4,2)' ar_updn --lose S2_0 --json >out
  jq -e '.unrepaired.pairs_lost == 0 and .repaired.pairs_lost == 0 and .deadlock_free' out
  jq -e '.rerouted.worst_gbps == .repaired.worst_gbps and .transition == "any order"' out
}

@test "exact figures: pairs lost, loads and rates" {
  # Two leaves with three hosts each, and two spines: by hand.
  "$FATWOOD" whatif 'xgft(2;3,2;1,2)' sftree --permutations 0 --json >out
  # 6 hosts send to 3 others each over 2 cables per leaf. Three destinations on two cables: 6 flows
  # on one of them; a host link has 5.
  jq -e '.now | .pairs_lost == 0 and .mload == 6 and .mload_value == 6 and .gigabits_per_second == 5 * 32 / 6 and
         .worst_gbps == 5 * 32 / 6 and .p1_gbps == .worst_gbps and .median_gbps == 32' out
  # One cable lost: all 9 flows of its leaf, in each direction, on the other. A lost spine is the same.
  jq -e '[.faults[] | select(.cut)] | length == 4 and all(.pairs_lost == 0 and .mload == 9 and
         (.gigabits_per_second - 5 * 32 / 9 | fabs) < 1e-9)' out
  jq -e '[.faults[] | select(.remove == "S2_0" or .remove == "S2_1")] | length == 2 and
         all(.pairs_lost == 0 and .mload == 9)' out
  # A leaf lost: 18 pairs to and from the others and 6 among its own hosts; three hosts are left,
  # each with two flows, at full speed.
  jq -e '[.faults[] | select(.remove == "S1_0" or .remove == "S1_1")] | length == 2 and
         all(.pairs_lost == 24 and .mload == 2 and .gigabits_per_second == 32)' out
  # Worst first: what loses pairs.
  jq -e '[.faults[].pairs_lost] == [24, 24, 0, 0, 0, 0, 0, 0]' out
  # What repair must write, and no less.
  "$FATWOOD" route 'xgft(2;3,2;1,2)' --engine sftree -o old >/dev/null
  for switch in S1_0 S1_1 S2_0 S2_1; do
    "$FATWOOD" repair 'xgft(2;3,2;1,2)' --remove "$switch" old --forced-only --json >one 2>/dev/null
    jq -e --arg switch "$switch" --slurpfile one one '[.faults[] | select(.remove == $switch) |
      .entries_changed, .entries_changed, .blocks_changed] ==
      [$one[0].entries_changed, $one[0].entries_least, $one[0].blocks_changed]' out
  done
  jq -e '[.faults[] | select(.remove == "S2_0") | .entries_changed, .blocks_changed] == [4, 2]' out
  jq -e '[.pairs[] | select(.faults | all(has("remove")))] == [{"faults": [{"remove": "S2_0"}, {"remove": "S2_1"}], "terminals_cut_off": 3}]' out
}

@test "exact figures with LMC 1 and with two components" {
  # Addresses of a host take different cables: half a flow each.
  "$FATWOOD" whatif 'xgft(2;3,2;1,2)' sftree --lmc 1 --permutations 0 --json >out
  jq -e '.now.pairs_lost == 0 and .now.mload == 5 and .now.gigabits_per_second == 32' out
  jq -e '[.faults[] | select(.cut)] | all(.mload == 9 and .pairs_lost == 0)' out
  jq -e '[.faults[] | select(.remove == "S1_0")] | all(.pairs_lost == 24 and .mload == 2)' out
  # Without its spines a leaf is a component by itself: its 18 pairs are not connected, so none is lost.
  "$FATWOOD" whatif 'xgft(2;3,2;1,2)' --cut 'S1_0[1]' --cut 'S1_0[2]' sftree --permutations 0 --json >out || true
  jq -e '.now.pairs_lost == 0 and .now.mload == 2' out
  jq -e '[.faults[] | select(.remove == "S1_1")] | all(.pairs_lost == 6)' out
}

@test "the same bytes at any number of threads" {
  "$FATWOOD" whatif 'ft(4,3)' --sets 3 --samples 40 --seed 7 --threads 1 --csv >one
  "$FATWOOD" whatif 'ft(4,3)' --sets 3 --samples 40 --seed 7 --threads 3 --csv >three
  cmp one three
  [ "$(wc -l <one)" -eq 41 ]
  # All 32 cables at once.
  "$FATWOOD" whatif 'ft(4,3)' --sets 32 --samples 1 --csv >all
  [ "$(wc -l <all)" -eq 2 ]
}

@test "options that ask for what will not happen are refused" {
  for words in "--samples 5" "--sets 2 --only cables" "--sets 0" "--sets 3 --samples 0" "--sets 33" "--add core" "--add cable@3" \
    "--add switch@9" "--csv --json" "--only hosts"; do
    run "$FATWOOD" whatif 'ft(4,3)' $words
    [ "$status" -eq 2 ] || { echo "$words: $status $output"; false; }
  done
  run "$FATWOOD" whatif 'torus(3,3)' updn+
  [ "$status" -eq 1 ]
  "$FATWOOD" route 'ft(4,3)' --engine ftree -o tables >/dev/null
  run "$FATWOOD" whatif 'ft(4,3)' tables --add cable@1
  [ "$status" -eq 2 ]
  run --separate-stderr "$FATWOOD" whatif 'ft(4,3)' tables --only switches --json
  jq -e '.put_back == [] and (.faults | length) == 20' <<<"$output"
}

@test "what the slowest flow of a permutation gets stands beside all-to-all" {
  run --separate-stderr "$FATWOOD" whatif 'ft(4,3)' --only cables --add cable@1 --json
  [ "$status" -eq 0 ]
  jq -e '.now.permutation_gigabits_per_second > 0 and .now.permutation_gigabits_per_second <= 32.001
         and all(.faults[]; .permutation_gigabits_per_second > 0 and .permutation_gigabits_per_second <= 32.001)
         and any(.faults[]; .permutation_gigabits_per_second < $now.now.permutation_gigabits_per_second)
         and .add[0].permutation_gigabits_per_second > 0' --argjson now "$output" <<<"$output"
  run --separate-stderr "$FATWOOD" whatif 'ft(4,3)' --only cables --permutations 0 --json
  jq -e '.faults[0].permutation_gigabits_per_second == null and (.now | has("permutation_gigabits_per_second") | not)' <<<"$output"
}

@test "--lose: hosts that take part keep their places when an adapter loses its cable" {
  printf 'H0\nH1\n' >two
  "$FATWOOD" whatif 'ft(4,3)' sftree --lose 'H0[1]' --among two --json | jq -e '.repaired.pairs_lost == 2'
  printf 'H1\nH2\n' >two
  "$FATWOOD" whatif 'ft(4,3)' sftree --lose 'H0[1]' --among two --json | jq -e '.repaired.pairs_lost == 0'
}

@test "--lose: pairs that had no route before are counted, too" {
  "$FATWOOD" route 'ft(8,3)' even -o old >/dev/null
  lost=$("$FATWOOD" verify 'ft(8,3)' --cut 3 old --json | jq .unreachable.terminal_terminal)
  [ "$lost" -gt 0 ]
  # The four hosts of a leaf: 4 * 124 * 2 + 4 * 3 pairs, whatever was lost before.
  "$FATWOOD" whatif 'ft(8,3)' --cut 3 old --lose S1_0 --json |
    jq -e --argjson lost "$lost" '.before.pairs_lost == $lost and .repaired.pairs_lost == 1004'
}

@test "lost at random: the names drawn are printed; without a tree it is routed again, not repaired" {
  run --separate-stderr "$FATWOOD" whatif 'ft(8,3)' --lose 3
  [ "$status" -eq 0 ]
  grep -qE '^Lost: 3 \(S[0-9_]+, S[0-9_]+, S[0-9_]+\)$' <<<"$output"
  run --separate-stderr "$FATWOOD" whatif 'torus(4,4)' --lose S1
  [ "$status" -eq 0 ]
  [[ "$output" == *"not repaired: "*"like a tree"* ]]
  "$FATWOOD" whatif 'torus(4,4)' --lose S1 --json | jq -e '.repaired == null and .not_repaired and .rerouted.pairs_lost > 0 and .deadlock_free and .entries_changed > 0'
}

@test "lost pairs mean the same in every figure: planes, two addresses, losses of before (defects 3 and 5)" {
  # Two complete planes: 6 hosts with a port in each, so 2 * 6 * 5 pairs send to each other.
  "$FATWOOD" whatif 'xgft(2;2,3;2,3)' --json >out
  jq -e '.now.pairs_lost == 0 and all(.faults[] | select(.cut); .pairs_lost == 0)' out
  # A leaf loses its two ports: 2 * 2 * 4 + 2 pairs of them.
  jq -e '[.faults[] | select(.remove == "S1_0") | .pairs_lost, .repaired.pairs_lost] == [18, 18]' out
  "$FATWOOD" whatif 'xgft(2;2,3;2,3)' --lose S1_0 --json | jq -e '.before.pairs_lost == 0 and .repaired.pairs_lost == 18'
  # Two addresses: a pair is lost if one of its paths is.
  "$FATWOOD" whatif 'ft(4,2)' even --lmc 1 --only cables --json >out
  jq -e '.now.pairs_lost == 0 and (.faults | length) == 8 and all(.faults[]; .pairs_lost == 0 and
         .unrepaired.pairs_lost >= 12 and .unrepaired.pairs_lost <= 24 and .repaired.pairs_lost == 0)' out
  # Tables of before a cut: what is lost now is part of every loss.
  "$FATWOOD" route 'ft(4,2)' ftree -o old >/dev/null
  "$FATWOOD" whatif 'ft(4,2)' --cut 'S1_0[1]' old --only switches --json >out
  "$FATWOOD" whatif 'ft(4,2)' --cut 'S1_0[1]' old --lose S1_3 --json >one
  jq -e --slurpfile one one '.now.pairs_lost > 0 and .now.pairs_lost == $one[0].before.pairs_lost and
         all(.faults[]; .unrepaired.pairs_lost >= .pairs_lost and .pairs_lost >= .repaired.pairs_lost)' out
}

@test "no host gets more than its ports carry (defect 4)" {
  "$FATWOOD" whatif 'ft(4,2)' --cut 2 --fault-seed 3 even --json >out
  jq -e 'all(.now, .faults[]; .gigabits_per_second <= 32.0001 and .gigabits_per_second > 0)' out
  "$FATWOOD" whatif 'ft(4,2)' --cut 2 --fault-seed 3 even --csv | awk -F, 'NR > 1 && $(NF - 4) > 32.0001 { bad = 1 } END { exit bad }'
}

@test "--distribution is that of the sets, computed again in Python" {
  "$FATWOOD" whatif 'ft(4,3)' updn --sets 2 --samples 41 --csv >sets.csv 2>/dev/null
  "$FATWOOD" whatif 'ft(4,3)' updn --sets 2 --samples 41 --distribution --json >spread.json 2>/dev/null
  python3 - <<'PY'
import csv, json, math, statistics
rows = list(csv.DictReader(open("sets.csv")))
spread = json.load(open("spread.json"))["distribution"]
assert spread["sets"] == len(rows) == 41
assert spread["sets_losing_pairs"] == sum(int(row["pairs_lost"]) > 0 for row in rows)
for key in ("mload", "entries_changed", "blocks_changed", "gigabits_per_second"):
    values = sorted(float(row[key] or 0) for row in rows)
    got = spread[key]
    assert math.isclose(got["mean"], statistics.fmean(values), rel_tol=1e-6), key
    assert math.isclose(got["sd"], statistics.stdev(values), rel_tol=1e-6, abs_tol=1e-9), key
    error = 1.96 * statistics.stdev(values) / math.sqrt(len(values))
    assert math.isclose(got["mean_high"] - got["mean"], error, rel_tol=1e-6, abs_tol=1e-9), key
    for name, q in (("min", 0), ("p5", 0.05), ("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("p95", 0.95), ("max", 1)):
        assert math.isclose(got[name], values[max(math.ceil(q * len(values)), 1) - 1], rel_tol=1e-6), (key, name)
PY
  run "$FATWOOD" whatif 'ft(4,3)' updn --distribution
  [ "$status" -eq 2 ]
  run "$FATWOOD" whatif 'ft(4,3)' updn --sets 2 --distribution --csv
  [ "$status" -eq 2 ]
}

@test "whatif --lose: jobs on hosts in another order" {
  for i in $(seq 127 -1 0); do echo "H$i"; done | awk 'NR % 2' >order
  "$FATWOOD" whatif 'ft(8,3)' even --cut 2% --lose S2_3 --host-order order --json >one
  "$FATWOOD" whatif 'ft(8,3)' even --cut 2% --lose S2_3 --json >natural
  jq -e --slurpfile one one '.host_order == "natural order of names" and $one[0].host_order == "order"
    and .before.worst_gbps == $one[0].before.worst_gbps and .before.jobs != $one[0].before.jobs
    and .repaired.jobs.mean >= 0.95 * .rerouted.jobs.mean and .repaired.worst_gbps >= 0.9 * .rerouted.worst_gbps
    and .deadlock_free' natural
  run --separate-stderr "$FATWOOD" whatif 'ft(8,3)' even --host-order order
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"--lose"* ]]
}
