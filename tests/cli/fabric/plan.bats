#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood plan: alternatives, lists, the check of a plan, growth, and what it refuses.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

# levels NAME: switches and cables of that alternative in $output.
levels() {
  jq -c --arg name "$1" \
    '.choices[] | select(.name == $name) | [.switches, .cables]' <<<"$output"
}

@test "published configurations come out as published" {
  h100=(--rails 8 --rate 400 --radix 64 --unit 32 --reserve management=4 --figures none --json)
  run --separate-stderr "$FATWOOD" plan --hosts 95 "${h100[@]}"
  [ "$(levels 'two levels')" = '[[24,16],[764,768]]' ]
  run --separate-stderr "$FATWOOD" plan --hosts 127 "${h100[@]}"
  [ "$(levels 'two levels')" = '[[32,16],[1020,1024]]' ]
  run --separate-stderr "$FATWOOD" plan --hosts 8008 --rate 100 --radix 40 --split 2 \
    --spine-radix 800:40 --unit 88 --oversubscription 22:18 --figures none --json
  [ "$(levels 'two levels')" = '[[182,6],[4004,3276]]' ]
  run --separate-stderr "$FATWOOD" plan --hosts 2048 --rails 8 --rate 400 --radix 64 --planes 8 \
    --figures none --json
  [ "$(levels '8 planes, two levels')" = '[[512,256],[16384,16384]]' ]
  run --separate-stderr "$FATWOOD" plan --hosts 64 --rails 2 --rate 40 --radix 36 --unit 8 \
    --oversubscription 8:8 --unit-spine --figures none --json
  [ "$(levels 'two levels, a spine a unit')" = '[[16,8],[128,128]]' ]
  run --separate-stderr "$FATWOOD" plan --hosts 64 --rails 8 --adapter-ports 2 --planes 2 --rate 400 \
    --radix 128 --unit 64 --twin --figures none --json
  [ "$(levels '2 planes, two levels')" = '[[16,8],[512,512]]' ]
}

@test "the formula is the fabric, and the catalogue gives a kit for each kind of switch" {
  run --separate-stderr "$FATWOOD" plan --hosts 40 --rails 2 --rate 200 --figures none --json
  [ "$status" -eq 0 ]
  jq -e '[.choices[].kit] | unique | length >= 3' <<<"$output"
  jq -r '.choices[] | "\(.formula) \(.end_ports) \([.by_level[].chips] | add)"' <<<"$output" >all
  while read -r formula ends switches; do
    "$FATWOOD" show "$formula" --json >shown
    jq -e --argjson e "$ends" --argjson s "$switches" '.terminals == $e and .switches == $s' shown
  done <all
}

@test "figures: hosts of a full tree get their port, and less without a spine" {
  run --separate-stderr "$FATWOOD" plan --hosts 32 --rate 200 --radix 16 --json
  jq -e '.choices[] | select(.name == "two levels") | .figures |
         .intact.worst_gbps == 200 and .intact.port_gbps == 200 and
         (.without[] | select(.role == "spine") | .rates.worst_gbps < 200 and .pairs_lost == 0)' \
    <<<"$output"
  # 16 hosts of later: the spines have ports for them.
  run --separate-stderr "$FATWOOD" plan --hosts 32 --growth 50% --rate 200 --radix 16 --figures none --json
  jq -e '.choices[] | select(.name == "two levels") | .by_level[1].free_ports >= 16' <<<"$output"
}

@test "prices: transceivers, adapters and power, added up again" {
  printf 'cable fibre speed 200 reach 100 lengths 5,100\n' >cables
  printf 'price switch 1000\nprice cable 10\ntransceivers fibre 2\nprice "fibre transceiver" 7\nprice adapter 3\n' >prices
  printf 'power switch 500\npower transceiver 4\npower adapter 20\n' >>prices
  run --separate-stderr "$FATWOOD" plan --hosts 32 --rate 200 --radix 16 --figures none --cables cables --prices prices --json
  [ "$status" -eq 0 ]
  jq -e 'all(.choices[];
    ([.bill[] | select(.item | startswith("fibre ")) | select(.length_m != null) | .count] | add) as $cables |
    ([.bill[] | select(.item == "fibre transceiver") | .count] | add) as $transceivers |
    ([.bill[] | select(.item == "adapter") | .count] | add) as $adapters |
    $transceivers == 2 * $cables and $adapters == 32 and
    .cost.transceivers == 7 * $transceivers and .cost.adapters == 96 and
    .cost.total == .all_switches * 1000 + $cables * 10 + 7 * $transceivers + 96 and
    .cost.watts == .all_switches * 500 + $transceivers * 4 + 32 * 20)' <<<"$output"
  # Not asked for: not on the bill.
  printf 'price switch 1000\nprice cable 10\n' >prices
  run --separate-stderr "$FATWOOD" plan --hosts 32 --rate 200 --radix 16 --figures none --cables cables --prices prices --json
  jq -e 'all(.choices[]; all(.bill[]; .item != "adapter" and (.item | endswith("transceiver") | not)) and .cost.watts == null)' <<<"$output"
}

@test "prices: the sum of the bill, and what has none" {
  printf 'currency EUR\nprice switch 1000\nprice cable 10\n' >prices
  run --separate-stderr "$FATWOOD" plan --hosts 32 --rate 200 --radix 16 --figures none --prices prices --json
  jq -e '.currency == "EUR" and
         all(.choices[]; .cost.total == .all_switches * 1000 + .all_cables * 10 and .cost.unpriced == [])' \
    <<<"$output"
  echo 'price switch 1000' >prices
  run --separate-stderr "$FATWOOD" plan --hosts 32 --rate 200 --radix 16 --figures none --prices prices --json
  jq -e 'all(.choices[]; .cost.cables == 0 and (.cost.unpriced | length) > 0)' <<<"$output"
  echo 'price switch much' >prices
  run "$FATWOOD" plan --hosts 32 --rate 200 --prices prices
  [ "$status" -eq 2 ]
  [[ "$output" == *"prices:1:14: expected a price"* ]]
}

@test "files of a plan: all forms are one fabric, and it is sound" {
  "$FATWOOD" plan --hosts 24 --rails 4 --rate 400 --unit 8 --choose 3 --figures none -o made --json >json
  for file in cables.csv ndt.csv "$(jq -r '.choices[0].formula' json)"; do
    [ -e "made/$file" ] && file=made/$file
    run "$FATWOOD" diff made/plan.json "$file"
    [ "$status" -eq 0 ] || { echo "$file: $output"; false; }
  done
  run "$FATWOOD" diff --plan made/plan.json made/plan.topo
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  # ibutils reads what is in the boxes.
  for file in made/ibnl/*.ibnl; do
    [ "$(type -t ibnlparse)" = "" ] && break
    ! ibnlparse "$file" "$(basename "$file" .ibnl)" 2>&1 | grep -E 'Error|-E-'
  done
  "$FATWOOD" plan --check made/plan.json
  cables=$(jq '.choices[0].all_cables' json)
  # Every cable once in the list of bundles, both ends in that of racks.
  [ "$(tail -n +2 made/bundles.csv | wc -l)" -eq "$cables" ]
  [ "$(tail -n +2 made/racks.csv | wc -l)" -eq $((2 * cables)) ]
  [ "$(tail -n +2 made/racks.csv | cut -d, -f5 | sort -u | wc -l)" -eq $((2 * cables)) ]
  grep -q '<svg xmlns' made/racks.svg
  xmllint --noout made/racks.svg made/floor.svg || [ "$(type -t xmllint)" = "" ]
  grep -q 'Bill of materials' made/lists.html
  # The same again is no question; a file of others is.
  "$FATWOOD" plan --from made/plan.json -o made
  echo mine >made/bill.csv
  run "$FATWOOD" plan --from made/plan.json -o made
  [ "$status" -eq 2 ]
  [ "$(cat made/bill.csv)" = mine ]
}

@test "layout and cables of a user" {
  printf 'rack-units 20\nhosts-a-rack 4\ndistance 0 2\ndistance 99 7\n' >room
  printf 'cable red lengths 2,7,30\n' >sold
  "$FATWOOD" plan --hosts 12 --rate 200 --radix 8 --unit 4 --choose 1 --figures none --layout room \
    --cables sold -o made >/dev/null
  [ "$(tail -n +2 made/cables.csv | cut -d, -f10 | sort -u)" = red ]
  [ "$(tail -n +2 made/cables.csv | cut -d, -f11 | sort -u | xargs)" = "2 7" ]
  echo 'rack A01 row A' >room
  run "$FATWOOD" plan --hosts 80 --rate 200 --radix 16 --choose 1 --figures none --layout room -o other
  [ "$status" -eq 2 ]
  [[ "$output" == *"racks are needed"* ]]
  [ ! -e other ]
}

@test "a catalogue of a user: its switches, at their heights" {
  printf 'switch tall ports 10 speed 200 height 7\nswitch "d" ports 50 speed 200 chips 10 height 20\n' >shop
  run --separate-stderr "$FATWOOD" plan --hosts 20 --rate 200 --catalogue shop --figures none --json
  jq -e '[.choices[].kit] | unique == ["tall", "tall, spines d"]' <<<"$output"
  number=$(jq '[.choices[] | select(.kit == "tall" and .name == "two levels")][0].number' <<<"$output")
  "$FATWOOD" plan --hosts 20 --rate 200 --catalogue shop --figures none --choose "$number" -o made >/dev/null
  # Spines stand alone in a rack of 48 units, from the top: 42, 35, ...
  jq -e '[.devices[] | select(.role == "spine") | .unit] | .[0] == 42 and .[1] == 35' made/plan.json
}

@test "check: each mistake by its kind, and 1" {
  "$FATWOOD" plan --hosts 16 --rails 2 --rate 200 --radix 16 --choose 2 --figures none -o made >/dev/null
  run "$FATWOOD" plan --check made/cables.csv
  [ "$status" -eq 0 ]
  # A port twice: row 3 at the port of row 2.
  awk -F, -v OFS=, 'NR == 2 { port = $9; device = $8; u = $7 } NR == 4 { $9 = port; $8 = device; $7 = u } 1' \
    made/cables.csv >twice.csv
  run --separate-stderr "$FATWOOD" plan --check twice.csv --json
  [ "$status" -eq 1 ]
  jq -e '.sound == false and any(.findings[]; .kind == "row" and .severity == "error")' <<<"$output"
  awk -F, -v OFS=, 'NR == 3 { $10 = "DAC"; $11 = 30 } 1' made/cables.csv >far.csv
  run --separate-stderr "$FATWOOD" plan --check far.csv --json
  [ "$status" -eq 1 ]
  jq -e '[.findings[] | select(.severity == "error") | .kind] == ["reach"] and .findings[0].line == 3' <<<"$output"
  awk -F, -v OFS=, 'NR == 3 { $12 = "4xEDR" } 1' made/cables.csv >slow.csv
  run --separate-stderr "$FATWOOD" plan --check slow.csv --json
  [ "$status" -eq 1 ]
  jq -e 'any(.findings[]; .kind == "speed")' <<<"$output"
  "$FATWOOD" plan --hosts 16 --rate 400 --radix 64 --unit 8 --choose 2 --figures none -o cages >/dev/null
  "$FATWOOD" plan --check cages/cables.csv
  awk -F, -v OFS=, 'NR == 3 { $10 = "MMF" } 1' cages/cables.csv >mixed.csv
  run --separate-stderr "$FATWOOD" plan --check mixed.csv --json
  [ "$status" -eq 1 ]
  jq -e '[.findings[] | select(.severity == "error") | .kind] == ["cage"]' <<<"$output"
  grep -v 'leaf-01-1,Port 9,' made/cables.csv >less.csv
  run --separate-stderr "$FATWOOD" plan --check less.csv --json
  [ "$status" -eq 1 ]
  jq -e '.irregular == 1 and any(.findings[]; .kind == "missing-cable")' <<<"$output"
  # Up-links that do not divide evenly are no mistake, and not regular either.
  run --separate-stderr "$FATWOOD" plan --check 'plan(hosts=64,rails=4,unit=20,up=20,spines=8)' --json
  [ "$status" -eq 0 ]
  jq -e '.sound and .regular == false' <<<"$output"
}

@test "grow: nothing moves where the spines have room" {
  "$FATWOOD" plan --hosts 16 --growth 16 --rate 200 --radix 16 --choose 1 --figures none -o old >/dev/null
  run --separate-stderr "$FATWOOD" plan --hosts 32 --rate 200 --radix 16 --choose 1 --grow old/plan.json \
    --steps steps.csv -o new --json
  [ "$status" -eq 0 ]
  jq -e '.safe and .cables_unplugged == 0 and (.steps | length) == 1 and .cables_plugged == 32' <<<"$output"
  [ "$(tail -n +2 steps.csv | wc -l)" -eq 32 ]
  "$FATWOOD" plan --check new/plan.json
  # The old devices stand where they stood.
  jq -r '.devices[] | "\(.name) \(.rack) \(.unit)"' old/plan.json | sort >before
  jq -r '.devices[] | "\(.name) \(.rack) \(.unit)"' new/plan.json | sort >after
  [ -z "$(comm -23 before after)" ]
}

@test "grow: a third level, every step verified" {
  "$FATWOOD" plan --hosts 24 --rate 200 --radix 8 --choose 1 --figures none -o old >/dev/null
  "$FATWOOD" plan --hosts 48 --rate 200 --radix 8 --figures none --json >wanted
  number=$(jq '.choices[] | select(.name == "three levels, pods") | .number' wanted)
  run --separate-stderr "$FATWOOD" plan --hosts 48 --rate 200 --radix 8 --choose "$number" \
    --grow old/plan.json --json
  [ "$status" -eq 0 ]
  jq -e '.safe and .cables_moved > 0 and (.steps | length) > 1 and .last.safe and
         all(.steps[].changes[]; .safe and .connected and .deadlock_free)' <<<"$output"
  run --separate-stderr "$FATWOOD" plan --hosts 48 --rate 200 --radix 8 --choose "$number" \
    --grow old/plan.json --unverified --json
  jq -e '.safe == null and .last == null' <<<"$output"
}

@test "what makes no sense is refused with what was expected" {
  run "$FATWOOD" plan
  [ "$status" -eq 2 ]
  [[ "$output" == *"expected --hosts"* ]]
  run "$FATWOOD" plan --hosts 100000 --rate 100 --radix 36
  [ "$status" -eq 2 ]
  [[ "$output" == *"11664 in three"* ]]
  run "$FATWOOD" plan --hosts 100 --rate 123
  [ "$status" -eq 2 ]
  [[ "$output" == *"123 Gb/s"* ]]
  for wrong in '--oversubscription 2:x' '--growth -3' '--reserve tea=3' '--spine-radix 1:2:3' '--planes 3'; do
    run "$FATWOOD" plan --hosts 20 --rails 2 --rate 200 --radix 16 $wrong
    [ "$status" -eq 2 ] || { echo "$wrong"; false; }
    [[ "$output" == *"${wrong%% *}"* ]] || { echo "$wrong: $output"; false; }
  done
  run "$FATWOOD" plan --hosts 20 --rate 200 -o made
  [ "$status" -eq 2 ]
  [[ "$output" == *"--choose"* ]]
  [ ! -e made ]
  run "$FATWOOD" plan --hosts 20 --rate 200 --choose 99
  [ "$status" -eq 2 ]
  run "$FATWOOD" plan --check absent
  [ "$status" -eq 2 ]
  run "$FATWOOD" plan --hosts 20 --rate 200 --engine ar_updn
  [ "$status" -eq 2 ]
}

@test "a folder that plan wrote is a plan" {
  "$FATWOOD" plan --hosts 64 --choose 1 --figures none -o planout
  cmp <("$FATWOOD" plan --check planout) <("$FATWOOD" plan --check planout/plan.json)
  "$FATWOOD" diff planout planout
  "$FATWOOD" show planout --json | jq -e '.hosts == 64 or .terminals == 64'
}

@test "large plans and small ones" {
  run --separate-stderr timeout 600 "$FATWOOD" plan --hosts 100000 --figures none
  [ "$status" -eq 0 ]
  grep -q ' 10000T ' <<<"$output"
  run ! grep -q 'e+' <<<"$output"
  run --separate-stderr "$FATWOOD" plan --hosts 1
  [ "$status" -eq 0 ]
  [[ "$output" != *"port 0"* ]]
}

# cables_of FILE: the cables of each alternative's bill, and what all_cables says.
cables_of() { jq -c '.choices[] | [.all_cables, ([.bill[] | select(.length_m != null) | .count] | add)]' "$1"; }

@test "the bill has all cables, with splitters, twin-port cables and reserved ports" {
  "$FATWOOD" plan --hosts 127 --rails 3 --rate 400 --radix 144 --split 2 --unit 32 --reserve storage=4 \
    --figures none --choose 1 --json >json
  [ "$(cables_of json)" = '[195,195]' ]
  jq -e '.choices[0].by_level[0].free_ports == 237' json
  for words in '--twin' '--twin --split 2' '--split 2 --reserve management=3,spare=1'; do
    "$FATWOOD" plan --hosts 31 --rails 3 --rate 200 --radix 16 --unit 7 $words --figures none --json >json
    jq -e 'all(.choices[]; .all_cables == ([.bill[] | select(.length_m != null) | .count] | add))' json ||
      { cables_of json; false; }
  done
  # Lists of the same plan have the same bill.
  "$FATWOOD" plan --hosts 20 --rate 100 --radix 16 --split 2 --choose 1 --figures none -o made >/dev/null
  cp made/bill.csv before.csv
  "$FATWOOD" plan --from made/plan.json -o made >/dev/null
  diff before.csv made/bill.csv
}

@test "grow: a host with two cables keeps one, and the counts are those of the steps" {
  both=(--rails 2 --rate 200 --radix 24 --planes 1 --figures none --choose 1)
  "$FATWOOD" plan --hosts 30 "${both[@]}" --oversubscription 2:1 -o old >/dev/null
  run --separate-stderr "$FATWOOD" plan --hosts 52 "${both[@]}" --grow old/plan.json --steps steps.csv --json
  [ "$status" -eq 0 ]
  jq -e '.safe and .hosts_off == []' <<<"$output"
  moved=$(jq .cables_moved <<<"$output") unplugged=$(jq .cables_unplugged <<<"$output")
  [ "$(cut -d, -f2 steps.csv | grep -c '^move$')" -eq "$moved" ]
  [ "$(cut -d, -f2 steps.csv | grep -cE '^(move|unplug)$')" -eq "$unplugged" ]
  # What is out at the end of each step's unplugging, by host: never both cables.
  awk -F, '
    function count(host) { for (h in out) if (out[h] > 1) { print h, step; bad = 1 } }
    NR > 1 && $1 != step { count(); for (h in back) out[h] -= back[h]; split("", back); step = $1 }
    NR > 1 && $3 ~ /^node/ && $2 != "plug" { ++out[$3] }
    NR > 1 && $3 ~ /^node/ && $2 != "unplug" && $3 in out { ++back[$3] }
    END { count(); exit bad }' steps.csv
}

@test "grow: hosts whose only cable is moved are named" {
  "$FATWOOD" plan --hosts 16 --rate 200 --radix 8 --choose 1 --figures none -o old >/dev/null
  # Two hosts of different leaves in each other's place.
  jq '.cables[0].b as $one | .cables[7].b as $two | .cables[0].b = $two | .cables[7].b = $one' old/plan.json >built.json
  run --separate-stderr "$FATWOOD" plan --from old/plan.json --grow built.json --json
  [ "$status" -eq 0 ]
  jq -e '.safe and (.hosts_off | length) == 2' <<<"$output"
  run "$FATWOOD" plan --from old/plan.json --grow built.json
  [[ "$output" == "SAFE: every step keeps all hosts connected but 2, off while their only cable is moved"* ]]
}

@test "very large plans are counted, and laid out where chosen" {
  run --separate-stderr timeout 20 "$FATWOOD" plan --hosts 439863 --rails 2 --rate 100 --unit 32 --json
  [ "$status" -eq 0 ]
  jq -e 'all(.choices[]; .bill == null and .racks == null and .all_cables > 250000)' <<<"$output"
}

@test "an alternative or a growth that cuts hosts off says why" {
  "$FATWOOD" plan --hosts 24 --rails 4 --rate 400 --unit 8 --figures all >table
  grep -qx 'apart in 1, -leaf: the only switch of its plane' table
  grep -qx 'apart in 4, -spine: the only spine of its plane' table
  "$FATWOOD" plan --hosts 24 --rails 4 --rate 400 --unit 8 --choose 2 --figures none -o old >/dev/null
  # From one network to four planes: adapters that reached each other do not.
  run "$FATWOOD" plan --hosts 48 --rails 4 --rate 400 --unit 8 --choose 1 --figures none --grow old/plan.json
  [[ "${lines[0]}" == "NOT SAFE: step 2 cuts hosts off: "*"are in separate networks (4 planes instead of 1"* ]]
  run --separate-stderr "$FATWOOD" plan --hosts 48 --rails 4 --rate 400 --unit 8 --choose 1 --figures none --grow old/plan.json --json
  jq -e '[.steps[].changes[] | .connected == (.cut_off == null)] | all and any(. == true)' <<<"$output"
  jq -e '[.steps[].changes[] | select(.connected | not)] | length > 0' <<<"$output"
}
