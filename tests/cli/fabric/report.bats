#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# fatwood report: one file, nothing from elsewhere; wrong input writes nothing.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  run --separate-stderr "$FATWOOD" report 'ft(4,2)' --engines updn+ -o probe.html
  if [[ "$stderr" == *"without the page"* ]]; then
    [ "$status" -eq 2 ]
    [ ! -e probe.html ]
    skip "fatwood was built without the page"
  fi
}

data() { sed -n 's/.*<script type="application\/json" id="data">\(.*\)<\/script>.*/\1/p' "$1"; }

@test "one file with the fabric, its engines and their tables" {
  run --separate-stderr "$FATWOOD" report 'ft(4,3)' --cut 5% --title 'A <b>tree</b> & more' -o page.html
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  data page.html >data.json
  [ "$(jq -r .title data.json)" = 'A <b>tree</b> & more' ]
  [ "$(jq -r .show.switches data.json)" = 20 ]
  [ "$(jq -r '.engines | length' data.json)" = "$(jq -r '.routes | length' data.json)" ]
  [ "$(jq -r '[.routes[] | select(.name=="sftree")][0].tables | type' data.json)" = string ]
  grep -q '<title>A &lt;b&gt;tree&lt;/b&gt; &amp; more - Fatwood</title>' page.html
}

@test "nothing is fetched from anywhere" {
  run --separate-stderr "$FATWOOD" report 'ft(4,2)' -o page.html
  run ! grep -qE '(src|href)="?https?:' page.html
  grep -q "default-src 'none'" page.html
}

@test "chosen engines only, and tables from files" {
  "$FATWOOD" route 'ft(4,3)' --engine updn+ -o lfts.dump >/dev/null
  "$FATWOOD" report 'ft(4,3)' --tables lfts.dump --engines sftree,minhop -o page.html
  [ "$(data page.html | jq -r '[.engines[].name] | join(" ")')" = "lfts.dump minhop sftree" ]
  "$FATWOOD" report 'ft(4,3)' --tables lfts.dump --engines none -o page.html
  [ "$(data page.html | jq -r '[.engines[].name] | join(" ")')" = "lfts.dump" ]
}

@test "tables with their lanes" {
  "$FATWOOD" route 'torus(4,4)' --engine lash -o lfts.dump --sl lanes >/dev/null
  "$FATWOOD" report 'torus(4,4)' --tables lfts.dump --engines none -o page.html
  [ "$(data page.html | jq -r '.engines[0] | "\(.lanes) \(.deadlock_free)"')" = "1 false" ]
  "$FATWOOD" report 'torus(4,4)' --tables lfts.dump --tables lfts.dump --sl none --sl lanes --engines none -o page.html
  [ "$(data page.html | jq -r '.engines[0] | "\(.lanes) \(.deadlock_free)"')" = "1 false" ]
  [ "$(data page.html | jq -r '.engines[1] | "\(.lanes > 1) \(.deadlock_free)"')" = "true true" ]
  run --separate-stderr "$FATWOOD" report 'torus(4,4)' --sl lanes -o other.html
  [ "$status" -eq 2 ]
  [ ! -e other.html ]
}

@test "the worst traffic of the recommended engine; on a large fabric none unless asked for" {
  "$FATWOOD" report 'ft(4,3)' --engines even,updn+ -o page.html
  jq -e '[.worst[].routing] == [.recommendation.engine]' <(data page.html)
  "$FATWOOD" report 'xgft(2;60,50;1,3)' --engines sftree -o page.html
  [ "$(data page.html | jq -r '.worst | length')" = 0 ]
}

@test "same tables are in the file once" {
  "$FATWOOD" route 'ft(4,3)' --engine updn+ -o lfts.dump >/dev/null
  "$FATWOOD" report 'ft(4,3)' --tables lfts.dump --engines updn+ -o page.html
  [ "$(data page.html | jq -r '.routes[1].tables')" = 0 ]
}

@test "unknown engines, files and fabrics: 2, and nothing written" {
  for words in "ft(4,2) --engines nosuch" "ft(4,2) --worst nosuch" "ft(4,2) --tables nosuch" "nosuch(1)"; do
    run --separate-stderr "$FATWOOD" report $words -o page.html
    [ "$status" -eq 2 ]
    [ ! -e page.html ]
  done
}

@test "the page shows the command that made it, options and all" {
  "$FATWOOD" report --help >/dev/null
  "$FATWOOD" route 'ft(4,2)' --engine updn+ -o tables.lfts >/dev/null
  "$FATWOOD" report 'ft(4,2)' --cut 1 --keep-connected --lmc 1 --seed 7 --engines minhop,updn+ --tables tables.lfts --worst none --title "a b" -o page.html
  grep -qF "fatwood report 'ft(4,2)' --cut 1 --keep-connected --tables tables.lfts --engines minhop,updn+ --worst none --lmc 1 --title 'a b' --seed 7" page.html
}

@test "jobs are on the page with what they send" {
  printf 'train H[0-3]\nother H[8-9] sendrecv 1M\n' >jobs
  "$FATWOOD" report 'ft(4,3)' --engines ftree --worst none --jobs jobs -o page.html
  data page.html >data.json
  [ "$(jq -c '[.jobs[] | [.name, .what, .hosts]]' data.json)" = '[["train","allreduce:ring",4],["other","sendrecv:ring",2]]' ]
  # A ring of four, each with its next.
  [ "$(jq '.jobs[0].traffic | length' data.json)" = 4 ]
  [ "$(jq '[.jobs[0].traffic[][2]] | min == 1 and max == 1' data.json)" = true ]
  [[ "$(jq -r .command data.json)" == *"--jobs jobs"* ]]
  printf 'train H[90-99]\n' >jobs
  run "$FATWOOD" report 'ft(4,3)' --engines ftree --jobs jobs -o other.html
  [ "$status" -eq 2 ]
  [[ "$output" == *"jobs:1"* ]]
  [ ! -e other.html ]
}

@test "report: jobs on hosts in another order" {
  for i in $(seq 15 -1 0); do echo "H$i"; done | awk 'NR % 2' >order
  "$FATWOOD" report 'ft(4,3)' --cut 3 --fault-seed 2 --engines even --host-order order -o page.html
  data page.html >data.json
  [[ "$(jq -r .command data.json)" == *"--host-order order"* ]]
  run "$FATWOOD" report 'ft(4,3)' --host-order absent -o other.html
  [ "$status" -eq 2 ]
  [ ! -e other.html ]
}
