#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood study: the list, the contract of its JSON, files, going on where it stopped, bad usage.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

@test "the list names every study with its claim" {
  run --separate-stderr "$FATWOOD" study --list --json
  [ "$status" -eq 0 ]
  [ "$(jq '.studies | length' <<<"$output")" -ge 3 ]
  [ "$(jq '[.studies[] | select(.name and .paper and .claim)] | length' <<<"$output")" = \
    "$(jq '.studies | length' <<<"$output")" ]
  run --separate-stderr "$FATWOOD" study --list
  [[ "$output" == *"000-table1"* ]]
}

@test "published beside ours, in text, CSV, JSON and a plot" {
  run --separate-stderr "$FATWOOD" study 000-table1 --quick --out o --json
  [ "$status" -eq 0 ]
  [ "$(jq -r .name <<<"$output")" = 000-table1 ]
  [ "$(jq -r .seen <<<"$output")" = true ]
  jq -e '.rows[] | select(.tree == "FT(8,3)" and .routing == "mlid") | [.published, .ours, .difference] | map(tonumber) == [7, 7, 0]' <<<"$output"
  diff <(jq . <<<"$output") <(jq . o/000-table1.json)
  grep -q '"FT(8,3)",mlid,7,7' o/000-table1.csv
  grep -q 'FT(8,3)' o/000-table1.txt
  grep -q '</svg>' o/000-table1.svg
}

@test "a second run takes the points of the first, --fresh does not" {
  "$FATWOOD" study 002-shift --quick --out o --json >first.json
  run --separate-stderr "$FATWOOD" study 002-shift --quick --out o --json
  [ "$status" -eq 0 ]
  diff first.json <(echo "$output") # seconds too: nothing was measured
  point=$(ls o/points/002-shift | head -1)
  sed -i 's/"seconds":[0-9.e-]*/"seconds":12345/' "o/points/002-shift/$point"
  "$FATWOOD" study 002-shift --quick --out o --json | jq -e '[.rows[].seconds] | max == 12345'
  "$FATWOOD" study 002-shift --quick --out o --fresh --json | jq -e '[.rows[].seconds] | max < 12345'
}

@test "bad usage is exit 2" {
  run --separate-stderr "$FATWOOD" study no-such --quick
  [ "$status" -eq 2 ]
  [[ "$stderr" == *"000-table1"* ]]
  run --separate-stderr "$FATWOOD" study
  [ "$status" -eq 2 ]
  run --separate-stderr "$FATWOOD" study 000-table1 --all
  [ "$status" -eq 2 ]
  echo "no table" >times
  run --separate-stderr "$FATWOOD" study 003-table4 --quick --opensm times
  [ "$status" -eq 2 ]
  [[ "$stderr" == *times* ]]
}

@test "simulated and computed studies see what they should" {
  run --separate-stderr "$FATWOOD" study 002-shift 002-ring 001-fig5 --quick --json
  [ "$status" -eq 0 ]
  jq -e '[.studies[].seen] | all' <<<"$output"
  # One ring of all hosts, all of a leaf over one up-link: 4000 of 3250 MB/s by 18.
  jq -e '.studies[1].rows[] | select(.ring == "adversarial") | .rings == 1' <<<"$output"
  jq -e '.studies[1].rows[] | select(.ring == "adversarial" and .unit == "percent") | .ours > 6.8 and .ours < 7.2' <<<"$output"
  grep -q '002-ring' studies-out/studies.md
}

@test "degradation: even keeps all to all, in a plot with bands" {
  "$FATWOOD" study degradation --quick --out o --json >seen
  jq -e '[.rows[] | select(.engine == "even" and .gone == "cables")] | length == 2' seen
  jq -e '[.rows[] | select(.gone == "cables" and .percent == "10") | {(.engine): .["ours"]}] | add |
         .even > .sftree and .bound >= .even' seen
  jq -e '[.rows[] | select(.gone == "cables" and .percent == "10") | {(.engine): .["evenness"]}] | add |
         .even < .sftree and .even >= 1' seen
  jq -e '.rows[] | select(.engine == "even" and .gone == "cables") | .["1% pair"] <= .["median pair"]' seen
  jq -e '.finding | test("lexicographic optimum of 4 throws")' seen
  grep -q 'fill-opacity="0.15"' o/degradation.svg
  printf '# ours\ncables 10 minhop 0 0.5 3 2\n' >theirs
  "$FATWOOD" study degradation --quick --out o --opensm theirs --json |
    jq -e '.rows[] | select(.engine == "opensm:minhop") | .ours == 0.5'
  echo 'cables ten' >theirs
  run "$FATWOOD" study degradation --quick --out o --opensm theirs
  [ "$status" -eq 2 ]
  [[ "$output" == *theirs:1* ]]
}

@test "real-fabrics: rates of compute hosts, with OpenSM's next to ours" {
  printf '# ours\nft(4,3) minhop 12.5 13 14 0 1\n' >theirs
  "$FATWOOD" study real-fabrics --fabric 'ft(4,3)' --out o --opensm theirs --json >seen
  jq -e '.rows[] | select(.engine == "OpenSM'"'"'s minhop") | .ours == 12.5' seen
  # A complete tree: even's worst pair gets its port.
  jq -e '.rows[] | select(.engine == "even") | .ours == 32 and .state == "safe"' seen
  jq -e '.rows[] | select(.engine == "minhop") | .state == "deadlock"' seen
  grep -q 'worst pair of compute hosts' o/real-fabrics.svg
  echo 'ft(4,3) minhop' >theirs
  run "$FATWOOD" study real-fabrics --fabric 'ft(4,3)' --out o --opensm theirs
  [ "$status" -eq 2 ]
  [[ "$output" == *theirs:1* ]]
}
