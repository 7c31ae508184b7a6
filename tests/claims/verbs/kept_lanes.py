# SPDX-License-Identifier: BSD-3-Clause
"""repair of tables with several VLs: the new service levels, path by path, and that all pairs that cables join have a
route where the repair says so."""
import collections

import claims
from verbs import levels, repair

SEEDS = 80


def check(case):
    case.json("route", case.rng.choice(("dfsssp", "lash", "nue")), "-o", "old", "--sl", "sl", "--lanes", "15")
    after, arguments, _ = repair.damage(case)
    printed = repair.answer(case, "repair", *arguments, "old", "--sl", "sl", "-o", "new", "--sl-output", "new-sl",
                            "--lanes", case.rng.choice((2, 8, 15)))
    tables = claims.Tables(after, (case.folder / "new").read_text())
    names = {f"0x{node['guid']:016x}": name for name, node in after.nodes.items()}
    level = {}
    for line in (case.folder / "new-sl").read_text().splitlines():
        source, lid, sl = line.split()
        level[names[source], int(lid)] = int(sl)
    edges = [collections.defaultdict(set) for _ in range(16)]
    for start in levels.starts(after):
        for lid in tables.owner:
            if start == tables.owner[lid]:
                continue
            held = levels.channels_held(tables, start, lid)
            for a, b in zip(held, held[1:]):
                edges[level[start[0], lid]][a].add(b)
    case.equal(printed["deadlock_free"], not any(levels.has_cycle(graph) for graph in edges), "deadlock_free")
    number = claims.components(after)
    ports = [end for ends in claims.terminals(after).values() for end in ends]
    pairs = [(s, d) for s in ports for d in ports if s != d]
    lost = [(s, d) for s, d in pairs if any(tables.path(s, lid) is None for lid in tables.lids[d])]
    case.equal(printed["unreachable"]["terminal_terminal"], len(lost), "unreachable")
    if printed["holds"]:
        case.equal(all(number[s] != number[d] for s, d in lost), True, "pairs that cables join have a route")
