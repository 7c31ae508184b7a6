#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every option of every verb is read by some command and refused by those that have no use for it:
# options.py tries them.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  verbs=$("$FATWOOD" --help | sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p')
  if "$FATWOOD" report 'ft(4,2)' -o page --engines none 2>&1 | grep -q 'without the page'; then
    verbs=$(grep -v report <<<"$verbs")
  fi
}

tried() {
  [ -n "$*" ]
  run python3 -B "$BATS_TEST_DIRNAME/options.py" "$FATWOOD" "$@"
  [ "$status" -eq 0 ] || { echo "$output"; false; }
}

@test "options from check-certificate to optimise" { tried $(grep '^[a-n]' <<<"$verbs") $(grep '^op' <<<"$verbs"); }

@test "options from order to whatif and worst" { tried $(grep '^[p-z]' <<<"$verbs") $(grep '^or' <<<"$verbs"); }
