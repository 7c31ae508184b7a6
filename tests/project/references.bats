#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Papers are cited by the keys of docs/reference/references.md, never by a number of our own.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_DIRNAME/../.."; }

folders=(src studies tests check include opensm bench man docs web/src README.md DESIGN.md CHANGELOG.md CONTRIBUTING.md)

cited() {
  grep -rIhoE '\[[A-Z][A-Za-z]+[0-9]{2}\]' --exclude=references.md --exclude-dir=fixtures --exclude-dir=corpus "${folders[@]}" |
    sort -u
}

@test "every key that is cited is on the page of references, once" {
  [ "$(cited | wc -l)" -ge 10 ]
  while read -r key; do
    [ "$(grep -cF "| $key |" docs/reference/references.md)" = 1 ] || { echo "$key is not there once"; false; }
  done < <(cited)
}

@test "no paper is cited by a number" {
  run grep -rnIE --exclude=references.bats --exclude-dir=fixtures --exclude-dir=corpus \
    "[Pp]apers? 00[0-4]|\b00[0-4]('s|,? (section|Theorem|Table|Figure|equation|Lemma|Fig))|_of_00[0-4]" "${folders[@]}"
  [ "$status" -eq 1 ] || { echo "$output"; false; }
}
