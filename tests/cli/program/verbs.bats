#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# All verbs: each has help with an example, a manual page that the main one names and that has
# every option and every key of JSON, and completion in bash.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  source="$BATS_TEST_DIRNAME/../../.."
}

verbs() {
  "$FATWOOD" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
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

@test "every manual page has every option of its verb, but those of fatwood(1)" {
  for verb in $(verbs); do
    for option in $("$FATWOOD" "$verb" --help-all | sed -n 's/^ *\(-[a-z],\)\?\(--[a-z0-9-]*\).*/\2/p'); do
      [[ "$option" == --help* ]] && continue
      grep -q -e "$option\b" "$source/man/fatwood-$verb.1.scd" "$source/man/fatwood.1.scd" ||
        { echo "fatwood-$verb(1) does not have $option"; false; }
    done
  done
}

@test "documents name every engine, family of fabrics, traffic pattern and collective" {
  named() { # FILE WORD...
    local file=$source/$1 word
    shift
    [ $# -ge 10 ]
    for word; do grep -qE -e "[*\`]$word\b" "$file" || { echo "$file does not name $word"; false; }; done
  }
  named docs/route.md $("$FATWOOD" help engines | sed '/^$/,$d' | sed -n 's/^  \([a-z_-]*\).*/\1/p')
  named man/fatwood.1.scd $("$FATWOOD" help formulas | sed -n 's/^  \([a-z0-9-]*\).*/\1/p')
  run "$FATWOOD" load 'ft(4,2)' dmodk --traffic nosuch
  named man/fatwood-load.1.scd $(sed 's/.*are: //; s/:[A-Z]*//g' <<<"$output")
  run "$FATWOOD" job 'ft(4,2)' dmodk --hosts all --collective nosuch
  named man/fatwood-job.1.scd $(sed 's/.*there are //; s/,//g' <<<"$output")
}

# Names each key of what the command prints that neither its page nor fatwood(1) has. The value of
# a fraction goes with the fraction.
untold_keys() {
  "$FATWOOD" "$@" --json >json || true
  sed -E 's/\\//g; s/(^|[^A-Za-z0-9])_/\1/g; s/_($|[^A-Za-z0-9])/\1/g' "$source/man/fatwood-$1.1.scd" "$source/man/fatwood.1.scd" >page
  for key in $(jq -r '[.. | objects | keys_unsorted[]] | unique[]' json); do
    grep -qwF -e "$key" page || grep -qwF -e "${key%_value}" page || echo "fatwood-$1(1) does not have $key"
  done
}

@test "every manual page has the keys of its verb's JSON" {
  tree='ft(4,2)'
  lost=(--cut 'S1_0[1]')
  "$FATWOOD" route "$tree" --engine sftree -o old
  "$FATWOOD" route "$tree" "${lost[@]}" --engine sftree -o new
  "$FATWOOD" verify "$tree" sftree --certificate proof
  "$FATWOOD" convert "$tree" --to ibnetdiscover -o net
  "$FATWOOD" convert "$tree" "${lost[@]}" --to ibnetdiscover -o less
  echo 'price switch 3' >prices
  untold=$(
    untold_keys show "$tree" "${lost[@]}"
    untold_keys show like-selene
    untold_keys check "$tree" "${lost[@]}"
    untold_keys verify "$tree" sftree
    untold_keys verify 'ring(5)' minhop
    untold_keys verify "$tree" ar_updn "${lost[@]}"
    untold_keys verify "$tree" sftree --check proof
    untold_keys compare "$tree"
    untold_keys route "$tree" --engine sftree -o made
    untold_keys load "$tree" sftree --traffic alltoall
    untold_keys permutations "$tree" sftree --samples 10
    untold_keys permutations "$tree" sftree --shifts
    untold_keys worst "$tree" dmodk
    untold_keys worst "$tree" sftree "${lost[@]}"
    untold_keys sim "$tree" --routing minhop --load 0.3 --cycles 500
    untold_keys job "$tree" dmodk --hosts 'H[0-7]'
    untold_keys job "$tree" --engines ftree,minhop --hosts 'H[0-7]'
    untold_keys job "$tree" dmodk --pick 2 --free all
    untold_keys optimise "$tree" --engine minhop -o made
    untold_keys repair "$tree" old "${lost[@]}" -o made
    untold_keys transition "$tree" old new "${lost[@]}"
    untold_keys trace "$tree" sftree --from H0 --to H5
    untold_keys trace "$tree" ecmp --from H0 --to H5
    untold_keys verify "$tree" ospf "${lost[@]}"
    untold_keys whatif "$tree" ospf --transient
    untold_keys whatif "$tree" ecmp --pause H0
    untold_keys load "$tree" ecmp --traffic alltoall --queue-pairs 2 --hash tier --seeds 5
    untold_keys whatif "$tree" sftree
    untold_keys whatif "$tree" sftree --sets 2 --samples 5 --distribution
    untold_keys counters "$source/tests/fuzz/corpus/db_csv/small.db_csv" --routing updn+
    untold_keys diff net less
    untold_keys diff "$tree" less
    untold_keys plan --hosts 12 --rate 200 --radix 8 --planes 1 --prices prices
    untold_keys plan --from "$tree"
    untold_keys plan --check less
    untold_keys plan --grow 'plan(hosts=4,unit=2,radix=4,up=2,spines=2)' \
      --from 'plan(hosts=8,unit=2,radix=4,up=2,spines=2)'
  )
  [ -z "$untold" ] || { echo "$untold"; false; }
}

@test "help VERB is VERB --help; faults and hints are in --help-all alone" {
  for verb in $(verbs); do
    cmp <("$FATWOOD" help "$verb") <("$FATWOOD" "$verb" --help)
  done
  "$FATWOOD" help load >short
  "$FATWOOD" load --help-all >long
  for option in --cut --remove --roots --io --threads --lmc; do
    ! grep -q -e "$option" short
  done
  for option in --cut --remove --roots --io --threads --color; do grep -q -e "$option" long; done
  [ "$(wc -l <short)" -lt 40 ]
}

@test "help shows a default that is neither empty nor 0" {
  "$FATWOOD" load --help-all >all
  grep -q -e '--top UINT=10 ' all
  grep -q -e '--seed UINT=1 ' all
  grep -q -e '--threads INT:0..1024 ' all
  grep -q -e '--bound TEXT ' all
}

@test "the overview has every verb once, by topic" {
  [ "$(verbs | sort | uniq -d)" = "" ]
  for topic in Look Route Prove Change Jobs Research Files; do
    "$FATWOOD" help | grep -q "^$topic"
  done
  cmp <("$FATWOOD" help) <("$FATWOOD" --help)
}

@test "ROUTING is the second word, --routing or --engine" {
  for words in "ft(4,2) updn+" "ft(4,2) --routing updn+" "ft(4,2) --engine updn+" "--engine updn+ ft(4,2)"; do
    "$FATWOOD" verify $words --json >now
    cmp now first 2>/dev/null || [ ! -e first ] || { diff now first; false; }
    cp now first
    "$FATWOOD" route $words -o tables
    "$FATWOOD" load $words --traffic alltoall >/dev/null
    "$FATWOOD" worst $words >/dev/null
    "$FATWOOD" sim $words --load 0.1 --cycles 100 >/dev/null
  done
  "$FATWOOD" permutations 'ft(4,2)' --routing updn+ --samples 10 >/dev/null
  run "$FATWOOD" verify 'ft(4,2)' updn+ --engine minhop
  [ "$status" -eq 2 ]
}

@test "a slip is answered with what was meant" {
  meant() {
    local word=$1
    shift
    run "$FATWOOD" "$@"
    [ "$status" -eq 2 ] && [[ "$output" == *"did you mean $word"* ]] || { echo "$* $output"; false; }
  }
  meant show shwo 'ft(4,2)'
  meant even route 'ft(4,2)' evn
  meant even verify 'ft(4,2)' eve
  meant --message-size job 'ft(4,2)' even --hosts all --size 1G
  meant S1_0 show 'ft(4,2)' --cut S1_O
  meant H12 trace 'ft(8,2)' even --from H1 --to H1Z2
}

@test "a wrong value says what is expected" {
  run "$FATWOOD" route 'ft(4,2)' dfsssp --lanes
  [ "$status" -eq 2 ]
  [[ "$output" == *"--lanes needs a whole number from 1 to 15"* ]]
}

@test "what was written is said at the end, with its size; not with --json" {
  run --separate-stderr "$FATWOOD" route 'ft(4,2)' updn+ -o tables
  [[ "$stderr" == "wrote tables ("*")" ]]
  run --separate-stderr "$FATWOOD" route 'ft(4,2)' updn+ -o tables --json
  [ "$stderr" = "" ]
}

# What the program offers for the last of the words.
offered() { "$FATWOOD" complete "$@" | cut -f 1; }

@test "completion: verbs, options, values, engines, families, names of the fabric" {
  for verb in $(verbs); do
    offered "${verb:0:3}" | grep -qx -e "$verb"
    offered "$verb" x --he | grep -qx -e --help
  done
  offered help sh | grep -qx show
  offered route x sf | grep -qx sftree
  offered route x --engine sf | grep -qx sftree
  offered show x --cut 5% --k | grep -qx -e --keep-connected
  offered report x --engines minhop,sf | grep -qx minhop,sftree
  offered report x --worst up | grep -qx updn+
  offered load x dmodk --traffic al | grep -qx alltoall
  offered sim x --traffic ho | grep -qx hotspot:
  offered sim x disj | grep -qx disjoint:
  offered sim x --receivers u | grep -qx unlimited
  offered sim x --paths packet-o | grep -qx packet-order
  offered route x --for sh | grep -qx shifts
  offered load x even --effort qu | grep -qx quick
  offered study 003-t | grep -qx 003-table3
  offered show xg | grep -qx 'xgft('
  offered show 'xgft(' | grep -qx 'xgft(h;m1,..,mh;w1,..,wh)'
  offered show 'ft(4,2)' --cut S1_ | grep -qx S1_3
  offered trace 'ft(4,2)' even --from H | grep -qx H7
  offered show --json fo | grep -qx '\*files\*'
  [ -z "$(offered nonsense x)" ]
}

# What bash offers after the words, the last of which is being typed.
completed() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _fatwood
  printf '%s\n' "${COMPREPLY[@]}"
}

@test "bash asks the program, and adds files" {
  . "$source/completion/fatwood.bash"
  completed "$FATWOOD" sho | grep -qx show
  completed "$FATWOOD" route x --engine sf | grep -qx sftree
  completed "$FATWOOD" show "'ft(4,2)'" --cut S1_ | grep -qx S1_3
  touch fabric.txt
  completed "$FATWOOD" show fab | grep -qx fabric.txt
}

@test "fish asks the program" {
  command -v fish >/dev/null || skip "fish is not installed"
  ln -s "$FATWOOD" fatwood
  cp "$source/completion/fatwood.fish" .
  HOME=$PWD PATH=$PWD:$PATH fish --no-config -c 'source fatwood.fish; complete -C "fatwood route x sf"' | cut -f 1 | grep -qx sftree
  HOME=$PWD PATH=$PWD:$PATH fish --no-config -c 'source fatwood.fish; complete -C "fatwood sho"' | cut -f 1 | grep -qx show
}

@test "zsh asks the program" {
  command -v zsh >/dev/null || skip "zsh is not installed"
  ln -s "$FATWOOD" fatwood
  cat >ask <<'END'
compadd() { print -l -- ${(P)@[-1]}; }
compdef() { :; }
_files() { print files; }
words=(fatwood route x sf)
CURRENT=4
END
  PATH=$PWD:$PATH zsh -f -c ". ./ask; . '$source/completion/_fatwood'" >found
  grep -qx sftree found
  grep -qx files found
}

@test "help lists formulas and engines" {
  "$FATWOOD" help | grep -q "'fatwood help formulas' and 'fatwood help engines'"
  "$FATWOOD" help formulas | grep -q '^  ft(m,n) '
  "$FATWOOD" help engines | grep -q '^  even '
  "$FATWOOD" help engines | grep -q '^  disjoint:K '
}

@test "an option that may be repeated takes one value each time, and help says so" {
  "$FATWOOD" help whatif | grep -A4 -e '--lose TEXT ' | tr -s ' \n' '  ' | grep -q 'may be repeated'
  run ! grep -q -e '--lose TEXT \.\.\.' <("$FATWOOD" help whatif)
}
