# SPDX-License-Identifier: BSD-3-Clause
"""Which failures can lock up pauses (PFC): counted by brute force here, and by `fatwood verify` on files of routes.

All shortest paths, all choices, traffic of hosts. The routes are those of a protocol that allows valleys (OSPF, or BGP
with an AS for each spine); `ecmp`, one AS for all spines, has none. A cable waits for another if a packet that came by
the first can leave by the second; pauses can lock up if these dependencies have a cycle.

    fabric                 whole   one dead cable   two       one dead, and its spine sends what it cannot deliver
                                                              to the other leaves, which have not changed
    2 spines, 4 leaves     free    0 of 8           12 of 28  8 of 8
    4 spines, 8 leaves     free    0 of 32          0 of 496  32 of 32
    3 levels, k = 4        free    0 of 32          56 of 496
"""
import collections
import csv
import itertools
import json
import os
import random
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lab import fatwood

SAMPLE = 24  # failures of each kind that `fatwood` sees, too


class Clos:
    def __init__(self, spec):
        self.spec = spec
        self.cables = {}  # (switch, port): (switch, port)
        self.prefixes = {}
        with tempfile.TemporaryDirectory() as folder:
            fatwood("route", spec, "ecmp", "--out-frr", folder)
            with open(os.path.join(folder, "addresses.csv"), encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines))
            self.switches = [row["name"] for row in rows if row["kind"] == "switch"]
            self.prefixes = {row["name"]: row["address"] for row in rows if row["kind"] == "prefix"}
            for name in self.switches:
                with open(os.path.join(folder, name, "interfaces"), encoding="utf-8") as text:
                    for port, other, there in re.findall(r"set (\S+) up # to (\S+)\[(\S+)\]", text.read()):
                        self.cables[name, port] = (other, there)

    def edges(self):
        """One end of each cable."""
        return [end for end, other in sorted(self.cables.items()) if end < other]

    def routes(self, dead=()):
        """By switch and leaf: the ports of shortest paths."""
        gone = {*dead, *(self.cables[end] for end in dead)}
        ports = {name: {} for name in self.switches}
        for (name, port), (other, there) in self.cables.items():
            if (name, port) not in gone:
                ports[name][port] = other
        found = {name: {} for name in self.switches}
        for leaf in self.prefixes:
            hops = {leaf: 0}
            queue = collections.deque([leaf])
            while queue:
                at = queue.popleft()
                for other in ports[at].values():
                    if other not in hops:
                        hops[other] = hops[at] + 1
                        queue.append(other)
            for name in hops:
                if name != leaf:
                    found[name][leaf] = {port for port, other in ports[name].items() if hops[other] < hops[name]}
        return found

    def cyclic(self, routes, dead=()):
        """Whether the dependencies of packets between hosts have a cycle."""
        gone = {*dead, *(self.cables[end] for end in dead)}
        waits = collections.defaultdict(set)
        for leaf in self.prefixes:
            seen = set()
            queue = [(None, source) for source in self.prefixes if source != leaf]
            while queue:
                held, at = queue.pop()
                if at == leaf:
                    continue
                for port in routes[at].get(leaf, ()):
                    if (at, port) in gone:
                        continue
                    wanted = (at, port)
                    if held:
                        waits[held].add(wanted)
                    if wanted not in seen:
                        seen.add(wanted)
                        queue.append((wanted, self.cables[wanted][0]))
        # Take away what waits for nothing, until nothing changes.
        left = {held: set(wanted) for held, wanted in waits.items()}
        changed = True
        while changed:
            free = [held for held, wanted in left.items() if not any(one in left for one in wanted)]
            for held in free:
                del left[held]
            changed = bool(free)
        return bool(left)

    def verify(self, routes, dead=()):
        """What fatwood finds in files of these routes, one of each form in turn."""
        with tempfile.TemporaryDirectory() as folder:
            for number, name in enumerate(self.switches):
                write_routes(folder, name, number % 3, self.prefixes, routes[name])
            cuts = [word for end in dead for word in ("--cut", f"{end[0]}[{end[1][3:]}]")]
            return json.loads(fatwood("verify", self.spec, *cuts, folder, "--terminals-only", "--json", check=False))


def write_routes(folder, name, form, prefixes, routes):
    own = prefixes.get(name)
    if form == 0:
        lines = [f"{own} dev hosts proto kernel scope link src {own[:-4]}254"] if own else []
        for leaf, ports in routes.items():
            lines.append(f"{prefixes[leaf]} nhid 9 proto bgp metric 20 ")
            lines += [f"\tnexthop via inet6 fe80::1 dev {port} weight 1 " for port in sorted(ports)]
        text = "\n".join(lines) + "\n"
    elif form == 1:
        entries = [{"dst": own, "dev": "hosts", "protocol": "kernel", "scope": "link", "flags": []}] if own else []
        entries += [{"dst": prefixes[leaf], "protocol": "bgp",
                     "nexthops": [{"gateway": "169.254.0.1", "dev": port, "weight": 1, "flags": ["onlink"]}
                                  for port in sorted(ports)]} for leaf, ports in routes.items()]
        text = json.dumps(entries)
    else:
        entries = {}
        if own:
            entries[own] = [{"protocol": "connected", "selected": True,
                             "nexthops": [{"fib": True, "interfaceName": "hosts", "directlyConnected": True}]}]
        for leaf, ports in routes.items():
            entries[prefixes[leaf]] = [
                {"protocol": "ospf", "selected": False, "nexthops": [{"interfaceName": "swp1"}]},
                {"protocol": "bgp", "selected": True,
                 "nexthops": [{"fib": True, "active": True, "interfaceName": port} for port in sorted(ports)]}]
        text = json.dumps(entries)
    with open(os.path.join(folder, f"{name}-routes.{'txt' if form == 0 else 'json'}"), "w", encoding="utf-8") as file:
        file.write(text)


class Enumerations(unittest.TestCase):
    def count(self, clos, failures, bounce=False):
        """How many are cyclic; a sample is also seen by fatwood."""
        whole = clos.routes()
        draw = random.Random(len(failures))
        sample = set(draw.sample(range(len(failures)), min(SAMPLE, len(failures))))
        cyclic = 0
        for number, dead in enumerate(failures):
            routes = clos.routes(dead)
            if bounce:
                mixed = dict(whole)
                for end in (dead[0], clos.cables[dead[0]]):
                    mixed[end[0]] = routes[end[0]]
                routes = mixed
            found = clos.cyclic(routes, dead)
            cyclic += found
            if number in sample or (found and number % 7 == 0):
                verdict = clos.verify(routes, dead)
                self.assertEqual(verdict["deadlock_free"], not found, dead)
                self.assertEqual(verdict["loops"] > 0, bounce, dead)
                apart = any(len(routes[leaf]) < len(clos.prefixes) - 1 for leaf in clos.prefixes)
                self.assertEqual(verdict["unreachable"]["terminal_terminal"] > 0, bounce or apart, dead)
        return cyclic

    def check(self, spec, cables, two, bounced):
        clos = Clos(spec)
        edges = clos.edges()
        self.assertEqual(len(edges), cables)
        self.assertEqual(self.count(clos, [()]), 0)
        self.assertEqual(self.count(clos, [(end,) for end in edges]), 0)
        pairs = list(itertools.combinations(edges, 2))
        self.assertEqual((self.count(clos, pairs), len(pairs)), two)
        if bounced is not None:
            self.assertEqual(self.count(clos, [(end,) for end in edges], bounce=True), bounced)

    def test_two_spines(self):
        self.check("xgft(2;4,4;1,2)", 8, (12, 28), 8)

    def test_four_spines(self):
        self.check("xgft(2;4,8;1,4)", 32, (0, 496), 32)

    def test_three_levels(self):
        self.check("ft(4,3)", 32, (56, 496), None)

    def test_bgp_has_no_valley(self):
        """ecmp: never a cycle, whatever two cables are dead."""
        clos = Clos("xgft(2;4,4;1,2)")
        for dead in itertools.combinations(clos.edges(), 2):
            cuts = [word for end in dead for word in ("--cut", f"{end[0]}[{end[1][3:]}]")]
            found = json.loads(fatwood("verify", clos.spec, *cuts, "ecmp", "--json", check=False))
            self.assertTrue(found["deadlock_free"], dead)


if __name__ == "__main__":
    unittest.main()
