#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood whatif: what it tells, keeps and refuses.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "a cable costs what repair tells of its cut" {
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
  jq -e '(.put_back | length) == 2 and .put_back[0].gigabits_per_second >= .put_back[1].gigabits_per_second
         and .put_back_all.gigabits_per_second > .now.gigabits_per_second
         and [.add[].what] == ["switch@3", "cable@1"] and .add[0].ports_lacking > 0' <<<"$output"
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

@test "the same bytes at any number of threads" {
  "$FATWOOD" whatif 'ft(4,3)' --sets 3 --samples 40 --seed 7 --threads 1 --csv >one
  "$FATWOOD" whatif 'ft(4,3)' --sets 3 --samples 40 --seed 7 --threads 3 --csv >three
  cmp one three
  [ "$(wc -l <one)" -eq 41 ]
}

@test "what has no effect or no sense is refused" {
  for words in "--samples 5" "--sets 2 --only cables" "--sets 0" "--add core" "--add cable@3" \
    "--add switch@9" "--csv --json" "--only hosts"; do
    run "$FATWOOD" whatif 'ft(4,3)' $words
    [ "$status" -eq 2 ] || { echo "$words: $status $output"; false; }
  done
  run "$FATWOOD" whatif 'torus(3,3)' updn
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
  run "$FATWOOD" whatif 'ft(4,3)' --permutations 0 --seed 3
  [ "$status" -eq 2 ]
}
