# SPDX-License-Identifier: BSD-3-Clause
"""Small odd fabrics, by seed.

A fabric starts as a tree, several trees above the same leaves, two planes or no tree, and then gets some of the
oddities that real fabrics have: more or fewer cables, adapters with two ports, hosts on spines, slow cables, repeated
names, hosts without a cable. Half of the fabrics have at most one oddity, so that statements about complete trees are
printed often, and about fabrics that are nearly complete, too.

  fabric = fabrics.make(17)      # the same for each run and each machine
  fabric.write("fabric.json")    # Fatwood's own format
"""
import json
import random

GBPS = {"4xQDR": 32, "4xDDR": 16, "4xSDR": 8, "1xQDR": 8, "4xEDR": 100, "4xHDR": 200}


class Fabric:
    """Nodes by id and cables; ports are numbered as they are used, or at random."""

    def __init__(self, rng):
        self.rng = rng
        self.nodes = {}  # id: {"kind", "ports", "guid", "description", "lmc"}
        self.cables = []  # [node, port, node, port, rate]
        self.story = []  # what was done, for messages

    def add(self, kind, name):
        self.nodes[name] = {"kind": kind, "ports": 0, "guid": 0, "description": "", "lmc": 0}
        return name

    def switch(self, name):
        return self.add("switch", name)

    def adapter(self, name, *switches, rate="4xQDR"):
        self.add("adapter", name)
        for other in switches:
            self.cable(name, other, rate)
        return name

    def cable(self, a, b, rate="4xQDR"):
        ports = []
        for node in (a, b):
            self.nodes[node]["ports"] += 1
            ports.append(self.nodes[node]["ports"])
        self.cables.append([a, ports[0], b, ports[1], rate])

    def remove(self, name):
        del self.nodes[name]
        self.cables = [c for c in self.cables if name not in (c[0], c[2])]

    def switches(self):
        return [n for n, node in self.nodes.items() if node["kind"] == "switch"]

    def adapters(self):
        return [n for n, node in self.nodes.items() if node["kind"] == "adapter"]

    def between_switches(self):
        return [c for c in self.cables if self.is_switch(c[0]) and self.is_switch(c[2])]

    def is_switch(self, name):
        return self.nodes[name]["kind"] == "switch"

    def peers(self):
        """(node, port): (node, port) at the other end of the cable."""
        return {end: other for a, pa, b, pb, _ in self.cables for end, other in (((a, pa), (b, pb)), ((b, pb), (a, pa)))}

    def rates(self):
        """(node, port): Gb/s."""
        return {end: GBPS.get(rate) for a, pa, b, pb, rate in self.cables for end in ((a, pa), (b, pb))}

    def port_guid(self, name, port):
        return self.nodes[name]["guid"] + (0 if self.is_switch(name) else port)

    def number_nodes(self, shuffle):
        """GUIDs decide Fatwood's numbers of nodes: in order, or shuffled."""
        for kind, first, step in (("adapter", 0x10 << 48, 0x100), ("switch", 0x20 << 48, 1)):
            names = [n for n in self.nodes if self.nodes[n]["kind"] == kind]
            if shuffle:
                self.rng.shuffle(names)
            for i, name in enumerate(names):
                self.nodes[name]["guid"] = first + i * step

    def copy(self):
        other = Fabric(self.rng)
        other.nodes = {name: dict(node) for name, node in self.nodes.items()}
        other.cables = [list(c) for c in self.cables]
        other.story = list(self.story)
        return other

    def write(self, path):
        nodes = []
        for name, node in self.nodes.items():
            ports = [0] if node["kind"] == "switch" else range(1, node["ports"] + 1)
            nodes.append({"id": name, "kind": node["kind"], "ports": max(1, node["ports"]),
                          "guid": f"0x{node['guid']:016x}", "description": node["description"],
                          "addresses": [[p, f"0x{self.port_guid(name, p):016x}", 0, node["lmc"]] for p in ports]})
        with open(path, "w", encoding="utf-8") as out:
            json.dump({"format": "fatwood-fabric", "version": 1, "nodes": nodes, "links": self.cables}, out, indent=1)


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def add_tree(fabric, m, w, p, prefix="", hosts=True):
    """PGFT(h;m;w;p). Node (t, x) of level l is the x-th of the W(l) top switches of sub-tree t. Its parent b is
    (t div m(l+1), x w(l+1) + b)."""
    height = len(m)
    def name(level, t, x):
        if level == 0:
            return f"{prefix}H{t}"
        return f"{prefix}S{level}_{t * product(w[:level]) + x}"
    for level in range(0 if hosts else 1, height + 1):
        for t in range(product(m[level:])):
            for x in range(product(w[:level])):
                fabric.add("switch" if level else "adapter", name(level, t, x))
    for level in range(0 if hosts else 1, height):
        for t in range(product(m[level:])):
            for x in range(product(w[:level])):
                for _ in range(p[level]):
                    for b in range(w[level]):
                        fabric.cable(name(level, t, x), name(level + 1, t // m[level], x * w[level] + b))


def tree(fabric, rng):
    """A whole XGFT, PGFT, ft or kary tree."""
    for _ in range(100):
        height = rng.choice((1, 2, 2, 2, 2, 3))
        most = 3 if height == 3 else 4
        kind = rng.choice(("xgft", "xgft", "pgft", "ft", "kary"))
        if kind == "ft":
            m, w, p = [2] * (height - 1) + [4], [1] + [2] * (height - 1), [1] * height
        elif kind == "kary":
            k = rng.randint(2, most)
            m, w, p = [k] * height, [1] + [k] * (height - 1), [1] * height
        else:
            narrow = rng.random() < 0.6  # oversubscribed: cables between switches limit all-to-all
            m = [rng.randint(2, 5) if narrow else rng.randint(1, most) for _ in range(height)]
            w = [1 if rng.random() < 0.8 else 2] + [rng.randint(1, 2 if narrow else most) for _ in range(height - 1)]
            p = [rng.randint(1, 2) if kind == "pgft" and l else 1 for l in range(height)]
        switches = sum(product(m[l:]) * product(w[:l]) for l in range(1, height + 1))
        if 2 <= product(m) <= 16 and switches <= 14:
            break
    add_tree(fabric, m, w, p)
    fabric.story.append(f"pgft({height};{m};{w};{p})")


def many_trees(fabric, rng):
    """Several trees of spines (and cores) above the same leaves."""
    leaves, trees, spines, cores = rng.randint(2, 4), rng.randint(2, 3), rng.randint(1, 2), rng.randint(0, 2)
    for leaf in range(leaves):
        fabric.switch(f"L{leaf}")
        for host in range(rng.choice((2, 2, 3))):
            fabric.adapter(f"H{leaf}_{host}", f"L{leaf}")
    for t in range(trees):
        for spine in range(spines):
            fabric.switch(f"T{t}S{spine}")
            for leaf in range(leaves):
                fabric.cable(f"L{leaf}", f"T{t}S{spine}")
        for core in range(cores):
            fabric.switch(f"T{t}C{core}")
            for spine in range(spines):
                fabric.cable(f"T{t}S{spine}", f"T{t}C{core}")
    fabric.story.append(f"{trees} trees of {spines} spines and {cores} cores above {leaves} leaves")


def planes(fabric, rng):
    """Two trees that share nothing but hosts, or nothing at all."""
    shared = rng.random() < 0.7
    m, w = [rng.randint(2, 3), rng.randint(1, 3)], [1, rng.randint(1, 2)]
    for plane in "AB":
        add_tree(fabric, m, w, [1, 1], prefix=plane, hosts=not shared)
    if shared:
        for i in range(m[0] * m[1]):
            ports = [f"A{leaf}" for leaf in (f"S1_{i // m[0]}",)] + [f"B{leaf}" for leaf in (f"S1_{i // m[0]}",)]
            fabric.adapter(f"H{i}", *ports)
    fabric.story.append(f"two planes of {m} {w}, {'shared hosts' if shared else 'apart'}")


def no_tree(fabric, rng):
    """A ring, star, complete graph, line or random graph of switches."""
    n = rng.randint(1, 7)
    names = [fabric.switch(f"S{i}") for i in range(n)]
    kind = rng.choice(("ring", "line", "complete", "random", "star"))
    if kind in ("ring", "line"):
        pairs = [(i, i + 1) for i in range(n - 1)] + ([(n - 1, 0)] if kind == "ring" and n > 2 else [])
    elif kind == "complete":
        pairs = [(i, j) for i in range(n) for j in range(i)]
    elif kind == "star":
        pairs = [(0, i) for i in range(1, n)]
    else:
        pairs = [(i, rng.randrange(i)) for i in range(1, n)]
        pairs += [(i, j) for i in range(n) for j in range(i) if rng.random() < 0.3]
    for i, j in pairs:
        fabric.cable(names[i], names[j])
    for i in range(n):
        for host in range(rng.choice((0, 1, 1, 2))):
            fabric.adapter(f"H{i}_{host}", names[i])
    if len(fabric.adapters()) < 2:
        for host in range(2):
            fabric.adapter(f"H{host}", names[0])
    fabric.story.append(f"{kind} of {n} switches")


# Oddities. Each changes the fabric and returns a word for the story, or None if it could not.

def extra_cable(fabric, rng):
    if len(fabric.switches()) < 2:
        return None
    a, b = rng.sample(fabric.switches(), 2)
    for _ in range(rng.choice((1, 1, 1, 2))):
        fabric.cable(a, b)
    return f"cable {a} {b}"


def parallel_cable(fabric, rng):
    between = fabric.between_switches()
    if not between:
        return None
    a, _, b, _, rate = rng.choice(between)
    fabric.cable(a, b, rate)
    return f"parallel {a} {b}"


def horizontal_cables(fabric, rng):
    """Between switches with hosts: those of one level in most trees."""
    peers = fabric.peers()
    leaves = sorted({peers[end][0] for end in peers if not fabric.is_switch(end[0]) and fabric.is_switch(peers[end][0])})
    if len(leaves) < 2:
        return None
    count = rng.choice((1, len(leaves)))
    for i in range(count):
        a, b = rng.sample(leaves, 2) if count == 1 else (leaves[i], leaves[(i + 1) % count])
        if a != b:
            fabric.cable(a, b)
    return f"{count} horizontal"


def missing_cable(fabric, rng):
    between = fabric.between_switches()
    if not between:
        return None
    cable = rng.choice(between)
    fabric.cables.remove(cable)
    return f"cut {cable[0]}[{cable[1]}] {cable[2]}[{cable[3]}]"


def missing_switch(fabric, rng):
    if len(fabric.switches()) < 2:
        return None
    gone = rng.choice(fabric.switches())
    fabric.remove(gone)
    return f"removed {gone}"


def two_ports(fabric, rng):
    """One adapter, or half of them, get a second port on the same or another switch."""
    chosen = rng.sample(fabric.adapters(), rng.choice((1, 1, max(1, len(fabric.adapters()) // 2))))
    same = rng.random() < 0.3
    for name in chosen:
        mine = [c[2] for c in fabric.cables if c[0] == name and fabric.is_switch(c[2])]
        fabric.cable(name, mine[0] if same and mine else rng.choice(fabric.switches()))
    return f"second port of {len(chosen)} adapters"


def upper_host(fabric, rng):
    other = rng.choice(fabric.switches())
    name = fabric.adapter(f"X{len(fabric.nodes)}", other)
    return f"{name} on {other}"


def slow_cable(fabric, rng):
    if not fabric.cables:
        return None
    rate = rng.choice(("4xDDR", "4xSDR", "1xQDR", "4xEDR"))
    cable = rng.choice(fabric.cables)
    cable[4] = rate
    return f"{rate} at {cable[0]}[{cable[1]}]"


def slow_level(fabric, rng):
    """All cables between switches, or none of them, are faster."""
    rate = rng.choice(("4xEDR", "4xHDR", "4xDDR"))
    for cable in fabric.between_switches():
        cable[4] = rate
    return f"{rate} between switches"


def repeated_names(fabric, rng):
    for name in rng.sample(list(fabric.nodes), rng.randint(2, len(fabric.nodes))):
        fabric.nodes[name]["description"] = "Infiniscale-IV Mellanox Technologies" if fabric.is_switch(name) else "node"
    return "repeated names"


def cut_off(fabric, rng):
    name = rng.choice(fabric.adapters())
    fabric.cables = [c for c in fabric.cables if c[0] != name]
    return f"cut off {name}"


def alone(fabric, rng):
    """A switch (with a host, perhaps) that no cable joins to the rest."""
    name = fabric.switch(f"Z{len(fabric.nodes)}")
    if rng.random() < 0.5:
        fabric.adapter(f"X{len(fabric.nodes)}", name)
    return f"{name} apart"


def aggregation_node(fabric, rng):
    other = rng.choice(fabric.switches())
    name = fabric.adapter(f"A{len(fabric.nodes)}", other)
    fabric.nodes[name]["description"] = "Mellanox Technologies Aggregation Node"
    return f"aggregation node on {other}"


def empty_leaf(fabric, rng):
    peers = fabric.peers()
    leaf = rng.choice(fabric.switches())
    for name in [n for n in fabric.adapters() if any(peers.get((n, p), (0,))[0] == leaf
                                                      for p in range(1, fabric.nodes[n]["ports"] + 1))]:
        if len(fabric.adapters()) > 2:
            fabric.remove(name)
    return f"no hosts on {leaf}"


ODDITIES = (extra_cable, extra_cable, parallel_cable, horizontal_cables, horizontal_cables, missing_cable, missing_cable,
            missing_switch, two_ports, two_ports, upper_host, slow_cable, slow_level, repeated_names, cut_off, alone,
            aggregation_node, empty_leaf)


def make(seed):
    rng = random.Random(f"fatwood {seed}")  # a text: the same in every version of Python
    fabric = Fabric(rng)
    base = rng.choices((tree, many_trees, planes, no_tree), (11, 3, 2, 3))[0]
    base(fabric, rng)
    for _ in range(rng.choices((0, 1, 2, 3, 5), (3, 8, 4, 3, 2))[0]):
        if not fabric.switches() or not fabric.adapters():
            break
        done = rng.choice(ODDITIES)(fabric, rng)
        if done:
            fabric.story.append(done)
    for node in fabric.nodes.values():
        node["ports"] += rng.choice((0, 0, 0, 1)) if node["kind"] == "switch" else 0
    fabric.number_nodes(shuffle=rng.random() < 0.4)
    if rng.random() < 0.4:
        rng.shuffle(fabric.cables)
        fabric.story.append("shuffled")
    return fabric
