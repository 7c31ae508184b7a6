#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# One meaning per number: mload and Gb/s of the same tables are the same in every verb.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

page_data() { sed -n 's/.*<script type="application\/json" id="data">\(.*\)<\/script>.*/\1/p' "$1"; }

# A copy of a fabric as a file. Its first cable between switches is 4xDDR, the first host 4xHDR and
# everything else 4xEDR.
mixed() { # FORMULA FILE
  "$FATWOOD" convert "$1" --to ibnetdiscover -o plain >/dev/null
  python3 - plain "$2" <<'END'
import re, sys
at, lines, ends = None, open(sys.argv[1]).read().replace("4xQDR", "4xEDR").split("\n"), {}
for i, line in enumerate(lines):
    node = re.match(r'(?:Switch|Ca)\s+\d+ "([SH])-(\w+)"', line)
    if node: at = node.group(1), node.group(2)
    cable = re.match(r'\[(\d+)\](?:\(\w+\))?\s+"([SH])-(\w+)"\[(\d+)\]', line)
    if cable: ends[(at, cable.group(1))] = i, ((cable.group(2), cable.group(3)), cable.group(4))
def set_rate(kind, rate):
    for (here, port), (i, there) in ends.items():
        if here[0] + there[0][0] == kind:
            for k in (i, ends[there][0]): lines[k] = lines[k].replace("4xEDR", rate)
            return
set_rate("SS", "4xDDR")
set_rate("SH", "4xHDR")
open(sys.argv[2], "w").write("\n".join(lines))
END
  grep -q 4xDDR "$2" && grep -q 4xHDR "$2" && grep -q 4xEDR "$2"
}

# load, compare, whatif, repair and the page on one fabric and one file of tables.
same_numbers() { # FABRIC TABLES
  "$FATWOOD" load "$1" "$2" --traffic alltoall --json >load.json
  "$FATWOOD" whatif "$1" "$2" --only switches --json >whatif.json
  "$FATWOOD" repair "$1" "$2" --json >repair.json
  "$FATWOOD" report "$1" --engines none --tables "$2" --worst none -o page.html >/dev/null
  page_data page.html >page.json
  jq -ne --slurpfile load load.json --slurpfile whatif whatif.json --slurpfile repair repair.json \
    --slurpfile page page.json '
    ($load[0].mload_value) as $mload | $whatif[0].now as $now |
    $mload > 0 and $now.mload == $load[0].mload and $repair[0].mload == $load[0].mload and
    $repair[0].mload_forced == $load[0].mload and $page[0].engines[0].mload == $load[0].mload and
    $page[0].losses.mload_now == $mload and
    $page[0].losses.gigabits_now == $now.gigabits_per_second and
    # (N - 1) / mload of the usual rate of adapters
    ($load[0].flows | sqrt | floor) as $others |
    (($load[0].unit | capture("(?<rate>[0-9.]+) Gb/s").rate | tonumber) // 32) as $usual |
    (($now.gigabits_per_second - $others * $usual / $mload) | fabs) < 1e-9 and
    (($load[0].rates // {worst_gbps: $now.gigabits_per_second}).worst_gbps as $worst |
      (($worst - $now.gigabits_per_second) | fabs) < 1e-9)' || {
    jq -c '{mload, unit, flows}' load.json
    jq -c .now whatif.json
    jq -c '{mload, mload_forced}' repair.json
    jq -c '[.engines[0].mload, .losses.mload_now, .losses.gigabits_now]' page.json
    return 1
  }
}

@test "the same tables have the same mload and Gb/s in every verb" {
  for formula in 'ft(4,3)' 'xgft(2;4,3;2,2)' 'xgft(2;3,2;1,1)'; do
    mixed "$formula" mixed.net
    for fabric in "$formula" mixed.net; do
      for lmc in 0 1; do
        "$FATWOOD" route "$fabric" --engine sftree --lmc "$lmc" -o tables >/dev/null
        same_numbers "$fabric" tables || { echo "$formula $fabric LMC $lmc"; false; }
      done
    done
  done
}

@test "compare and whatif agree on an engine" {
  mixed 'ft(4,3)' mixed.net
  for fabric in 'ft(4,3)' mixed.net; do
    "$FATWOOD" compare "$fabric" --json >compare.json
    for engine in minhop sftree even; do
      "$FATWOOD" whatif "$fabric" "$engine" --only switches --json >whatif.json
      jq -ne --arg engine "$engine" --slurpfile compare compare.json --slurpfile whatif whatif.json '
        [$compare[0].engines[] | select(.name == $engine).mload] == [$whatif[0].now.mload]'
    done
  done
}

@test "--count-flows gives every cable the usual speed of adapters" {
  mixed 'ft(4,2)' mixed.net
  "$FATWOOD" load mixed.net sftree --traffic alltoall --count-flows --json >load.json
  "$FATWOOD" whatif mixed.net sftree --count-flows --json >whatif.json
  "$FATWOOD" whatif 'ft(4,2)' sftree --json >plain.json
  jq -e '.unit == "flows" and .mload == 7 and all(.channels[]; .gigabits_per_second == 100)' load.json
  # 100 Gb/s where the formula has 32.
  jq -ne --slurpfile count whatif.json --slurpfile plain plain.json '
    $count[0].now.mload == $plain[0].now.mload and $count[0].now.gigabits_per_second == 100 and
    $plain[0].now.gigabits_per_second == 32'
}

@test "hosts with many different numbers of ports have no negative loads" {
  python3 - <<'END'
# One switch; hosts with 2, 3, 5, .. ports.
primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
ports, switch, hosts = 0, "", ""
for h, n in enumerate(primes):
    hosts += f'\nvendid=0x0\ndevid=0x0\ncaguid=0x10{h:04x}00\nCa\t{n} "H-0000000010{h:04x}00"\t\t# "h{h}"\n'
    for p in range(1, n + 1):
        ports += 1
        switch += f'[{ports}]\t"H-0000000010{h:04x}00"[{p}](10{h:04x}{p:02x}) \t\t# "h{h}" lid {ports + 1} 4xEDR\n'
        hosts += f'[{p}](10{h:04x}{p:02x}) \t"S-0000000020000000"[{ports}]\t\t# lid {ports + 1} lmc 0 "s" lid 1 4xEDR\n'
with open("many.net", "w") as f:
    f.write(f'vendid=0x0\ndevid=0x0\nswitchguid=0x20000000(20000000)\nSwitch\t{ports} "S-0000000020000000"\t\t# "s" base port 0 lid 1 lmc 0\n{switch}{hosts}')
END
  "$FATWOOD" route many.net --engine updn+ -o tables >/dev/null
  # 11 other hosts, by two ports.
  "$FATWOOD" repair many.net tables --json >repair.json
  jq -e '(.mload_value - 5.5 | fabs) < 1e-4' repair.json
  "$FATWOOD" whatif many.net tables --json >whatif.json
  jq -e '(.now.mload_value - 5.5 | fabs) < 1e-4 and (.now.gigabits_per_second - 200 | fabs) < 0.01' whatif.json
  run --separate-stderr "$FATWOOD" permutations many.net tables --samples 4
  [ "$status" -ne 0 ]
  [[ "$stderr" == *"too many different shares"* ]]
}
