#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Causes, not only times: which operation is the slowest, which cable is the bottleneck, which cable an addition gets,
# which cables were exchanged.
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

json() { run -0 --separate-stderr "$FATWOOD" "$@" --json; }

# Leaves A and B with two hosts each, and one cable between them.
two_leaves() {
  {
    printf 'Switch\t8 "A"\t# "A" base port 0 lid 1 lmc 0\n[1]\t"a1"[1]\n[2]\t"a2"[1]\n[8]\t"B"[8]\n\n'
    printf 'Switch\t8 "B"\t# "B" base port 0 lid 2 lmc 0\n[1]\t"b1"[1]\n[2]\t"b2"[1]\n[8]\t"A"[8]\n\n'
    for host in a1:A:1:3 a2:A:2:4 b1:B:1:5 b2:B:2:6; do
      IFS=: read -r name leaf port lid <<<"$host"
      printf 'Ca\t1 "%s"\t# "%s"\n[1]\t"%s"[%s]\t# lid %s lmc 0 "%s" lid 1 4xHDR\n\n' "$name" "$name" "$leaf" "$port" "$lid" "$leaf"
    done
  } >two.net
}

@test "job: the slowest operation is the one that ends last, with its cable and its flows" {
  two_leaves
  # b1 and b2 share the cable to A and get half of it; the other direction has little to carry.
  printf '0 a1 b1 1000\n0 b1 a1 25000000\n0 b2 a2 25000000\n' >trace
  json job two.net minhop --trace trace --rate 4xHDR
  jq -e '.slowest.channel == "B[8] - A[8]" and (.slowest.gigabytes_per_second - 12.5 | fabs) < 1e-6' <<<"$output"
  jq -e '[.slowest.flows[] | [.from, .to]] | sort == [["b1","a1"],["b2","a2"]]' <<<"$output"
  # The other way round the other direction is named.
  printf '0 a1 b1 25000000\n0 a2 b2 25000000\n' >trace
  json job two.net minhop --trace trace --rate 4xHDR
  jq -e '.slowest.channel == "A[8] - B[8]"' <<<"$output"
  # A long flow on one leaf outlasts a short one over the cable.
  printf '0 a1 b1 1000\n0 a2 a1 25000000\n' >trace
  json job two.net minhop --trace trace --rate 4xHDR
  jq -e '[.slowest.flows[] | [.from, .to]] == [["a2","a1"]]' <<<"$output"
}

@test "diff: three cables that went round are three moves, two exchanged are a swap" {
  # H1, H3 and H5 took each other's ports in a circle: S1_0[p] to S1_1[q] to S1_2[r] and back.
  "$FATWOOD" convert 'xgft(2;2,4;1,2)' --to ibnetdiscover -o net
  rotate() { # of the ends at hosts $@: each takes the place of the next
    python3 - "$@" <<'PY'
import re, sys
text = open("net").read()
names = dict((m[2], m[1]) for m in re.finditer(r'Ca\t\d+ "([^"]+)"\s*# "([^"]+)"', text))
ids = [names[name] for name in sys.argv[1:]]
guid = {i: re.search(rf'"{i}"\[1\]\((\w+)\)', text)[1] for i in ids}
line = {i: re.search(rf'Ca\t\d+ "{i}".*\n(\[1\]\(\w+\)) (.*)', text) for i in ids}
for old, new in zip(ids, ids[1:] + ids[:1]):  # host `old` gets the cable of host `new`
    text = text.replace(line[old][0], line[old][0].replace(line[old][2], line[new][2]), 1)
def other(match):
    i = match[1]
    to = ids[ids.index(i) - 1] if i in ids else i
    return f'"{to}"[1]({guid.get(to, match[2])})' if i in ids else match[0]
text = re.sub(r'"([^"]+)"\[1\]\((\w+)\)', lambda m: other(m), text)
print(text, end="")
PY
  }
  rotate H1 H3 >after
  run -1 --separate-stderr "$FATWOOD" diff net after --json
  jq -e '.cables | (.swapped | length) == 1 and .moved == [] and .lost == [] and .new == []' <<<"$output"
  jq -e '[.cables.swapped[0][].stays] | sort == ["H1[1]","H3[1]"]' <<<"$output"
  rotate H1 H3 H5 >after
  run -1 --separate-stderr "$FATWOOD" diff net after --json
  jq -e '.cables | .swapped == [] and .lost == [] and .new == []' <<<"$output"
  jq -e '[.cables.moved[].stays] | sort == ["H1[1]","H3[1]","H5[1]"]' <<<"$output"
  jq -e '([.cables.moved[].from] | sort) == ([.cables.moved[].to] | sort)' <<<"$output"
}

@test "whatif --add: the figures are those of the fabric with the cables in it" {
  json whatif 'pgft(2;4,4;1,2;1,1)' even --add cable@1 --only switches --permutations 0
  added=$(jq -c '.add[0] | [.what, .cables, .mload_value]' <<<"$output")
  [ "$(jq -r '.[0]' <<<"$added")" = "cable@1" ]
  [ "$(jq '.[1]' <<<"$added")" = 4 ]
  # Four hosts of a leaf send to twelve others: 48 flows over two cables, then over three.
  json load 'pgft(2;4,4;1,2;1,1)' even --traffic alltoall
  jq -e '.mload_value == 24' <<<"$output"
  jq -e '.[2] == 16' <<<"$added"
}
