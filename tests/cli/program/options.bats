#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# An option is an error if it asks for something that will not happen; one that merely makes no
# difference is accepted. A refusal ends with 2, names the option, and prints and writes nothing.
bats_require_minimum_version 1.5.0

setup() {
  mkdir "$BATS_TEST_TMPDIR/here"
  cd "$BATS_TEST_TMPDIR/here"
  tree='ft(4,2)'
  "$FATWOOD" route "$tree" --engine updn+ -o tables >/dev/null
  printf 'H3\nH2\n' >order
  printf '0 H0 H3 4k\n' >messages
}

# refused OPTION ARGUMENT...: the option is named, and no file appears.
refused() {
  local option=$1
  shift
  local before
  before=$(ls)
  run --separate-stderr "$FATWOOD" "$@"
  [ "$status" -eq 2 ] || { echo "status $status: $*"; false; }
  [ -z "$output" ] || { echo "printed: $*"; false; }
  [[ "$stderr" == *"$option"* ]] || { echo "$*: $stderr"; false; }
  [ "$(ls)" = "$before" ] || { echo "written: $*"; false; }
}

accepted() {
  run --separate-stderr "$FATWOOD" "$@"
  [ "$status" -eq 0 ] || { echo "status $status: $*: $stderr"; false; }
}

@test "what an engine does not support" {
  refused 'engine lash does not support LMC 1; use --lmc 0' route "$tree" --engine lash --lmc 1 -o made
  refused 'engine lash does not support --order' route "$tree" --engine lash --order order -o made
  refused 'engine minhop does not support --for' route "$tree" --engine minhop --for shifts -o made
  refused 'engine minhop does not support --choice' route "$tree" --engine minhop --choice hashed -o made
  accepted route "$tree" --engine minhop --lanes 3 --manager H0 --groups 9 --for alltoall --effort quick --seed 7 -o made
}

@test "engine options with a file of tables or an algebraic routing" {
  for words in '--lmc 1' '--order order' '--manager H0' '--choice hashed' '--groups 3' '--for shifts'; do
    # shellcheck disable=SC2086
    for verb in "verify $tree tables" "trace $tree tables --from H0 --to H3" "whatif $tree tables" \
      "route $tree --engine disjoint:2"; do
      refused "${words%% *} needs an engine" $verb $words
    done
  done
  refused '--sl needs a file of tables' verify "$tree" updn+ --sl tables
  refused '--add needs an engine' whatif "$tree" tables --add cable@1
  refused '--offset 1' trace "$tree" updn+ --from H0 --to S1_0 --offset 1
}

@test "options that need another" {
  refused '--to requires --output' route "$tree" --engine updn+ --to far
  refused '--sl-output requires --sl' repair "$tree" tables --sl-output made
  refused '--lanes requires --sl' repair "$tree" tables --lanes 2
  refused '--spare-blocks' repair "$tree" tables --forced-only --spare-blocks 2
  refused '--blocks' repair "$tree" tables --forced-only --blocks 2
  refused '--blocks' repair "$tree" tables --spare-blocks 1 --blocks 2
  refused '--samples requires --sets' whatif "$tree" --samples 5
  refused '--from-sl requires --from' verify "$tree" tables --from-sl tables
  refused '--fabric needs study real-fabrics' study 000-table1 --fabric "$tree"
  refused '--opensm needs study' study 000-table1 --opensm order
  if ! "$FATWOOD" report "$tree" -o page --engines none 2>&1 | grep -q 'without the page'; then
    refused '--sl requires --tables' report "$tree" -o made --sl tables
    refused 'more --sl than --tables' report "$tree" -o made --tables tables --sl none --sl none
    refused '--worst' report "$tree" -o made --engines updn+ --worst minhop
  fi
}

@test "jobs: options of collectives that no job runs" {
  job=(job "$tree" dmodk --hosts 'H[0-7]')
  refused '--channels' "${job[@]}" --collective alltoall:bruck --channels 2
  refused '--cross-nic' "${job[@]}" --collective alltoall:bruck --cross-nic 1
  refused '--window' "${job[@]}" --window 2
  refused '--root' "${job[@]}" --root 1
  refused '--no-pxn' "${job[@]}" --no-pxn
  refused '--tensor' "${job[@]}" --tensor 2
  refused '--free needs --improve or --pick' "${job[@]}" --free H1
  refused '--free needs --improve placement or both' "${job[@]}" --improve order --free H1
  refused '--tries needs --improve or --pick' "${job[@]}" --tries 5
  for words in '--hosts all' '--collective ring' '--message-size 1M' '--ranks-per-host 2' '--adapters 1' '--groups data'; do
    # shellcheck disable=SC2086
    refused "${words%% *}" job "$tree" dmodk --trace messages $words
  done
  accepted "${job[@]}" --collective alltoall:bruck --latency none
  accepted "${job[@]}" --weight 3
}

@test "an option that makes no difference changes nothing" {
  same() {
    local option=$1
    shift
    accepted "$@"
    local usual=$output
    # shellcheck disable=SC2086
    accepted "$@" $option
    [ "$output" = "$usual" ] || { echo "$* $option"; false; }
  }
  same '--fault-seed 7' show "$tree"
  same --keep-connected show "$tree" --cut 'S1_0[1]'
  same --all show "$tree" --json
  same '--seed 7' load "$tree" updn+ --traffic ring --json
  same '--io order' trace "$tree" tables --from H0 --to H3
  same '--seed 9' trace "$tree" updn+ --from H0 --to H3
}
