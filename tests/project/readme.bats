#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What README.md shows is what the program prints. (scripts/test-readme runs all of its commands on a bare machine.)
bats_require_minimum_version 1.5.0

setup() {
  readme="$BATS_TEST_DIRNAME/../../README.md"
  cd "$BATS_TEST_TMPDIR"
  ln -s "$FATWOOD" fatwood
  PATH="$PWD:$PATH"
}

# Writes each "$ fatwood" command to N.command and the output below it, if any, to N.shown. A line of dots stands for
# the rest.
split() {
  awk '
    /^    \$ / {
      shows = $2 == "fatwood"
      command = substr($0, 7)
      sub(/  +#.*/, "", command)
      if (shows) print command >(++n ".command")
      next
    }
    /^[^ ]/ { shows = 0 }
    shows { print substr($0, 5) >(n ".shown") }
  ' "$readme"
}

@test "commands of the README print what it shows" {
  split
  [ "$(ls *.command | wc -l)" -ge 5 ]
  [ "$(ls *.shown | wc -l)" -ge 5 ]
  for ((n = 1; ; ++n)); do
    [ -e "$n.command" ] || break
    cat "$n.command"
    bash "$n.command" >"$n.printed"
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
