# SPDX-License-Identifier: BSD-3-Clause
"""verify of adaptive tables: every choice of every packet is followed, and the dependencies of all of them collected."""
import collections
import re

import claims
import verbs.verify as verify

SEEDS = 80
ENGINES = ("ar_updn", "ar_ftree", "ar_even", "ecmp")


def read_far(fabric, text):
    """out[switch][lid] = (default port, all ports)."""
    by_guid = {node["guid"]: name for name, node in fabric.nodes.items()}
    out, groups, here = collections.defaultdict(dict), {}, None
    for line in text.splitlines():
        head = re.match(r"Switch (0x\w+)", line)
        group = re.match(r"(\d+)\s+\d+\s+\d+\s+([\d,]+)$", line)
        row = re.match(r"(0x\w+)\s+(\d+)\s+(\w+)\s+(\d+)", line)
        if head:
            here, groups = by_guid[int(head[1], 16)], {}
        elif row:
            own = int(row[2])
            out[here][int(row[1], 16)] = (own, {own} | (groups[int(row[4])] if row[3] != "Static" else set()))
        elif group:
            groups.setdefault(int(group[1]), set()).update(int(port) for port in group[2].split(",") if port)
    return out


class Walk:
    """All that packets to one LID may do. A state is a switch and the port that the packet came by (None: its own)."""

    def __init__(self, fabric, peers, out, lid, owner):
        self.fabric, self.peers, self.out, self.lid, self.owner = fabric, peers, out, lid, owner
        self.known = {}

    def ports(self, node, came):
        """The ports that a packet may take; 255 stands for a loss."""
        own, ports = self.out[node].get(self.lid, (255, {255}))
        ports = {p for p in ports if (node, p) in self.peers or p == own}
        return {p for p in ports if p != came or len(ports) == 1}

    def arrives(self, node, came, chain=frozenset()):
        """The hops of the longest choice; None if a choice loses the packet or sends it in circles."""
        if (node, 0) == self.owner:
            return 0
        if (node, came) in chain:
            return None
        if (node, came) not in self.known:
            self.known[node, came] = self.worst(node, came, chain | {(node, came)})
        return self.known[node, came]

    def worst(self, node, came, chain):
        most = 0
        for port in self.ports(node, came):
            to = self.peers.get((node, port))
            if to == self.owner:
                continue
            if to is None or not self.fabric.is_switch(to[0]):
                return None
            hops = self.arrives(*to, chain)
            if hops is None:
                return None
            most = max(most, hops + 1)
        return most

    def dependencies(self, starts, graph):
        queue = list(starts)
        seen = set(queue)
        for node, came in queue:
            if (node, 0) == self.owner:
                continue
            for port in self.ports(node, came):
                if (node, port) not in self.peers:
                    continue
                if came is not None:
                    graph[self.peers[node, came]].add((node, port))
                to = self.peers[node, port]
                if to != self.owner and self.fabric.is_switch(to[0]) and to not in seen:
                    seen.add(to)
                    queue.append(to)


def check(case):
    engine, fabric = case.rng.choice(ENGINES), case.fabric
    lmc = ["--lmc", case.rng.choice((0, 0, 1))] if engine != "ecmp" else []
    case.json("route", engine, "-o", "tables.far", *lmc)
    owners = case.route("minhop", *lmc).owner  # the same LIDs
    out, peers = read_far(fabric, (case.folder / "tables.far").read_text()), fabric.peers()
    printed = case.json("verify", "tables.far", codes=(0, 1))
    number = claims.components(fabric)
    starts = [end for ports in claims.terminals(fabric).values() for end in ports] + [(s, 0) for s in fabric.switches()]
    lost, apart, depends, longest = collections.Counter(), collections.Counter(), collections.defaultdict(set), 0
    for lid, owner in owners.items():
        walk, states = Walk(fabric, peers, out, lid, owner), []
        for start in starts:
            if owner == start or (start[1] and peers[start] == owner):
                continue
            pair = f"{'terminal' if start[1] else 'switch'}_{'terminal' if owner[1] else 'switch'}"
            if number[start if start[1] else start[0]] != number[owner if owner[1] else owner[0]]:
                lost[pair] += 1
                apart[pair] += 1
                continue
            states.append(peers[start] if start[1] else (start[0], None))
            walk.known.clear()
            hops = walk.arrives(*states[-1])
            if hops is None:
                lost[pair] += 1
            elif pair == "terminal_terminal":
                longest = max(longest, hops)
        walk.dependencies(states, depends)
    for kind in verify.KINDS:
        case.equal(printed["unreachable"][kind], lost[kind], f"unreachable {kind}")
        case.equal(printed["apart"][kind], apart[kind], f"apart {kind}")
    case.equal(printed["deadlock_free"], claims.cycle_free(depends), "deadlock free")
    if not lost["terminal_terminal"]:
        case.equal(printed["hops"]["longest"], longest, "longest")
    if engine in ("ar_updn", "ar_even"):  # what the list of engines promises
        case.equal(lost, apart, f"{engine} serves all pairs that cables join")
        case.equal(claims.cycle_free(depends), True, f"{engine} has no cycle of dependencies")
