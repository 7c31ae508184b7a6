#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What README.md and pages of docs/ show is what the programs print. scripts/doc-outputs renews it.
# (scripts/test-readme runs all commands of the README on a bare machine.)
bats_require_minimum_version 1.5.0

setup() {
  source="$BATS_TEST_DIRNAME/../.."
  cd "$BATS_TEST_TMPDIR"
  ln -s "$FATWOOD" fatwood
  ln -s "$FATWOOD_CHECK" fatwood-check
  ln -s "$source/examples" examples
  PATH="$PWD:$PATH"
}

# Writes each command of "$ fatwood" or "$ fatwood-check", and each that only prepares files for them, to N.command, and
# the output below it, if any, to N.shown. A line of dots stands for the rest.
split() {
  awk '
    /^    \$ / {
      shows = $2 ~ /^(fatwood|for$|mkdir$|printf$)/
      command = substr($0, 7)
      sub(/  +#.*/, "", command)
      if (shows) print command >(++n ".command")
      next
    }
    /^[^ ]/ { shows = 0 }
    shows { print substr($0, 5) >(n ".shown") }
  ' "$1"
}

# Commands of a document run in one folder, one after the other, and may end with 1.
shows_what_is_printed() {
  split "$1"
  [ "$(ls *.command | wc -l)" -ge 5 ]
  [ "$(ls *.shown | wc -l)" -ge 5 ]
  for ((n = 1; ; ++n)); do
    [ -e "$n.command" ] || break
    cat "$n.command"
    bash "$n.command" >"$n.printed" 2>"$n.said" || [ $? -eq 1 ] || { cat "$n.said"; false; }
    [ -e "$n.shown" ] || continue
    sed -n '/^ *\.\.\.$/q; p' "$n.shown" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >wanted
    [ -s wanted ] || continue
    if grep -qE '^ *\.\.\.$' "$n.shown"; then
      head -n "$(wc -l <wanted)" "$n.printed" >printed
    else
      cp "$n.printed" printed
    fi
    diff wanted printed
  done
}

@test "commands of the README print what it shows" {
  shows_what_is_printed "$source/README.md"
}

@test "commands of questions.md print what it shows" {
  shows_what_is_printed "$source/docs/questions.md"
}

@test "commands of the tutorial print what it shows" {
  shows_what_is_printed "$source/docs/tutorial.md"
}

@test "commands of plan.md print what it shows" {
  shows_what_is_printed "$source/docs/plan.md"
}

@test "commands of prove.md print what it shows" {
  shows_what_is_printed "$source/docs/prove.md"
}

@test "commands of change.md print what it shows" {
  shows_what_is_printed "$source/docs/change.md"
}

@test "commands of route.md print what it shows" {
  shows_what_is_printed "$source/docs/route.md"
}
