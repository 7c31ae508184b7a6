# SPDX-License-Identifier: BSD-3-Clause
"""route --sl and verify --sl: service levels as the file gives them to every port of every node. The dependencies of
each VL are collected path by path, and cycles searched; fatwood-check must agree."""
import collections
import re

import claims

SEEDS = 120
ENGINES = ("dfsssp", "dfsssp", "lash", "lash", "nue")


def starts(fabric):
    """(node, port) of all senders on switches: terminals, and switches' own ports (port 0)."""
    peers = fabric.peers()
    ends = [end for ports in claims.terminals(fabric).values() for end in ports if fabric.is_switch(peers[end][0])]
    return ends + [(name, 0) for name in fabric.switches()]


def channels_held(tables, start, lid):
    """The channels between switches that a packet may hold one after the other, also if it is lost in the end."""
    node = tables.peer[start][0] if start[1] else start[0]
    held, seen = [], set()
    while node not in seen:
        seen.add(node)
        port = tables.out[node].get(lid)
        if not port or (node, port) not in tables.peer or not tables.fabric.is_switch(tables.peer[node, port][0]):
            break
        held.append((node, port))
        node = tables.peer[node, port][0]
    return held


def has_cycle(edges):
    """Whether a graph {vertex: successors} has a cycle: vertices without predecessors are removed one by one."""
    count = collections.Counter(to for successors in edges.values() for to in successors)
    free = [vertex for vertex in edges if not count[vertex]]
    for vertex in free:
        for to in edges[vertex]:
            count[to] -= 1
            if not count[to] and to in edges:
                free.append(to)
    return len(free) < len(edges)


def check(case):
    engine = case.rng.choice(ENGINES)
    options = ["--lmc", "1"] if engine != "lash" and case.rng.random() < 0.2 else []
    printed = case.json("route", engine, "-o", "tables", "--sl", "sl", "--lanes", "15", *options)
    tables = claims.Tables(case.fabric, (case.folder / "tables").read_text())
    guid = {f"0x{node['guid']:016x}": name for name, node in case.fabric.nodes.items()}
    level = {}
    for line in (case.folder / "sl").read_text().splitlines():
        source, lid, sl = re.fullmatch(r"(0x\w{16}) (\d+) (\d+)", line).groups()
        case.expect((guid[source], int(lid)) not in level, "two lines of one path")
        level[guid[source], int(lid)] = int(sl)
    case.at_most(max(level.values(), default=0) + 1, max(printed["lanes"], 1), "lanes")
    if case.rng.random() < 0.3:  # levels that no engine would give, equal for all nodes
        lids = {lid: case.rng.randrange(3) for lid in tables.owner}
        level = {(node, lid): lids[lid] for node, lid in level}
        (case.folder / "sl").write_text("".join(
            f"0x{case.fabric.nodes[node]['guid']:016x} {lid} {sl}\n" for (node, lid), sl in level.items()))
    edges = [collections.defaultdict(set) for _ in range(16)]
    for start in starts(case.fabric):
        for lid in tables.owner:
            if start == tables.owner[lid]:
                continue
            held = channels_held(tables, start, lid)
            for a, b in zip(held, held[1:]):
                edges[level[start[0], lid]][a].add(b)
                edges[level[start[0], lid]][b].update()
    free = not any(has_cycle(graph) for graph in edges)
    verdict = case.json("verify", "tables", "--sl", "sl", "--certificate", "proof", codes=(0, 1))
    case.equal(verdict["deadlock_free"], free, "deadlock_free")
    if not (case.folder / "proof").exists():
        return
    case.run("convert", "fabric.json", "--to", "ibnetdiscover", "-o", "fabric.net")
    case.run(None, "fabric.net", "tables", "proof", "--sl", "sl", codes=(0, 1), program=claims.CHECK)
    case.equal(case.code, 0 if free else 1, "exit code of fatwood-check")
