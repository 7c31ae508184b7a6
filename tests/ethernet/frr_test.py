# SPDX-License-Identifier: BSD-3-Clause
"""The engine ecmp, the configuration that it writes and the reader of routes, against FRR and the Linux kernel (lab.py).

For leaf-spines and for a tree of three levels: all routes of the kernel are those of ecmp; each of 1,000 RoCE flows
takes a port of our group at each hop, exactly the one that linux_hash.py predicts, and arrives; `fatwood verify` finds
the same in what `ip -j` prints as in ecmp's own tables; and again after a cable is cut.
"""
import json
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lab
import linux_hash

FLOWS = 1000


def proved(*words):
    """What verify finds, without names and times."""
    found = json.loads(lab.fatwood("verify", *words, "--json", check=False))
    return {key: value for key, value in found.items() if key != "routes"}


class Flows(unittest.TestCase):
    def check_flows(self, it, expected, seed):
        """Each flow hop by hop, all flows of a switch at once."""
        draw = random.Random(seed)
        leaves = sorted(it.prefixes)
        at = {name: [] for name in it.switches}
        for _ in range(FLOWS):
            source, destination = draw.sample(leaves, 2)
            own = it.prefixes[source].replace(".0/24", ".254")
            there = it.prefixes[destination].replace(".0/24", f".{draw.randrange(1, 200)}")
            at[source].append((own, there, None, draw.randrange(0xC000, 0x10000), destination))
        used, arrived = {}, 0
        seeds = it.seeds()
        followed = self.follow(it, at, seeds) if it.protocol == "static" and seeds else None
        hops = {name: it.hops(name) for name in it.switches}
        for _ in range(8):
            onward = {name: [] for name in it.switches}
            for name, flows in at.items():
                if not flows:
                    continue
                for flow, port in zip(flows, it.choices(name, [flow[:4] for flow in flows]), strict=True):
                    destination = flow[4]
                    group = expected[name][it.prefixes[destination]]
                    self.assertIn(port, group)
                    if followed and (*flow[:2], flow[3]) in followed:
                        self.assertIn((name, port), followed[*flow[:2], flow[3]])
                    if seeds.get(name):
                        order = hops[name][it.prefixes[destination]]
                        self.assertEqual(port, linux_hash.choice(order, *flow[:2], flow[3], 4791, seeds[name]))
                    used.setdefault((name, destination), set()).add(port)
                    other, arrival = it.cables[name, port]
                    if other == destination:
                        arrived += 1
                    else:
                        onward[other].append((*flow[:2], arrival, *flow[3:]))
            at = onward
        self.assertEqual(arrived, FLOWS)
        return used

    @staticmethod
    def follow(it, at, seeds):
        """By addresses and source port, of some flows: the ports that `fatwood trace --flow` says. The order of groups is
        that of ports where `ip route` set them; FRR has another."""
        assert sorted(seeds.values()) == list(range(1, len(seeds) + 1))  # as the configuration sets them
        hosts = {row["switch"]: row["name"] for row in it.addresses if row["kind"] == "host"}
        found = {}
        for name, flows in at.items():
            for source, there, _, port, destination in flows[:10]:
                path = json.loads(lab.fatwood("trace", *it.fabric, "ar_updn", "--from", hosts[name], "--to", hosts[destination],
                                              "--flow", f"{source},{port},{there}", "--json"))
                found[source, there, port] = {(hop["from"], f"swp{hop['out']}") for hop in path["hops"]}
        return found


class Frr(Flows):
    def check_routes(self, it, *options):
        folder = os.path.join(it.folder, f"static{len(options)}")
        lab.fatwood("route", *it.fabric, *options, "ecmp", "--out-ip-route", folder)
        expected = lab.predicted(folder)
        it.settle(expected)
        return expected

    @staticmethod
    def unused(it, expected, used):
        """Groups of which one port has all flows."""
        return sum(len(ports) == 1 and len(expected[name][it.prefixes[destination]]) > 1
                   for (name, destination), ports in used.items())

    def check_verdict(self, it, *options):
        folder = os.path.join(it.folder, f"saved{len(options)}")
        it.save(folder)
        own = proved(*it.fabric, *options, "ecmp")
        read = proved(*it.fabric, *options, folder)
        self.assertEqual(read, own)

    def check(self, fabric, cut, polarised=False):
        it = lab.Lab(fabric)
        try:
            self.assertLessEqual(len(it.switches), 20)
            expected = self.check_routes(it)
            used = self.check_flows(it, expected, 1)
            # Switches have different seeds, so flows are spread at every level. With equal seeds, a spine gets flows
            # that all have the same half of hashes: it uses one port of two.
            self.assertEqual(self.unused(it, expected, used), 0)
            if polarised and it.seed(1):
                self.assertGreater(self.unused(it, expected, self.check_flows(it, expected, 1)), 0)
            self.check_verdict(it)
            name, port = cut
            it.cut(name, port)
            options = ("--cut", f"{name}[{port[3:]}]")
            after = self.check_routes(it, *options)
            self.assertNotEqual(after, expected)
            self.check_flows(it, after, 2)
            self.check_verdict(it, *options)
        finally:
            it.stop()

    def test_two_spines_four_leaves(self):
        self.check("xgft(2;4,4;1,2)", ("S1_0", "swp1"))

    def test_four_spines_eight_leaves(self):
        self.check("xgft(2;4,8;1,4)", ("S2_1", "swp3"))

    def test_fat_tree_of_three_levels(self):
        self.check("ft(4,3)", ("S2_0", "swp3"), polarised=True)


class Commands(Flows):
    """Routes that `ip route` sets, here those of another engine: also between spines."""

    def test_routes_of_ar_updn(self):
        it = lab.Lab("xgft(2;4,4;1,2)", engine="ar_updn")
        try:
            expected = lab.predicted(it.config)
            self.assertEqual({name: it.routes(name) for name in it.switches}, expected)
            self.check_flows(it, expected, 3)
            self.assertIn(it.loopbacks["S2_1"], expected["S2_0"])
            saved = os.path.join(it.folder, "saved")
            it.save(saved)
            self.assertEqual(proved(*it.fabric, saved)["unreachable"], proved(*it.fabric, "ar_updn")["unreachable"])
        finally:
            it.stop()


if __name__ == "__main__":
    reason = lab.missing()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(lab.SKIPPED)
    unittest.main()
