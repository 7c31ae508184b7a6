# SPDX-License-Identifier: BSD-3-Clause
"""`fatwood whatif --settled` and `--transient` against brute force: for every cable and switch, and sets of two cables.

Brute force here: routes of the rest of the fabric from scratch, by breadth-first search over paths of autonomous systems
(BGP: one AS for the spines of a pod, one for all cores; OSPF: one for each switch); all choices of all packets between
hosts; dependencies; what is left after taking away what waits for nothing.
"""
import collections
import csv
import itertools
import json
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lab import fatwood


class Network:
    def __init__(self, fabric):
        self.fabric = fabric
        with tempfile.TemporaryDirectory() as folder:
            fatwood("route", *fabric, "ecmp", "--out-frr", folder)
            with open(os.path.join(folder, "addresses.csv"), encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines))
            self.number = {row["name"]: row["as"] for row in rows if row["kind"] == "switch"}
            self.hosts = collections.Counter(row["switch"] for row in rows if row["kind"] == "host")
            self.cables = {}
            for name in self.number:
                with open(os.path.join(folder, name, "interfaces"), encoding="utf-8") as text:
                    for port, other, there in re.findall(r"set (\S+) up # to (\S+)\[(\S+)\]", text.read()):
                        self.cables[name, int(port[3:])] = (other, int(there[3:]))

    def ends(self):
        return [end for end, other in sorted(self.cables.items()) if end < other]

    def dead(self, cut=(), removed=None):
        gone = {*cut, *(self.cables[end] for end in cut)}
        for end, other in self.cables.items():
            if removed in (end[0], other[0]):
                gone.add(end)
        return gone

    def routes(self, protocol, dead):
        """By leaf and switch: ports. As BGP settles, with the AS numbers of the configuration; or all shortest paths."""
        number = self.number if protocol == "bgp" else {name: name for name in self.number}
        found = {}
        for leaf in self.hosts:
            path = {leaf: [number[leaf]]}
            ports = collections.defaultdict(set)
            front = [leaf]
            while front:
                new = {}
                for (name, port), (other, _) in self.cables.items():
                    if other in front and name not in path and (name, port) not in dead and number[name] not in path[other]:
                        ports[name].add(port)
                        new.setdefault(name, [*path[other], number[name]])
                path.update(new)
                front = list(new)
            found[leaf] = ports
        return found

    def lock_up(self, routes, removed=None):
        waits = collections.defaultdict(set)
        for leaf in self.hosts:
            sources = [name for name in self.hosts if name not in (leaf, removed)]
            seen, queue = set(), [(None, name) for name in sources]
            while queue:
                held, at = queue.pop()
                if at == leaf:
                    continue
                for port in routes[leaf].get(at, ()):
                    if held:
                        waits[held].add((at, port))
                    if (at, port) not in seen:
                        seen.add((at, port))
                        queue.append(((at, port), self.cables[at, port][0]))
        changed = True
        while changed:
            free = [held for held, wanted in waits.items() if not any(one in waits for one in wanted)]
            for held in free:
                del waits[held]
            changed = bool(free)
        return bool(waits)

    def lost(self, routes, removed=None):
        """Ordered pairs of hosts of which some packet can get lost."""
        count = 0
        for leaf in self.hosts:
            good = {leaf} - {removed}
            while True:
                more = {name for name in self.number if name not in good and name != removed and routes[leaf].get(name) and
                        all(self.cables[name, port][0] in good for port in routes[leaf][name])}
                if not more:
                    break
                good |= more
            for name, hosts in self.hosts.items():
                pairs = hosts * self.hosts[leaf] - (self.hosts[leaf] if name == leaf else 0)
                count += 0 if name in good else pairs
        return count

    def after(self, protocol, state, cut=(), removed=None):
        """What whatif should say: (deadlock_free, pairs_lost)."""
        dead = self.dead(cut, removed)
        new = self.routes(protocol, dead)
        if state == "transient":
            changed = {end[0] for end in dead}
            old = self.routes(protocol, ())
            new = {leaf: {name: (new if name in changed else old)[leaf].get(name, set()) for name in self.number}
                   for leaf in self.hosts}
        return not self.lock_up(new, removed), self.lost(new, removed)


class Losses(unittest.TestCase):
    def check(self, *fabric, engines=("ecmp", "ospf")):
        """Counts of losses that lock up, by engine and state."""
        network = Network(fabric)
        counts = {}
        for engine, state in itertools.product(engines, ("settled", "transient")):
            protocol = "bgp" if engine == "ecmp" else "ospf"
            found = json.loads(fatwood("whatif", *fabric, engine, f"--{state}", "--json"))
            self.assertEqual((found["state"], found["protocol"]), (state, protocol))
            before = network.lost(network.routes(protocol, ()))
            self.assertEqual(found["now"]["pairs_lost"], before)
            self.assertEqual(len(found["faults"]), len(network.ends()) + len(network.number))
            for fault in found["faults"]:
                if "remove" in fault:
                    where = {"removed": fault["remove"]}
                else:
                    name, port = fault["cut"].rstrip("]").split("[")
                    where = {"cut": [(name, int(port.removeprefix("swp")))]}
                expected = network.after(protocol, state, **where)
                self.assertEqual((fault["deadlock_free"], before + fault["pairs_lost"]), expected, (engine, state, where))
                self.assertEqual(bool(fault["cycle"]), not fault["deadlock_free"])
            counts[engine, state] = found["lock_up"]
            self.assertEqual(found["lock_up"], sum(not fault["deadlock_free"] for fault in found["faults"]))
        return counts

    def test_leaf_spine(self):
        counts = self.check("xgft(2;4,4;1,2)")
        self.assertEqual(counts["ecmp", "settled"], 0)
        self.assertEqual(counts["ecmp", "transient"], 0)
        self.assertEqual(counts["ospf", "settled"], 0)

    def test_three_levels(self):
        self.check("ft(4,3)")

    def test_damaged(self):
        self.check("xgft(2;2,6;1,3)", "--cut", "3")
        self.check("ft(4,3)", "--cut", "4")

    def test_parallel_cables(self):
        self.check("pgft(2;2,4;1,2;1,2)")

    def test_no_tree(self):
        self.check("ring(5)", engines=("ospf",))
        self.check("torus(3,3)", engines=("ospf",))

    def enumerated(self, spec, count, cyclic, state="settled", size=1):
        words = ["--only", "cables"] if size == 1 else ["--sets", str(size)]
        found = json.loads(fatwood("whatif", spec, "ospf", f"--{state}", *words, "--json"))
        self.assertEqual((len(found["faults"]), found["lock_up"]), (count, cyclic))

    def test_enumerations(self):
        """The counts that others found by brute force (tests/ethernet/enumerations_test.py)."""
        self.enumerated("xgft(2;4,4;1,2)", 8, 0)
        self.enumerated("xgft(2;4,4;1,2)", 28, 12, size=2)
        self.enumerated("xgft(2;4,4;1,2)", 8, 8, state="transient")
        self.enumerated("xgft(2;4,8;1,4)", 32, 0)
        self.enumerated("xgft(2;4,8;1,4)", 496, 0, size=2)
        self.enumerated("xgft(2;4,8;1,4)", 32, 32, state="transient")
        self.enumerated("ft(4,3)", 32, 0)
        self.enumerated("ft(4,3)", 496, 56, size=2)


if __name__ == "__main__":
    unittest.main()
