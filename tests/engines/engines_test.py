#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of engines against formulas, counts, and a slow second implementation of sssp.

Nothing here is recorded: a change of tests/routing/same_tables.txt or tests/golden hides no mistake from these tests.
Files are made by $FATWOOD and read here: the fabric as ibnetdiscover's text, tables as a dump.
"""
import collections
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import opensm_tables

FATWOOD = os.environ.get("FATWOOD", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/src/cli/fatwood"))


class Net:
    """Cables and tables by name: peer[node][port] = (node, port), out[switch][name of the target] = port."""

    def __init__(self, spec, engine, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([FATWOOD, "convert", spec, "--to", "ibnetdiscover", "-o", "net"], cwd=folder, check=True)
            subprocess.run([FATWOOD, "route", spec, "--engine", engine, "-o", "lfts", *arguments], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            self.read_fabric((pathlib.Path(folder) / "net").read_text())
            self.read_tables((pathlib.Path(folder) / "lfts").read_text())

    def read_fabric(self, text):
        name, self.peer, self.switches, self.hosts, cables = {}, collections.defaultdict(dict), [], [], []
        for line in text.splitlines():
            head = re.match(r'(Switch|Ca)\s+\d+ "([^"]+)"\s*# "([^"]+)"', line)
            cable = re.match(r'\[(\d+)\](?:\(\w+\))?\s+"([^"]+)"\[(\d+)\]', line)
            if head:
                here = name[head[2]] = head[3]
                (self.switches if head[1] == "Switch" else self.hosts).append(here)
            elif cable:
                cables.append((here, int(cable[1]), cable[2], int(cable[3])))
        for node, port, other, other_port in cables:
            self.peer[node][port] = (name[other], other_port)
        self.leaf = {host: self.peer[host][1][0] for host in self.hosts}

    def read_tables(self, text):
        self.out = collections.defaultdict(lambda: collections.defaultdict(list))  # one port for each address
        for line in text.splitlines():
            head = re.match(r"Unicast lids .*\('(.*)'\)", line)
            row = re.match(r"0x\w+ (\d+) # (?:Channel Adapter|Switch) portguid \w+: '(.*)'", line)
            if head:
                switch = head[1]
            elif row:
                self.out[switch][row[2]].append(int(row[1]))

    def hops_to(self, destination):
        hops, queue = {destination: 0}, [destination]
        for node in queue:
            for other, _ in self.peer[node].values():
                if other not in hops and other in self.switch_set:
                    hops[other] = hops[node] + 1
                    queue.append(other)
        return hops

    @property
    def switch_set(self):
        return set(self.switches)

    def ups(self, switch):
        """Ports towards the next level, in a tree whose switches are called S<level>_<index>."""
        level = int(re.match(r"S(\d+)_", switch)[1])
        return [port for port, (other, _) in sorted(self.peer[switch].items()) if other.startswith(f"S{level + 1}_")]


def below(net, switch):
    """The hosts under a switch of a tree."""
    level = int(re.match(r"S(\d+)_", switch)[1])
    return {host for other, _ in net.peer[switch].values()
            for host in ([other] if other in net.leaf else below(net, other) if other.startswith(f"S{level - 1}_") else [])}


class OpensmTables(unittest.TestCase):
    SPECS = ("pgft(3;3,3,4;1,3,3;1,1,2)", "xgft(3;3,3,4;1,3,3)", "random(12,24,seed=3)", "random(14,40,seed=8)", "torus(3,4)",
             "ring(5)", "like-stage", "like-x5", "kary(2,4)")

    def compare(self, spec, engine, lmc, hops, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "lfts"
            subprocess.run([FATWOOD, "route", spec, "--engine", engine, "--lmc", str(lmc), "-o", out, *arguments], check=True,
                           stdout=subprocess.DEVNULL)
            self.assertEqual(opensm_tables.entries_of(out.read_text()), opensm_tables.tables(self.fabric, hops, lmc),
                             (spec, engine, lmc, arguments))

    def read(self, spec, *arguments):
        text = subprocess.run([FATWOOD, "convert", spec, *arguments, "--to", "ibnetdiscover"], check=True,
                              capture_output=True, text=True).stdout
        self.fabric = opensm_tables.Fabric(text)

    def test_minhop_updn_and_dnup(self):
        refused = 0
        for spec in self.SPECS:
            for cut in ((), ("--cut", "10%", "--fault-seed", "4")):
                self.read(spec, *cut)
                hops = {"minhop": opensm_tables.minhop(self.fabric), "dnup": opensm_tables.dnup(self.fabric),
                        "updn": opensm_tables.updn(self.fabric)}
                for engine, found in hops.items():
                    for lmc in range(3):
                        if found:
                            self.compare(spec, engine, lmc, found, *cut)
                if not hops["updn"]:
                    refused += 1
                    wrong = subprocess.run([FATWOOD, "route", spec, *cut, "--engine", "updn", "--json"], capture_output=True)
                    self.assertEqual(wrong.returncode, 1, spec)
        self.assertGreater(refused, 2)

    def test_updn_from_given_roots(self):
        for spec in ("random(12,24,seed=3)", "torus(3,4)", "like-x5", "pgft(3;3,3,4;1,3,3;1,1,2)"):
            self.read(spec)
            chosen = self.fabric.switches[:2]
            with tempfile.NamedTemporaryFile("w", suffix=".guids") as file:
                file.write("".join(f"0x{self.fabric.guid[s]:016x}\n" for s in chosen))
                file.flush()
                for lmc in (0, 3):
                    self.compare(spec, "updn", lmc, opensm_tables.updn(self.fabric, chosen), "--roots", file.name)


class Trees(unittest.TestCase):
    def test_dmodk_is_the_formula(self):
        # [Zahavi10]: a switch of level l goes up by port floor(d / (w1 ... wl)) mod (w(l+1) p(l+1)).
        for spec, widths in (("ft(4,3)", (1, 2, 2)), ("kary(3,3)", (1, 3, 3)), ("xgft(3;3,2,2;1,2,3)", (1, 2, 3)),
                             ("ft(8,2)", (1, 4))):
            net, wrong = Net(spec, "dmodk"), 0
            for switch in net.switches:
                level, ups, under = int(switch[1]), net.ups(switch), below(net, switch)
                divisor = 1
                for width in widths[:level]:
                    divisor *= width
                for host in net.hosts:
                    if host not in under:
                        wrong += net.out[switch][host] != [ups[int(host[1:]) // divisor % widths[level]]]
            self.assertEqual(wrong, 0, spec)

    def test_ftree_and_sftree_share_ports_equally(self):
        # In a whole tree every up-port of a switch has the same number of destinations, and so has every channel down.
        for engine in ("ftree", "sftree"):
            for spec in ("ft(4,3)", "kary(3,3)", "xgft(3;4,2,2;1,2,2)", "ft(8,2)"):
                net = Net(spec, engine)
                for switch in net.switches:
                    ups, under = net.ups(switch), below(net, switch)
                    used = collections.Counter(net.out[switch][host][0] for host in net.hosts if host not in under)
                    if ups:
                        share = (len(net.hosts) - len(under)) / len(ups)
                        self.assertEqual({used[port] for port in ups}, {share}, (engine, spec, switch))
                        self.assertEqual(set(used), set(ups))

    def test_one_root_for_each_destination(self):
        # Whatever leaf a packet comes from, it reaches a destination of a whole tree over one root.
        for engine in ("ftree", "sftree", "dmodk"):
            net = Net("kary(3,3)", engine)
            for host in net.hosts:
                roots = set()
                for leaf in set(net.leaf.values()):
                    at, path = leaf, []
                    while at in net.switch_set:
                        path.append(at)
                        self.assertLess(len(path), 6)
                        at = net.peer[at][net.out[at][host][0]][0]
                    self.assertEqual(at, host)
                    roots |= {switch for switch in path if switch.startswith("S3_")}
                self.assertEqual(len(roots), 1, (engine, host))


class Graphs(unittest.TestCase):
    SPECS = ("random(10,18,seed=4,terminals=7)", "random(9,16,dup=3,seed=22)", "torus(3,4)", "ft(4,3)", "ring(6)")

    def test_minhop_and_sssp_take_shortest_paths(self):
        for engine in ("minhop", "sssp", "dfsssp"):
            for spec in self.SPECS:
                net = Net(spec, engine)
                for target in net.hosts + net.switches:
                    hops = net.hops_to(net.leaf.get(target, target))
                    for switch in net.switches:
                        if hops[switch] > 0:
                            following = net.peer[switch][net.out[switch][target][0]][0]
                            self.assertEqual(hops[following], hops[switch] - 1, (engine, spec, switch, target))

    def test_sssp_again(self):
        # Dijkstra by weights for one destination after the other; each link gains the hosts behind it.
        for spec in self.SPECS:
            net = Net(spec, "sssp")
            weight, behind = collections.Counter(), collections.Counter(net.leaf.values())
            for target in sorted(net.hosts, key=lambda name: int(name[1:])):
                root = net.leaf[target]
                hops, distance, chosen = net.hops_to(root), {root: 0}, {}
                order = sorted(net.switches, key=lambda switch: hops[switch])
                for switch in order[1:]:
                    distance[switch], chosen[switch] = min(
                        (weight[switch, port] + distance[other], port) for port, (other, _) in net.peer[switch].items()
                        if hops.get(other, 99) == hops[switch] - 1)
                self.assertEqual({switch: net.out[switch][target][0] for switch in chosen}, chosen, (spec, target))
                load = behind.copy()
                for switch in reversed(order[1:]):
                    weight[switch, chosen[switch]] += load[switch]
                    load[net.peer[switch][chosen[switch]][0]] += load[switch]

    def test_dfsssp_has_the_tables_of_sssp(self):
        for spec in self.SPECS:
            self.assertEqual(Net(spec, "sssp").out, Net(spec, "dfsssp").out, spec)

    def test_addresses_of_a_host_take_different_ports(self):
        # ft(8,2): four up-ports of a leaf, four addresses.
        for engine in ("minhop", "sssp", "sftree", "ftree"):
            net = Net("ft(8,2)", engine, "--lmc", "2")
            for switch in net.switches:
                if switch.startswith("S1_"):
                    for host in net.hosts:
                        if net.leaf[host] != switch:
                            self.assertEqual(len(set(net.out[switch][host])), 4, (engine, switch, host))


if __name__ == "__main__":
    unittest.main()
