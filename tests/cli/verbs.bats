#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# All verbs: each has help with an example, a manual page that the main one names and that tells
# every option and every key of JSON, and completion in bash.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  source="$BATS_TEST_DIRNAME/../.."
}

verbs() {
  "$FATWOOD" --help | sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p'
}

# What completion offers after the words, the last of which is being typed.
completed() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _fatwood
  printf '%s\n' "${COMPREPLY[@]}"
}

@test "there are verbs" {
  [ "$(verbs | wc -l)" -ge 13 ]
}

@test "every verb has help with an example" {
  for verb in $(verbs); do
    run "$FATWOOD" "$verb" --help
    [ "$status" -eq 0 ] || { echo "$verb"; false; }
    [[ "$output" == *"Example: fatwood $verb "* ]] || { echo "$verb has no example"; false; }
  done
}

@test "every verb has a manual page, and fatwood(1) names it" {
  for verb in $(verbs); do
    [ -s "$source/man/fatwood-$verb.1.scd" ] || { echo "$verb has no page"; false; }
    grep -q "\*fatwood-$verb\*(1)" "$source/man/fatwood.1.scd" || { echo "$verb is not named"; false; }
  done
}

@test "every manual page tells every option of its verb, but those that fatwood(1) tells" {
  for verb in $(verbs); do
    for option in $("$FATWOOD" "$verb" --help | sed -n 's/^ *\(-[a-z],\)\?\(--[a-z0-9-]*\).*/\2/p'); do
      [ "$option" = --help ] && continue
      grep -q -e "$option\b" "$source/man/fatwood-$verb.1.scd" "$source/man/fatwood.1.scd" ||
        { echo "fatwood-$verb(1) does not tell $option"; false; }
    done
  done
}

# Names each key of what the command prints that neither its page nor fatwood(1) tells. The value
# beside a fraction is told by the fraction.
untold_keys() {
  "$FATWOOD" "$@" --json >json || true
  sed -E 's/\\//g; s/(^|[^A-Za-z0-9])_/\1/g; s/_($|[^A-Za-z0-9])/\1/g' "$source/man/fatwood-$1.1.scd" "$source/man/fatwood.1.scd" >page
  for key in $(jq -r '[.. | objects | keys_unsorted[]] | unique[]' json); do
    grep -qwF -e "$key" page || grep -qwF -e "${key%_value}" page || echo "fatwood-$1(1) does not tell $key"
  done
}

@test "every manual page tells the keys of its verb's JSON" {
  tree='ft(4,2)'
  lost=(--cut 'S1_0[1]')
  "$FATWOOD" route "$tree" --engine sftree -o old
  "$FATWOOD" route "$tree" "${lost[@]}" --engine sftree -o new
  "$FATWOOD" verify "$tree" sftree --certificate proof
  "$FATWOOD" convert "$tree" --to ibnetdiscover -o net
  "$FATWOOD" convert "$tree" "${lost[@]}" --to ibnetdiscover -o less
  untold=$(
    untold_keys show "$tree" "${lost[@]}"
    untold_keys show like-selene
    untold_keys verify "$tree" sftree
    untold_keys verify 'ring(5)' minhop
    untold_keys verify "$tree" ar_updn "${lost[@]}"
    untold_keys check-certificate "$tree" sftree proof
    untold_keys compare "$tree"
    untold_keys route "$tree" --engine sftree -o made
    untold_keys load "$tree" sftree --traffic alltoall
    untold_keys permutations "$tree" sftree --samples 10
    untold_keys permutations "$tree" sftree --shifts
    untold_keys worst "$tree" dmodk
    untold_keys worst "$tree" sftree "${lost[@]}"
    untold_keys sim "$tree" --routing minhop --load 0.3 --cycles 500
    untold_keys order "$tree" dmodk --hosts 'H[0-7]'
    untold_keys job "$tree" dmodk --hosts 'H[0-7]'
    untold_keys optimise "$tree" --engine minhop -o made
    untold_keys repair "$tree" old "${lost[@]}" -o made
    untold_keys transition "$tree" old new "${lost[@]}"
    untold_keys trace "$tree" sftree --from H0 --to H5
    untold_keys whatif "$tree" sftree
    untold_keys diff net less
    untold_keys diff "$tree" less
  )
  [ -z "$untold" ] || { echo "$untold"; false; }
}

@test "bash completes verbs, options, engines and forms" {
  . "$source/completion/fatwood.bash"
  for verb in $(verbs); do
    completed "$FATWOOD" "${verb:0:3}" | grep -qx -e "$verb"
    completed "$FATWOOD" "$verb" x --he | grep -qx -e --help
  done
  completed "$FATWOOD" route x --engine sf | grep -qx sftree
  completed "$FATWOOD" show x --cut 5% --k | grep -qx -e --keep-connected
  completed "$FATWOOD" convert x --to ib | grep -qx ibsim
  completed "$FATWOOD" report x --engines minhop,sf | grep -qx minhop,sftree
  completed "$FATWOOD" report x --worst up | grep -qx updn
  for option in --traffic --collective; do
    completed "$FATWOOD" sim x $option do | grep -qx doubling
    completed "$FATWOOD" sim x $option ho | grep -qx hotspot:
  done
  completed "$FATWOOD" load x dmodk --traffic al | grep -qx alltoall
  completed "$FATWOOD" sim x --routing disj | grep -qx disjoint:
  completed "$FATWOOD" sim x --routing upd | grep -qx updn
  completed "$FATWOOD" sim x --receivers u | grep -qx unlimited
  completed "$FATWOOD" sim x --paths packet-o | grep -qx packet-order
  completed "$FATWOOD" route x --for sh | grep -qx shifts
  completed "$FATWOOD" load x even --effort qu | grep -qx quick
  completed "$FATWOOD" study 003-t | grep -qx 003-table3
}
