# SPDX-License-Identifier: BSD-3-Clause
"""verify: pairs without a route, loops, hops, shortest paths and deadlock, by following every route of the tables. The
checker fatwood-check must agree with each proof."""
import collections

import claims

SEEDS = 120
KINDS = ("terminal_terminal", "terminal_switch", "switch_terminal", "switch_switch")


def hop_distance(fabric):
    """distance[a][b] between switches, in cables."""
    peers = fabric.peers()
    near = collections.defaultdict(set)
    for (node, _), (other, _) in peers.items():
        if fabric.is_switch(node) and fabric.is_switch(other):
            near[node].add(other)
    distance = {}
    for start in fabric.switches():
        distance[start], queue = {start: 0}, [start]
        for at in queue:
            for to in near[at]:
                if to not in distance[start]:
                    distance[start][to] = distance[start][at] + 1
                    queue.append(to)
    return distance


def damage(case, tables):
    """Changes some entries of the file of tables to other ports of the same switch."""
    lines, ports, most = [], [], 0
    for line in (case.folder / "tables").read_text().splitlines():
        if line.startswith("Unicast"):
            guid = int(line.split(" guid ")[1].split()[0], 16)
            most = next(node["ports"] for node in case.fabric.nodes.values() if node["guid"] == guid)
        lines.append(line)
        ports.append(most if line.startswith("0x") else 0)
    rows = [i for i, most in enumerate(ports) if most]
    for i in case.rng.sample(rows, min(len(rows), case.rng.randint(1, 4))):
        lid, _, rest = lines[i].split(" ", 2)
        lines[i] = f"{lid} {case.rng.randint(1, ports[i]):03d} {rest}"
    (case.folder / "tables").write_text("\n".join(lines) + "\n")
    return claims.Tables(tables.fabric, "\n".join(lines))


def walk(tables, deadlock_pairs):
    """Counts of pairs without a route by kind, hops of routes between terminals, and the dependencies of channels."""
    fabric, number = tables.fabric, claims.components(tables.fabric)
    ends = [end for ports in claims.terminals(fabric).values() for end in ports]
    starts = [(end, "terminal") for end in ends] + [((name, 0), "switch") for name in fabric.switches()]
    lost, apart, depends = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    hops, longer, pairs = [], collections.Counter(), collections.Counter()
    distance = hop_distance(fabric)
    def component(end):
        return number[end if end[1] else end[0]]
    def at(end):
        return tables.peer[end][0] if end[1] else end[0]
    for start, kind in starts:
        for lid, owner in tables.owner.items():
            if owner == start or (owner[1] and owner not in tables.peer):
                continue
            pair = f"{kind}_{'terminal' if owner[1] else 'switch'}"
            pairs[pair] += 1
            if component(start) != component(owner):
                apart[pair] += 1
                lost[pair] += 1
                continue
            path, arrives = tables.trace(start, lid)
            if pair in deadlock_pairs:
                for a, b in zip(path, path[1:]):
                    depends[a].add(b)
            if not arrives:
                lost[pair] += 1
                continue
            between = [c for c in path if fabric.is_switch(c[0]) and fabric.is_switch(tables.peer[c][0])]
            if fabric.is_switch(at(start)) and fabric.is_switch(at(owner)):
                longer[pair] += len(between) > distance[at(start)][at(owner)]
                if pair == "terminal_terminal":
                    hops.append(len(between))
    return pairs, lost, apart, hops, longer, depends


def check(case):
    engine = case.rng.choice(claims.TABLE_ENGINES)
    lmc = ["--lmc", case.rng.choice((0, 0, 1))] if engine[:4] != "bfot" else []
    tables = case.route(engine, *lmc)
    if case.rng.random() < 0.3:
        tables = damage(case, tables)
    printed = case.json("verify", "tables", "--certificate", "proof", codes=(0, 1))
    pairs, lost, apart, hops, longer, depends = walk(tables, KINDS)
    for kind in KINDS:
        case.equal(printed["unreachable"][kind], lost[kind], f"unreachable {kind}")
        case.equal(printed["apart"][kind], apart[kind], f"apart {kind}")
        case.equal(printed["longer"][kind], longer[kind], f"longer {kind}")
        case.equal(printed["pairs"][kind], pairs[kind], f"pairs {kind}")
    case.equal(printed["deadlock_free"], claims.cycle_free(depends), "deadlock free")
    case.equal(printed["holds"], not sum(lost.values()) and claims.cycle_free(depends), "holds")
    case.equal(case.code, 0 if printed["holds"] else 1, "exit code")
    if hops:
        case.equal(printed["hops"]["longest"], max(hops), "longest")
        case.close(printed["hops"]["mean"], sum(hops) / len(hops), "mean hops")
    case.equal(printed["minimal"], not sum(longer.values()), "minimal")
    if printed["deadlock_free"]:
        case.run("convert", "fabric.json", "--to", "ibnetdiscover", "-o", "net")
        case.run("", "net", "tables", "proof", program=claims.CHECK, codes=(0, 1))
        case.equal(case.code, 0, "fatwood-check")
    only = case.json("verify", "tables", "--terminals-only", codes=(0, 1))
    case.equal(only["deadlock_free"], claims.cycle_free(walk(tables, KINDS[:1])[5]), "deadlock free, terminals")
