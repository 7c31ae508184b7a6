#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Progress on a terminal: visible after a second, and nothing of it stays.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

# Runs a command on a terminal of its own: what it wrote to `raw`, what the screen shows to `screen`.
on_terminal() {
  python3 - "$@" >/dev/null <<'EOF'
import os, pty, re, sys
raw = b""
def read(fd):
    global raw
    data = os.read(fd, 65536)
    raw += data
    return data
os.environ["COLUMNS"] = "80"
pty.spawn(sys.argv[1:], read)
open("raw", "wb").write(raw)
# What a line shows in the end: what follows the last return or erasure.
screen = [re.split(rb"\r(?!$)|\033\[K", line.rstrip(b"\r"))[-1] for line in raw.split(b"\n")]
open("screen", "wb").write(b"\n".join(screen))
EOF
}

@test "compare, whatif and plan leave no bar on the screen" {
  for words in "compare ft(16,3) --cut 1%" "whatif ft(16,3) --cut 1% even" \
    "plan --hosts 4000 --rails 4 --rate 400 --radix 64 --choose 1"; do
    on_terminal "$FATWOOD" $words
    [ -s screen ]
    ! grep -F -e '[#' -e '[--' -e ' left' screen
  done
}

@test "progress is visible while a file is read that takes long" {
  mkfifo pipe
  (sleep 2; "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover) >pipe 3>&- &
  on_terminal "$FATWOOD" show pipe
  grep -q 'fatwood show: 1 s' raw
  ! grep -q 'fatwood show:' screen
  grep -q '^6 switches' screen
}

@test "a bar is drawn on a terminal only" {
  "$FATWOOD" compare 'ft(16,3)' --cut 1% >out 2>err
  ! grep -q '\[#' out err
}
