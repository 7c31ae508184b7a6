# SPDX-License-Identifier: BSD-3-Clause
"""Priorities: `fatwood verify --priorities` against brute force on random settings of SONiC.

Each switch gets a config_db.json with its own maps of code points, groups, queues, rewriting, and priorities that pause.
Brute force follows every code point from every host to every leaf, over all choices, and finds the priorities of
(channel, priority) that wait for themselves.
"""
import collections
import json
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lab import fatwood
from losses_test import Network

POINTS = range(64)


class Settings:
    """Of all switches: a config_db for each, and what it means."""

    def __init__(self, network, seed, rewrite, uniform):
        draw = random.Random(seed)
        self.network = network
        self.databases = {}
        self.pauses = {}  # (switch, port): priorities
        self.sort = {}  # switch: class of each code point
        self.rewrite = {}  # switch: code point by class
        self.bounce = {}  # switch: the same, for packets from a switch to a switch
        common = {point: draw.choice((0, 0, 3, 4)) for point in POINTS}
        common.update({3: 3, 4: 4, 26: 3})
        for name in sorted(network.number):
            sort = common if uniform or draw.random() < 0.8 else {**common, 26: 4}
            self.sort[name] = sort
            self.rewrite[name] = {3: 4} if rewrite and draw.random() < 0.3 else {}
            leaf = name in network.hosts
            self.bounce[name] = {3: 26, 4: 6} if rewrite and leaf and draw.random() < 0.5 else {}
            ports = {}
            for port in range(1, 17):  # no switch has more
                on = [3, 4] if uniform else draw.choice(([3, 4], [3, 4], [3, 4], [3], []))
                self.pauses[name, port] = set(on)
                ports[f"Ethernet{port}"] = {"dscp_to_tc_map": "[DSCP_TO_TC_MAP|A]" if port % 2 else "A",
                                            "tc_to_pg_map": "A", "tc_to_queue_map": "A", "tc_to_dscp_map": "A",
                                            "pfc_enable": ",".join(map(str, on))}
            same = {str(i): str(i) for i in range(8)}
            self.databases[name] = {
                "DEVICE_METADATA": {"localhost": {"hostname": name, "type": "LeafRouter"}},
                "DSCP_TO_TC_MAP": {"A": {str(point): str(tc) for point, tc in sort.items()}},
                "TC_TO_PRIORITY_GROUP_MAP": {"A": same}, "TC_TO_QUEUE_MAP": {"A": same},
                "TC_TO_DSCP_MAP": {"A": {str(tc): str(to) for tc, to in self.rewrite[name].items()},
                                   "B": {str(tc): str(to) for tc, to in self.bounce[name].items()}},
                "PORT_QOS_MAP": ports}
            if self.bounce[name]:
                self.databases[name]["TUNNEL"] = {"T": {"encap_tc_to_dscp_map": "B"}}

    def write(self, folder):
        for name, database in self.databases.items():
            with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
                json.dump(database, file)

    def priority(self, end, point):
        """In which the far end of a channel pauses, or None."""
        there = self.network.cables[end]
        priority = self.sort[there[0]][point]
        return priority if priority in self.pauses[there] and priority in self.pauses[end] else None

    def leaves(self, name, came_by, point):
        tc = self.sort[name][point]
        if came_by and tc in self.bounce[name]:
            return self.bounce[name][tc]
        return self.rewrite[name].get(tc, point)

    def locked(self, routes):
        """Priorities with a cycle."""
        waits = collections.defaultdict(set)
        for leaf in self.network.hosts:
            seen, queue = set(), []
            for name in self.network.hosts:
                queue += [(name, None, point) for point in POINTS if name != leaf]
            while queue:
                at, held, point = queue.pop()
                for port in routes[leaf].get(at, ()) if at != leaf else ():
                    end = (at, port)
                    then = self.leaves(at, held is not None, point)
                    before, after = held and self.priority(held, point), self.priority(end, then)
                    if before is not None and after is not None:
                        waits[held, before].add((end, after))
                    if (end, then) not in seen:
                        seen.add((end, then))
                        queue.append((self.network.cables[end][0], end, then))
        return {priority for (end, priority) in list(waits) if self.reaches((end, priority), waits)}

    @staticmethod
    def reaches(start, waits):
        seen, queue = set(), [start]
        while queue:
            for one in waits.get(queue.pop(), ()):
                if one == start:
                    return True
                if one not in seen:
                    seen.add(one)
                    queue.append(one)
        return False


class Priorities(unittest.TestCase):
    def check(self, fabric, seeds, rewrite=False, uniform=False):
        network = Network(fabric)
        routes = network.routes("ospf", ())
        outcomes = collections.Counter()
        for seed in seeds:
            settings = Settings(network, seed, rewrite, uniform)
            locked = settings.locked(routes)
            with tempfile.TemporaryDirectory() as folder:
                settings.write(folder)
                found = json.loads(fatwood("verify", *fabric, "ospf", "--terminals-only", "--priorities", folder,
                                           "--json", check=False))
            self.assertTrue(found["priorities_given"])
            for one in found["priorities"]:
                self.assertEqual(one["deadlock_free"], one["priority"] not in locked, (seed, one["priority"]))
                self.assertEqual(bool(one["cycle"]), not one["deadlock_free"])
            self.assertLessEqual(locked, {one["priority"] for one in found["priorities"]})
            self.assertEqual(found["deadlock_free"], not locked)
            outcomes[bool(locked)] += 1
            expected = set()
            for end, other in network.cables.items():
                if end < other and settings.pauses[end] != settings.pauses[other]:
                    expected.add(frozenset((f"{end[0]}[{end[1]}]", f"{other[0]}[{other[1]}]")))
            told = {frozenset((one["from"], one["to"])) for one in found["pfc_mismatches"] if one["kind"] == "pfc"}
            self.assertEqual(told, expected)
        return outcomes

    CYCLIC = ("xgft(2;4,4;1,2)", "--cut", "S1_0[1]", "--cut", "S1_1[2]")

    def test_random_settings(self):
        outcomes = self.check(self.CYCLIC, range(30))
        self.assertEqual(len(outcomes), 2)  # both occur

    def test_uniform(self):
        self.assertEqual(self.check(self.CYCLIC, range(2), uniform=True), {True: 2})
        self.assertEqual(self.check(("xgft(2;4,4;1,2)",), range(2), uniform=True), {False: 2})

    def test_rewritten(self):
        outcomes = self.check(self.CYCLIC, range(100, 130), rewrite=True)
        self.assertEqual(len(outcomes), 2)
        outcomes = self.check(self.CYCLIC, range(200, 220), rewrite=True, uniform=True)
        self.assertEqual(len(outcomes), 2)

    def test_ring(self):
        self.check(("ring(5)",), range(300, 320), rewrite=True)

    def test_not_given(self):
        found = json.loads(fatwood("verify", *self.CYCLIC, "ospf", "--terminals-only", "--json", check=False))
        self.assertFalse(found["priorities_given"])
        self.assertEqual([(one["priority"], one["deadlock_free"]) for one in found["priorities"]], [(None, False)])
        self.assertTrue(found["priorities"][0]["cycle"])


if __name__ == "__main__":
    unittest.main()
