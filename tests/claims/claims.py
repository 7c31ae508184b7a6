# SPDX-License-Identifier: BSD-3-Clause
"""What checks of verbs share: running a command, reading tables, following routes, loads, linear programs.

Everything here is written from the definitions in the manual pages and shares no code with src/.
"""
import collections
import fractions
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess

Fraction = fractions.Fraction
ROOT = pathlib.Path(__file__).resolve().parents[2]
FATWOOD = os.environ.get("FATWOOD", str(ROOT / "build/release/src/cli/fatwood"))
CHECK = os.environ.get("FATWOOD_CHECK", str(ROOT / "build/release/check/fatwood-check"))
AGGREGATION = "Aggregation Node"
TABLE_ENGINES = ("minhop", "updn+", "dnup", "sssp", "dfsssp", "lash", "nue", "ftree", "sftree", "even", "dmodk", "bfot", "bfot+")


class Wrong(Exception):
    """A statement that is not true."""


class Refused(Exception):
    """The command refused the fabric (exit code 2), or said that a promise cannot be kept (1), with a message."""


class Case:
    """One seed: a fabric in a folder, random choices, and the commands that were run."""

    def __init__(self, fabric, folder, rng):
        self.fabric, self.folder, self.rng = fabric, pathlib.Path(folder), rng
        self.commands = []
        self.checked = collections.Counter()  # statements that were compared, by name
        fabric.write(self.folder / "fabric.json")

    def run(self, verb, *arguments, codes=(0,), program=FATWOOD):
        """Runs a command; gives its output. Refused with exit code 1 or 2 unless that is one of `codes`."""
        command = [program, *([verb] if verb else []), *map(str, arguments)]
        self.commands.append(shlex.join([os.path.basename(program), *command[1:]]))
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False,
                                  env={**os.environ, "OMP_NUM_THREADS": "1"})
        except subprocess.TimeoutExpired as slow:
            raise Wrong("does not end in 60 s") from slow
        self.code, self.errors = done.returncode, done.stderr
        if done.returncode in (1, 2) and done.returncode not in codes:
            self.expect(done.stderr.strip(), f"exit code {done.returncode} without a message")
            raise Refused(done.stderr.strip())
        self.expect(done.returncode in codes, f"exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def json(self, verb, *arguments, codes=(0,)):
        return json.loads(self.run(verb, "fabric.json", *arguments, "--json", codes=codes))

    def expect(self, holds, message):
        if not holds:
            raise Wrong(message)

    def equal(self, printed, expected, what):
        self.checked[what] += 1
        self.expect(printed == expected, f"{what}: printed {printed}, expected {expected}")

    def close(self, printed, expected, what, within=1e-6):
        self.checked[what] += 1
        self.expect(abs(printed - expected) <= within * max(1, abs(expected)),
                    f"{what}: printed {printed}, expected {float(expected)}")

    def at_most(self, small, large, what):
        self.checked[what] += 1
        self.expect(small <= large, f"{what}: {small} is above {large}")

    def route(self, engine, *arguments, name="tables"):
        """Tables of an engine, written and read."""
        self.json("route", engine, "-o", name, *arguments)
        return Tables(self.fabric, (self.folder / name).read_text())


class Tables:
    """out[switch][lid] = port; owner[lid] = (node, port), port 0 for switches."""

    def __init__(self, fabric, text):
        self.fabric, self.peer = fabric, fabric.peers()
        by_guid = {node["guid"]: name for name, node in fabric.nodes.items()}
        by_port = {fabric.port_guid(name, port): (name, port) for name in fabric.nodes
                   for port in ([0] if fabric.is_switch(name) else range(1, fabric.nodes[name]["ports"] + 1))}
        self.out, self.owner = collections.defaultdict(dict), {}
        for line in text.splitlines():
            head = re.match(r"Unicast lids .* guid (0x\w+)", line)
            row = re.match(r"(0x\w+) (\d+) # .* portguid (0x\w+):", line)
            if head:
                here = by_guid[int(head[1], 16)]
            elif row:
                lid = int(row[1], 16)
                self.out[here][lid] = int(row[2])
                self.owner[lid] = by_port[int(row[3], 16)]
        self.lids = collections.defaultdict(list)
        for lid, owner in sorted(self.owner.items()):
            self.lids[owner].append(lid)

    def trace(self, start, lid):
        """The channels (node, port) of a packet from a terminal (adapter, port) or a switch (switch, 0) to the LID, and
        whether it arrives. Packets that are lost or loop use channels, too; a loop ends with the channel that repeats."""
        node, port = start
        channels = []
        if start == self.owner[lid]:
            return channels, True
        if port:
            channels.append(start)
            if self.peer[start] == self.owner[lid]:
                return channels, True
            node = self.peer[start][0]
        while self.fabric.is_switch(node):
            port = self.out[node].get(lid)
            if port == 0 and (node, 0) == self.owner[lid]:
                return channels, True
            if not port or (node, port) not in self.peer:
                return channels, False
            seen = (node, port) in channels
            channels.append((node, port))
            if seen:
                return channels, False
            if self.peer[node, port] == self.owner[lid]:
                return channels, True
            node = self.peer[node, port][0]
        return channels, False

    def path(self, start, lid):
        """The channels of a packet that arrives; None if it does not."""
        channels, arrives = self.trace(start, lid)
        return channels if arrives else None


def terminals(fabric):
    """Connected ports of adapters, aggregation nodes included, by adapter."""
    peers = fabric.peers()
    result = {}
    for name in fabric.adapters():
        ports = [(name, p) for p in range(1, fabric.nodes[name]["ports"] + 1) if (name, p) in peers]
        if ports:
            result[name] = ports
    return result


def hosts(fabric):
    """The same without aggregation nodes: those that send and receive."""
    return {name: ports for name, ports in terminals(fabric).items()
            if AGGREGATION not in fabric.nodes[name]["description"]}


def components(fabric):
    """A number for each node; adapters pass nothing on, so each of their ports is a node of its own."""
    peers, number = fabric.peers(), {}
    def key(end):
        return end[0] if fabric.is_switch(end[0]) else end
    edges = collections.defaultdict(set)
    for end, other in peers.items():
        edges[key(end)].add(key(other))
    for start in [*fabric.switches(), *(key(end) for end in peers)]:
        if start in number:
            continue
        queue, number[start] = [start], len(number)
        for at in queue:
            for to in edges[at]:
                if to not in number:
                    number[to] = number[start]
                    queue.append(to)
    return number


def port_pairs(fabric, source, destination):
    """Pairs of ports over which two adapters send (manual: load): i to i if equally many, else each to each; without those
    that no cables join."""
    number = components(fabric)
    ports = hosts(fabric)
    a, b = ports[source], ports[destination]
    pairs = list(zip(a, b)) if len(a) == len(b) else list(itertools.product(a, b))
    return [(s, d) for s, d in pairs if number[s] == number[d]]


def usual_rate(fabric):
    """The most frequent rate of hosts, the faster on a tie."""
    rates = fabric.rates()
    count = collections.Counter(rates[end] for ports in terminals(fabric).values() for end in ports)
    return max(count, key=lambda rate: (count[rate], rate))


def pair_paths(tables, source, destination):
    """All paths of a pair of adapters, each with the same share; None if one is lost."""
    paths = [tables.path(s, lid) for s, d in port_pairs(tables.fabric, source, destination) for lid in tables.lids[d]]
    return None if not paths or None in paths else paths


def loads(tables, flows):
    """Load of each channel (node, port) in flows, for {(source, destination): amount}; None if a pair is lost."""
    result = collections.Counter()
    for (source, destination), amount in flows.items():
        paths = pair_paths(tables, source, destination)
        if paths is None:
            return None
        for path in paths:
            for channel in path:
                result[channel] += Fraction(amount) / len(paths)
    return result


def weighed(fabric, load):
    """Load by speed: a flow has the weight usual rate / rate of the channel."""
    rates, usual = fabric.rates(), usual_rate(fabric)
    return {channel: value * usual / rates[channel] for channel, value in load.items()}


def pair_rates(tables):
    """{pair: Gb/s} in all-to-all: the least of rate / flows over the links of a pair, times the most peers of any host, at
    most what the ports of the fastest host carry (docs: bottleneck rates). Pairs without a route are left out."""
    fabric, rates = tables.fabric, tables.fabric.rates()
    paths = {pair: pair_paths(tables, *pair) for pair in itertools.permutations(hosts(fabric), 2)}
    paths = {pair: found for pair, found in paths.items() if found}
    flows = collections.Counter()
    for found in paths.values():
        for path in found:
            for channel in path:
                flows[channel] += Fraction(1, len(found))
    peers = max(collections.Counter(source for source, _ in paths).values(), default=0)
    most = max((sum(rates[end] for end in ports) for ports in hosts(fabric).values()), default=0)
    return {pair: min(most, peers * min(Fraction(rates[c]) / flows[c] for path in found for c in path))
            for pair, found in paths.items()}


def percentile(values, share):
    """By nearest rank: the least value such that at least this share have no more."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def all_to_all(fabric):
    return {pair: 1 for pair in itertools.permutations(hosts(fabric), 2)}


def solve(objective, rows, sense="Minimize"):
    """The optimum of a linear program with variables of at least 0, exactly (esolver of QSopt_ex). objective:
    {name: coefficient}; rows: [({name: coefficient}, "<=" or "=" or ">=", number)]. None if it has none."""
    def text(terms):
        return " ".join(f"{'-' if c < 0 else '+'} {abs(Fraction(c))} {name}" for name, c in terms.items() if c) or "0 nothing"
    lines = ["Problem", " claim", sense, f" obj: {text(objective)}", "Subject To"]
    lines += [f" c{i}: {text(terms)} {relation} {number}" for i, (terms, relation, number) in enumerate(rows) if terms]
    stem = f"/tmp/fatwood-claim-{os.getpid()}"
    pathlib.Path(stem + ".lp").write_text("\n".join([*lines, "End", ""]), encoding="utf-8")
    try:
        subprocess.run(["esolver", "-L", "-O", stem + ".sol", stem + ".lp"], capture_output=True, check=True, timeout=60)
        found = re.search(r"Value = (\S+)", pathlib.Path(stem + ".sol").read_text())
        return Fraction(found[1]) if found else None
    finally:
        for end in (".lp", ".sol"):
            pathlib.Path(stem + end).unlink(missing_ok=True)


def flow_rows(fabric, demand):
    """Variables and rows of a multi-commodity flow, by destination adapter; demand[source, destination] is a dict of
    variables, or a number. Adapters send by any of their ports and pass nothing on.
    Gives (rows, {channel: {variable: 1}})."""
    peers = fabric.peers()
    number = components(fabric)
    rows, use = [], collections.defaultdict(dict)
    ends = sorted(peers)
    index = {end: i for i, end in enumerate(ends)}
    all_hosts = hosts(fabric)
    reached = {d: {number[p] for p in all_hosts[d]} for d in all_hosts}
    for k, destination in enumerate(sorted({d for _, d in demand})):
        balance = collections.defaultdict(dict)  # node: out - in
        for end in ends:
            node, there = end[0], peers[end][0]
            if node == destination or not (fabric.is_switch(there) or there == destination):
                continue
            if (number[node] if fabric.is_switch(node) else number[end]) not in reached[destination]:
                continue
            variable = f"f{k}_{index[end]}"
            balance[node][variable] = balance[node].get(variable, 0) + 1
            if there != destination:
                balance[there][variable] = balance[there].get(variable, 0) - 1
            use[end][variable] = 1
        for node in fabric.switches():
            if balance[node]:
                rows.append((balance[node], "=", 0))
        for source in all_hosts:
            wanted = demand.get((source, destination), 0)
            if source == destination:
                continue
            if isinstance(wanted, dict):
                rows.append(({**balance[source], **{v: -c for v, c in wanted.items()}}, "=", 0))
            elif balance[source] or wanted:
                rows.append((balance[source], "=", wanted))
    return rows, use


def by_ports(fabric, flows):
    """The same traffic with each port as an adapter of its own, for routings of hosts that divide flows over ports."""
    single = fabric.copy()
    for name, ports in terminals(fabric).items():
        if len(ports) > 1:
            for _, port in ports:
                single.nodes[f"{name}[{port}]"] = {**fabric.nodes[name], "ports": 1}
            del single.nodes[name]
    for cable in single.cables:
        for i in (0, 2):
            if cable[i] not in single.nodes:
                cable[i], cable[i + 1] = f"{cable[i]}[{cable[i + 1]}]", 1
    def name(end):
        return end[0] if end[0] in single.nodes else f"{end[0]}[{end[1]}]"
    divided = {}
    for (source, destination), amount in flows.items():
        pairs = port_pairs(fabric, source, destination)
        for a, b in pairs:
            divided[name(a), name(b)] = Fraction(amount) / len(pairs)
    return single, divided


def best_load(fabric, flows):
    """OLOAD: the least weighted load of the most loaded channel over all routings; None if a flow has no path."""
    rows, use = flow_rows(fabric, flows)
    rates, usual = fabric.rates(), usual_rate(fabric)
    for channel, variables in use.items():
        rows.append(({**variables, "load": -Fraction(rates[channel]) / usual}, "<=", 0))
    return solve({"load": 1}, rows)


def cycle_free(edges):
    """Whether a graph {node: set of nodes} has no cycle."""
    into = collections.Counter(to for tos in edges.values() for to in tos)
    nodes = set(edges) | set(into)
    queue = [node for node in nodes if into[node] == 0]
    for node in queue:
        for to in edges.get(node, ()):
            into[to] -= 1
            if into[to] == 0:
                queue.append(to)
    return len(queue) == len(nodes)
