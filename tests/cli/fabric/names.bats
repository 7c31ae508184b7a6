#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What files say about nodes: names with bytes that a terminal obeys, LIDs that disagree.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

# Bytes that end up in a terminal: no controls but line ends and tabs, no C1, no marks of direction.
is_safe() {
  python3 - "$1" <<'PY'
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8")
bad = [c for c in text if c not in "\n\t" and (unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")]
sys.exit(f"{sys.argv[1]}: {bad}" if bad else 0)
PY
}

@test "no verb prints escape sequences of names" {
  "$FATWOOD" convert 'ft(4,2)' --to json |
    sed 's/"id": "S1_0"/"id": "S1\\u001b[31m0"/; s/\["S1_0"/["S1\\u001b[31m0"/g; s/, "S1_0",/, "S1\\u001b[31m0",/g' |
    sed 's/"description": "H0"/"description": "H\\u009b0m\\u202e\\u001b]0;x\\u0007\\u007f"/' >net.json
  grep -q u001b net.json
  for command in "show net.json --cables" "show net.json --json" "check net.json" "check net.json --json" \
    "verify net.json minhop" "load net.json even --worst" "whatif net.json even" "compare net.json" \
    "convert net.json --to dot" "convert net.json --to ibnetdiscover" "convert net.json --to json" \
    "trace net.json even H1 H2" "route net.json --engine nothing" "show net.json --cut nothing" "diff net.json ft(4,2)"; do
    # shellcheck disable=SC2086
    "$FATWOOD" $command >out 2>err || true
    is_safe out
    is_safe err
  done
  "$FATWOOD" show net.json --json | jq -e . >/dev/null
}

@test "a name is accepted as it is printed" {
  "$FATWOOD" convert 'ft(4,2)' --to json | sed 's/"S1_0"/"S\\u001b[31m"/g' >net.json
  name=$("$FATWOOD" convert net.json --to ibnetdiscover | sed -n 's/^Switch.*# "\(S.*\)" base.*/\1/p' | grep u001b | head -n 1)
  [ -n "$name" ] || name=$(printf 'S\\u001b[31m')
  "$FATWOOD" whatif net.json even --lose "$name[1]" >/dev/null
}

@test "a byte that is no UTF-8 is read as Latin-1, a C1 control is written out" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover | sed 's/"H0"/"caf\xe9 \x9b31m"/' >net
  "$FATWOOD" convert net --to json >out
  is_safe out
  grep -q 'café' out
  grep -q 'u009b31m' out
}

@test "messages quote files without their control bytes" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover >net
  printf 'H0\x1b[2J\x9b1m\n' >list
  run -2 "$FATWOOD" show net --compute list
  printf '%s' "$output" >said
  is_safe said
  run -2 "$FATWOOD" show net --cut "$(printf 'S1\xc2\x9b31m')"
  printf '%s' "$output" >said
  is_safe said
}

@test "a neighbour's LID that disagrees with the switch's own record is a warning" {
  "$FATWOOD" convert 'ft(4,2)' --to ibnetdiscover |
    awk '/^Switch/ { sub(/lid 0/, "lid " ++lid); own[$3] = lid } { line[NR] = $0 }
         END { for (i = 1; i <= NR; i++) { split(line[i], part, "\t"); id = part[2]; sub(/\[.*/, "", id)
               if (line[i] ~ /^\[/ && id in own) sub(/" lid 0/, "\" lid " own[id], line[i]); print line[i] } }' >net
  run --separate-stderr "$FATWOOD" verify net updn+
  [[ "$stderr" != *"in its own record"* ]]
  line=$(grep -n '^\[1\].*"S-.*" lid [1-9]' net | head -n 1 | cut -d: -f1)
  sed "${line}s/\" lid [0-9]*/\" lid 4242/" net >wrong
  run --separate-stderr "$FATWOOD" verify wrong updn+
  [ "$status" -eq 0 ]
  [[ "$stderr" == *"wrong:$line:"*"has LID 4242 here and LID "*" in its own record"* ]]
}

@test "planes are subnets of their own: they may use the same LIDs" {
  plane() { # first GUID digit
    "$FATWOOD" convert 'ft(4,2)' --to json >one.json
    python3 - "$1" <<'PY'
import json, sys
fabric = json.load(open("one.json"))
for i, node in enumerate(fabric["nodes"]):
    node["addresses"] = [[0 if node["kind"] == "switch" else 1, node["guid"], i + 1, 0]]
json.dump(fabric, open("lids.json", "w"))
PY
  }
  plane 1
  python3 - <<'PY'
import json
fabric = json.load(open("lids.json"))
both = {"format": fabric["format"], "version": fabric["version"], "nodes": [], "links": []}
key = "links" if "links" in fabric else "cables"
both[key] = []
for plane in "ab":
    for node in fabric["nodes"]:
        copy = json.loads(json.dumps(node))
        copy["id"] = plane + node["id"]
        copy["description"] = plane + (node.get("description") or node["id"])
        guid = int(node["guid"], 16) + (0 if plane == "a" else 0x1000000)
        copy["guid"] = f"0x{guid:016x}"
        for address in copy["addresses"]:
            address[1] = f"0x{guid + address[0]:016x}"
        both["nodes"].append(copy)
    for cable in fabric[key]:
        both[key].append([plane + word if isinstance(word, str) and i in (0, 2) else word for i, word in enumerate(cable)])
json.dump(both, open("planes.json", "w"))
PY
  run "$FATWOOD" show planes.json --json
  [ "$status" -eq 0 ]
  jq -e '[.oddities[]? | select(.kind == "same-lid")] | length == 0' <<<"${lines[-1]}"
}

@test "hosts that number their adapters differently: no cable is wrong" {
  "$FATWOOD" convert 'rails(units=2,hosts=6,rails=4,spines=2,unnamed=0)' --to json -o rails.json
  # turned HOSTS COUNT: in these hosts the first COUNT adapters change names in a circle.
  turned() {
    python3 - "$@" <<'PY'
import json, sys
fabric = json.load(open("rails.json"))
for host in sys.argv[1].split(","):
    mine = [node for node in fabric["nodes"] if node["description"].split()[0] == host]
    names = sorted(node["description"] for node in mine)[:int(sys.argv[2])]
    new = dict(zip(names, names[1:] + names[:1]))
    for node in mine:
        node["description"] = new.get(node["description"], node["description"])
json.dump(fabric, open("turned.json", "w"))
PY
    "$FATWOOD" show turned.json --json | jq -c '[.oddities[].kind] - ["aggregation"]'
  }
  [ "$(turned node-0002 4)" = '["rail-numbering"]' ]
  [ "$(turned node-0002,node-0003 4)" = '["rail-numbering"]' ]
  [ "$(turned node-0002,node-0009 2)" = '["rail-numbering"]' ]
  # Two exchanged cables of one host.
  [ "$(turned node-0002 2)" = '["rail-crossed","rail-crossed"]' ]
}
