# SPDX-License-Identifier: BSD-3-Clause
"""The Python module against the command line and against plain Python.

Run by ctest with PYTHONPATH at the built package and FATWOOD at the program.
"""

import doctest
import glob
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
from fractions import Fraction

import numpy as np

import fatwood
import notebook
from fatwood import Fabric, Routing

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
FATWOOD = os.environ["FATWOOD"]
TREE = "ft(8,3)"
DAMAGED = "pgft(3;6,6,4;1,6,3;1,1,2)"


def command(*words):
    """What the program prints with --json, without the time that it took."""
    done = subprocess.run([FATWOOD, *words, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return untimed(json.loads(done.stdout))


def untimed(value):
    """Without what differs from run to run; fractions as fractions."""
    if isinstance(value, dict):
        exact = {k: Fraction(v) if k + "_value" in value and v is not None else v for k, v in value.items()}
        return {k: untimed(v) for k, v in exact.items() if k not in ("seconds", "bytes", "files")}
    return [untimed(v) for v in value] if isinstance(value, list) else value


def told(result):
    """The same of a result."""
    return untimed(result.to_dict())


def first_way_up(fabric):
    """An engine in Python: shortest ways by breadth-first search from each target, lowest port first."""
    switches, terminals = fabric.num_switches, fabric.num_terminals
    tables = np.full((terminals + switches, switches), fatwood.NO_ROUTE, np.uint8)
    ways = [[] for _ in range(switches)]  # (port, neighbour)
    for channel in np.flatnonzero(fabric.peer != Fabric.NONE).tolist():
        here = int(fabric.owner[channel]) - fabric.num_adapters
        there = int(fabric.owner[fabric.peer[channel]]) - fabric.num_adapters
        if here >= 0 and there >= 0:
            ways[here].append((int(fabric.port[channel]), there))
    host_port = {}
    for channel in np.flatnonzero(fabric.peer != Fabric.NONE).tolist():
        if fabric.owner[channel] < fabric.num_adapters:
            host_port[int(fabric.owner[channel])] = int(fabric.port[fabric.peer[channel]])

    def lay(row, root):
        front = [root]
        while front:
            following = []
            for s in front:
                for _, n in ways[s]:
                    if tables[row, n] == fatwood.NO_ROUTE and n != root:
                        tables[row, n] = min(p for p, m in ways[n] if m == s)
                        following.append(n)
            front = following

    for s in range(switches):
        lay(terminals + s, s)
        tables[terminals + s, s] = 0
    for t in range(terminals):
        leaf = int(fabric.leaves[t])
        tables[t] = tables[terminals + leaf]
        tables[t, leaf] = host_port[t]
    return tables


class Fabrics(unittest.TestCase):
    def test_agrees_with_show(self):
        damaged = Fabric(DAMAGED, cut="8%")
        self.assertEqual(told(damaged.show()), command("show", DAMAGED, "--cut", "8%"))
        self.assertEqual(told(damaged.show(all=True)), command("show", DAMAGED, "--cut", "8%", "--all"))
        self.assertLess(len(damaged.show().text), len(damaged.show(all=True).text))

    def test_arrays_are_consistent_and_read_only(self):
        fabric = Fabric(TREE)
        cabled = np.flatnonzero(fabric.peer != Fabric.NONE)
        self.assertEqual(len(cabled), 2 * fabric.num_cables)
        self.assertTrue((fabric.peer[fabric.peer[cabled]] == cabled).all())
        for name in ("peer", "owner", "port", "leaves", "levels", "guids", "ports"):
            with self.assertRaises(ValueError):
                getattr(fabric, name)[0] = 1

    def test_edges_of_ones_own(self):
        edges = [(f"h{i}", f"leaf{i // 2}") for i in range(4)]
        edges += [(f"leaf{i}", f"spine{j}") for i in range(2) for j in range(2)]
        fabric = Fabric.from_edges(edges)
        self.assertEqual((fabric.num_switches, fabric.num_hosts, fabric.num_cables), (4, 4, 8))
        self.assertEqual(sorted(fabric.levels.tolist()), [1, 1, 2, 2])
        self.assertTrue(fatwood.verify(fabric, "sftree").holds)
        with self.assertRaisesRegex(fatwood.InputError, "edge 0"):
            Fabric.from_edges([("a",)])
        with self.assertRaisesRegex(fatwood.InputError, "a"):
            Fabric.from_edges([("a", 1, "b", 1), ("a", 1, "c", 1)], hosts=["b", "c"])

    def test_errors_tell_where(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.json")
            with open(path, "w") as out:
                out.write('{"nodes": [\n  {"id": 7,,}\n]}')
            with self.assertRaises(fatwood.InputError) as caught:
                Fabric(path)
        self.assertEqual(caught.exception.file, path)
        self.assertIsInstance(caught.exception.line, int)
        self.assertIsInstance(caught.exception.column, int)
        with self.assertRaises(fatwood.InputError):
            Fabric("ft(8,)")
        with self.assertRaisesRegex(fatwood.InputError, "sftree"):
            fatwood.route(Fabric(TREE), "sftre")
        with self.assertRaises(fatwood.PromiseError):
            fatwood.route(ring(), "ftree")


def ring(n=6):
    """Switches in a ring, a host each: no tree."""
    edges = [(f"s{i}", f"s{(i + 1) % n}") for i in range(n)] + [(f"h{i}", f"s{i}") for i in range(n)]
    return Fabric.from_edges(edges, hosts=[f"h{i}" for i in range(n)])


class Routings(unittest.TestCase):
    def test_tables_are_not_copied(self):
        routing = fatwood.route(Fabric(TREE), "sftree")
        tables = routing.tables
        self.assertEqual(tables.shape, (208, 80))
        self.assertFalse(tables.flags.owndata)
        self.assertFalse(tables.flags.writeable)
        with self.assertRaises(ValueError):
            tables[0, 0] = 1
        again = fatwood._core.tables(routing._core)
        self.assertEqual(again.ctypes.data, tables.ctypes.data)
        del routing
        self.assertLess(int(tables.max()), 256)  # the memory lives as long as the array

    def test_agree_with_the_command_line(self):
        fabric = Fabric(DAMAGED, cut="2%")
        with tempfile.TemporaryDirectory() as folder:
            path, own = os.path.join(folder, "tables"), os.path.join(folder, "own")
            command("route", DAMAGED, "--cut", "2%", "--engine", "sftree", "-o", path)
            routing = fatwood.route(fabric, "sftree")
            routing.save(own)
            with open(path) as a, open(own) as b:
                self.assertEqual(a.read(), b.read())
            self.assertTrue((Routing.load(fabric, path).tables == routing.tables).all())

    def test_arguments_that_are_not_the_default(self):
        cases = (
            ("minhop", {"lmc": 2}, ["--lmc", "2"]),
            ("sftree", {"lmc": 1, "manager": "H3"}, ["--lmc", "1", "--manager", "H3"]),
            ("lash", {"seed": 5, "lanes": 4}, ["--seed", "5", "--lanes", "4"]),
            ("random:2", {"seed": 9}, ["--seed", "9"]),
        )
        for engine, arguments, words in cases:
            with self.subTest(engine), tempfile.TemporaryDirectory() as folder:
                path, own = os.path.join(folder, "tables"), os.path.join(folder, "own")
                command("route", "ft(4,3)", "--engine", engine, *words, "-o", path)
                routing = fatwood.route(Fabric("ft(4,3)"), engine, **arguments)
                routing.save(own)
                with open(path) as a, open(own) as b:
                    self.assertEqual(a.read(), b.read())
                self.assertEqual(routing.lmc, arguments.get("lmc", routing.lmc))
                self.assertEqual(routing.tables.shape, (16 * 2**routing.lmc + 20, 20))
        with tempfile.TemporaryDirectory() as folder:
            path, own = os.path.join(folder, "order"), os.path.join(folder, "tables")
            names = [f"H{number}" for number in reversed(range(8))]
            with open(path, "w") as file:
                file.write("\n".join(names) + "\n")
            command("route", "ft(4,2)", "--engine", "sssp", "--order", path, "-o", own)
            self.assertTrue(
                (Routing.load(Fabric("ft(4,2)"), own).tables == fatwood.route(Fabric("ft(4,2)"), "sssp", order=names).tables).all()
            )
        for width in (5, 40):
            self.assertEqual(
                told(fatwood.permutations(Fabric(TREE), "random", samples=20, width=width, seed=7)),
                command("permutations", TREE, "random", "--samples", "20", "--width", str(width), "--seed", "7"),
            )
        few, many = (
            fatwood.permutations(Fabric(TREE), "random", samples=20, width=width).results[0]["samples"] for width in (40, 2)
        )
        self.assertLess(few, many)

    def test_lanes(self):
        routing = fatwood.route(ring(), "dfsssp")
        self.assertGreater(routing.num_lanes, 1)
        self.assertEqual(routing.lanes.shape, routing.tables.shape)
        self.assertEqual(int(routing.lanes.max()), routing.num_lanes - 1)
        self.assertEqual(routing.sets(0, 0), (int(routing.tables[0, 0]),))

    def test_an_engine_in_python_is_judged_like_the_rest(self):
        fabric = Fabric("ft(4,3)")
        routing = fatwood.route(fabric, first_way_up)
        verdict = fatwood.verify(routing)
        self.assertEqual((verdict.loops, sum(verdict.unreachable.values()), verdict.minimal), (0, 0, True))
        rows = {row["name"]: row for row in fatwood.compare(fabric, [first_way_up, "updn+"]).engines}
        self.assertEqual(set(rows), {"first_way_up", "updn+"})
        self.assertEqual(rows["first_way_up"]["hops"]["longest"], 4)
        self.assertGreaterEqual(fatwood.worst(routing).ratio, 1)
        self.assertIsNone(fatwood.simulate(fabric, first_way_up, load=0.1, cycles=1000).deadlock)
        self.assertEqual(len(fatwood.permutations(fabric, [first_way_up], samples=20, width=50).results), 1)
        self.assertGreaterEqual(fatwood.load(fabric, routing.tables, traffic="shift:1").mload, 1)

    def test_wrong_tables_are_refused_with_the_entry(self):
        fabric = Fabric("ft(4,2)")
        good = fatwood.route(fabric, "updn+").tables.astype(int)
        for entry, value, message in (((3, 2), 77, r"tables\[3, 2\] is 77"), ((8, 0), 3, "own target"), ((0, 0), 300, "0 to 255")):
            bad = good.copy()
            bad[entry] = value
            with self.assertRaisesRegex(fatwood.InputError, message):
                Routing.from_tables(fabric, bad)
        with self.assertRaisesRegex(fatwood.InputError, "shape"):
            Routing.from_tables(fabric, good[:5])
        with self.assertRaisesRegex(fatwood.InputError, "another fabric"):
            fatwood.verify(fabric, fatwood.route(Fabric("ft(4,3)"), "updn+"))
        lost = good.copy()
        lost[0, :] = fatwood.NO_ROUTE
        verdict = fatwood.verify(fabric, lost)
        self.assertFalse(verdict.holds)
        self.assertEqual(verdict.unreachable["terminal_terminal"], 7)

    def test_paths_follow_the_tables(self):
        fabric = Fabric(TREE)
        routing = fatwood.route(fabric, "updn+")
        for source, destination in ((0, 127), (5, 6), (64, 3)):
            (path,) = routing.paths(source, destination)
            switch, walked = int(fabric.leaves[source]), [f"{fabric.hosts[source]}[1]"]
            for _ in range(9):
                port = int(routing.tables[destination, switch])
                node = fabric.num_adapters + switch
                channel = int(np.flatnonzero((fabric.owner == node) & (fabric.port == port))[0])
                walked.append(fabric.channel_name(channel))
                following = int(fabric.owner[fabric.peer[channel]])
                if following < fabric.num_adapters:
                    break
                switch = following - fabric.num_adapters
            self.assertEqual(list(path), walked)


class Judgements(unittest.TestCase):
    """Every figure of the command line, by at most five lines of Python."""

    def test_verify(self):
        for engine in ("minhop", "sftree", "dfsssp"):
            with self.subTest(engine):
                self.assertEqual(
                    told(fatwood.verify(Fabric(DAMAGED, cut="2%"), engine)),
                    command("verify", DAMAGED, "--cut", "2%", engine),
                )

    def test_worst(self):
        for routing in ("dmodk", "disjoint:2", "minhop"):
            with self.subTest(routing):
                result = fatwood.worst(Fabric("ft(4,3)"), routing)
                self.assertEqual(told(result), command("worst", "ft(4,3)", routing))
                again = fatwood.load(Fabric("ft(4,3)"), routing, traffic=result.flows)
                self.assertEqual(again.mload, result.mload)

    def test_load(self):
        result = fatwood.load(Fabric(TREE), "dmodk", traffic="shift:5")
        self.assertEqual(told(result), command("load", TREE, "dmodk", "--traffic", "shift:5"))
        self.assertEqual(Fraction(int(result.units.max()), result.units_in_one), result.mload)
        self.assertIn("<svg", result.svg())

    def test_permutations_and_shifts(self):
        self.assertEqual(
            told(fatwood.permutations(Fabric(TREE), ["dmodk", "random:2"], samples=50, width=20)),
            command("permutations", TREE, "dmodk", "random:2", "--samples", "50", "--width", "20"),
        )
        self.assertEqual(
            told(fatwood.shifts(Fabric(TREE), "dmodk")), command("permutations", TREE, "dmodk", "--shifts")
        )

    def test_simulate(self):
        result = fatwood.simulate(Fabric("ft(4,3)"), "dmodk", load="0.2:0.6:0.2", cycles=2000, queueing="fifo")
        words = ["sim", "ft(4,3)", "--routing", "dmodk", "--load", "0.2:0.6:0.2"]
        self.assertEqual(told(result), command(*words, "--cycles", "2000", "--queueing", "fifo"))
        self.assertEqual(len(result.use), 3)
        self.assertIsNone(fatwood.simulate(Fabric("ft(4,3)"), adaptive=True, load=0.3, cycles=500).deadlock)
        with self.assertRaisesRegex(TypeError, "unknown argument colour"):
            fatwood.simulate(Fabric("ft(4,3)"), "dmodk", colour=1)
        with self.assertRaises(fatwood.InputError):
            fatwood.simulate(Fabric("ft(4,3)"), "dmodk", load=float("nan"))

    def test_compare(self):
        self.assertEqual(told(fatwood.compare(Fabric("ft(4,3)"))), command("compare", "ft(4,3)", "--all"))

    def test_report(self):
        page = fatwood.report(Fabric("ft(4,2)"), routings=["updn+", first_way_up], worst=["updn+"])
        self.assertIn("first_way_up", page)

    def test_repair_diff_transition(self):
        whole, now = Fabric(DAMAGED), Fabric(DAMAGED, cut="2%")
        old = fatwood.route(whole, "sftree")
        with tempfile.TemporaryDirectory() as folder:
            path, new = os.path.join(folder, "old"), os.path.join(folder, "new")
            old.save(path)
            words = ["repair", DAMAGED, "--cut", "2%", path, "-o", new]
            spare, result = fatwood.repair(now, old, spare_blocks=3)
            self.assertEqual(told(result), command(*words, "--spare-blocks", "3"))
            self.assertTrue((Routing.load(now, new).tables == spare.tables).all())
            self.assertEqual(told(fatwood.repair(now, old)[1]), command(*words))
            _, some = fatwood.repair(now, old, blocks=60, engine="sftree", among="all")
            self.assertEqual(
                told(some), command(*words, "--blocks", "60", "--engine", "sftree", "--among", "all")
            )
            with self.assertRaises(fatwood.InputError):
                fatwood.repair(now, old, blocks=60, forced_only=True)
            routing, result = fatwood.repair(now, old, forced_only=True)
            self.assertEqual(told(result), command(*words, "--forced-only"))
            self.assertTrue((Routing.load(now, new).tables == routing.tables).all())
            self.assertEqual(
                told(fatwood.transition(now, old, routing)),
                command("transition", DAMAGED, "--cut", "2%", path, new),
            )
        changed = fatwood.diff(whole, now, (old, routing))
        self.assertFalse(changed.same)
        self.assertEqual(changed.entries_changed, result.entries_changed)

    def test_whatif(self):
        now, words = Fabric(DAMAGED, cut="2%"), ["whatif", DAMAGED, "--cut", "2%", "sftree"]
        result = fatwood.whatif(now, "sftree")
        self.assertEqual(told(result), command(*words))
        self.assertGreater(result.put_back_missing, 0)
        sets = fatwood.whatif(now, "sftree", sets=2, samples=20, permutations=2, seed=5)
        more = ["--sets", "2", "--samples", "20", "--permutations", "2", "--seed", "5"]
        self.assertEqual(told(sets), command(*words, *more))
        for only in ("cables", "switches"):
            some = fatwood.whatif(now, "sftree", only=only, permutations=2)
            self.assertEqual(told(some), command(*words, "--only", only, "--permutations", "2"))
        with self.assertRaisesRegex(fatwood.InputError, "cables, switches"):
            fatwood.whatif(now, "sftree", only="hosts")
        with self.assertRaisesRegex(fatwood.InputError, "samples=0"):
            fatwood.whatif(now, "sftree", sets=2, samples=0)
        self.assertEqual(fatwood.whatif(Fabric("ft(4,2)"), "ar_updn").now["pairs_lost"], 0)

    def test_verify_knows_old_tables_and_rechoosing(self):
        fabric = fatwood.Fabric("ft(4,2)")
        old, new = fatwood.route(fabric, "minhop"), fatwood.route(fabric, "updn+")
        self.assertEqual(fatwood.verify(new, old=old).transition["safe"], fatwood.transition(fabric, old, new).safe)
        self.assertFalse(hasattr(fatwood.verify(new), "transition"))
        with self.assertRaises(fatwood.InputError):
            fatwood.verify(new, old=fatwood.route(fabric, "updn+", lmc=1))
        with self.assertRaises(fatwood.InputError):
            fatwood.verify(fabric, "ar_updn", old=old)
        free = fatwood.verify(fabric, "ar_updn", rechoose=True)
        self.assertTrue(free.holds)

    def test_plan(self):
        made = fatwood.plan(24, rails=4, rate=400, unit=8, reserve={"storage": 8}, growth="25%", figures="none")
        self.assertEqual(
            told(made),
            command(
                *"plan --hosts 24 --rails 4 --rate 400 --unit 8 --reserve storage=8 --growth 25%".split(),
                *("--figures", "none"),
            ),
        )
        self.assertEqual(len(made.choices), made.text.count("'plan("))
        for wrong in ({"rate": 123}, {"figures": "some"}, {"reserve": {"tea": 3}}, {"choose": 99}, {"split": 2}):
            with self.assertRaises(fatwood.InputError):
                fatwood.plan(24, **wrong)
        with self.assertRaises(fatwood.InputError):
            fatwood.plan(0)
        with self.assertRaises(TypeError):
            fatwood.plan(24, tea=3)

    def test_check_cabling(self):
        planned = "rails(units=2,hosts=8,rails=4,spines=4)"
        built = planned[:-1] + ",crossed_cables=2,seed=2)"
        with tempfile.TemporaryDirectory() as folder:
            plan, found = os.path.join(folder, "plan.csv"), os.path.join(folder, "found")
            subprocess.run([FATWOOD, "convert", planned, "--to", "cables", "-o", plan], check=True, capture_output=True)
            subprocess.run(
                [FATWOOD, "convert", built, "--to", "ibnetdiscover", "-o", found], check=True, capture_output=True
            )
            checked = fatwood.check_cabling(plan, found)
            self.assertEqual(told(checked), command("diff", plan, found))
            self.assertTrue(checked.wrong)
            self.assertEqual(
                [fault["kind"] for fault in fatwood.check_cabling(Fabric(planned), Fabric(built)).faults],
                [fault["kind"] for fault in checked.faults],
            )
            with self.assertRaises(fatwood.InputError):
                fatwood.check_cabling(plan, found, earlier=found)

    def test_job(self):
        fabric, words = Fabric(TREE), ["job", TREE, "dmodk", "--rate", "4xHDR"]
        result = fatwood.job(fabric, "dmodk", hosts="H[0-15]", rate="4xHDR", collective="alltoall", message_size="1M")
        expected = command(*words, "--hosts", "H[0-15]", "--collective", "alltoall", "--message-size", "1M")
        self.assertEqual(told(result), expected)
        names = ["H3", "H40", "H9", "H77"]
        better = fatwood.job(fabric, "dmodk", hosts=names, rate="4xHDR", improve="both", free="H[0-31]", tries=40)
        more = ["--hosts", ",".join(names), "--improve", "both", "--free", "H[0-31]", "--tries", "40"]
        self.assertEqual(told(better), command(*words, *more))
        for options, why in [({"weight": 0}, "1 to 255"), ({"groups": "all,"}, "pipeline"), ({"tries": 3}, "improve"),
                             ({"queue_pairs": 2}, "needs hashed"), ({"hosts": "H[900-901]"}, "its hosts are")]:
            with self.assertRaisesRegex(fatwood.InputError, why):
                fatwood.job(fabric, "dmodk", rate="4xHDR", **options)
        with self.assertRaisesRegex(TypeError, "unknown argument colour"):
            fatwood.job(fabric, "dmodk", colour=1)
        for options, why in [({"weight": "3"}, "weight='3': expected a number from 1 to 255"), ({"window": 10**30}, "window="),
                             ({"collective": 1.5}, "collective=1.5: expected a text")]:
            with self.assertRaisesRegex(fatwood.InputError, why):
                fatwood.job(fabric, "dmodk", rate="4xHDR", **options)
        picked = fatwood.job(fabric, "dmodk", rate="4xHDR", pick=4, free="all", collective="alltoall")
        self.assertEqual((picked.hosts, len(picked.improved["hosts"])), (4, 4))
        some = fatwood.job(fabric, "dmodk", hosts=["H0", "H1", "nobody"], rate="4xHDR")
        self.assertEqual((some.hosts, len(some.notes)), (2, 1))
        same = fatwood.job(fabric, "dmodk", hosts="H[0-15]", rate="4xHDR", message_size=1048576)
        self.assertEqual(told(same), command(*words, "--hosts", "H[0-15]", "--message-size", "1M"))

    def test_errors_are_our_own(self):
        fabric = Fabric("ft(4,2)")
        self.assertTrue(issubclass(fatwood.InputError, fatwood.Error))
        self.assertTrue(issubclass(fatwood.PromiseError, fatwood.Error))
        star = [("s", f"h{i}") for i in range(256)]
        for call in [lambda: Fabric.from_edges(star, [f"h{i}" for i in range(256)]),
                     lambda: fatwood.load(fabric, "dmodk", traffic=[("H0", "H1", 10**30)]),
                     lambda: fatwood.load(fabric, "dmodk", traffic=[("H0", "H0")]),
                     lambda: fatwood.load(fabric, "dmodk", traffic=[("H0", "H1", "x")]),
                     lambda: fatwood.load(fabric, "dmodk", traffic="ring", seed=10**30),
                     lambda: fatwood.whatif(fabric, "sftree", samples="5")]:
            with self.assertRaises(fatwood.Error) as caught:
                call()
            self.assertNotIn("incompatible", str(caught.exception))
        tenth = fatwood.load(fabric, "dmodk", traffic=[("H0", "H1", 0.1), ("H2", "H3", 0.3)])
        self.assertEqual(tenth.mload, Fraction(3, 10))

    def test_results_are_immutable(self):
        result = fatwood.verify(Fabric("ft(4,2)"), "updn+")
        with self.assertRaises(AttributeError):
            result.holds = False
        with self.assertRaises(TypeError):
            result.hops["mean"] = 0
        with self.assertRaisesRegex(AttributeError, "there are"):
            result.nothing
        self.assertIn("<pre>", result._repr_html_())
        self.assertIn(", holds=True, ", repr(result))
        self.assertIn("hops={", repr(result))


class Optional(unittest.TestCase):
    def test_networkx_and_back(self):
        networkx = optional("networkx")
        fabric = Fabric("ft(4,3)", cut="S1_0[1]")
        graph = fabric.to_networkx()
        self.assertEqual(graph.number_of_edges(), fabric.num_cables)
        self.assertTrue(networkx.is_connected(graph))
        again = Fabric.from_networkx(graph, name=fabric.name)
        self.assertTrue(networkx.utils.graphs_equal(again.to_networkx(), graph))

    def test_pandas(self):
        optional("pandas")
        table = fatwood.compare(Fabric("ft(4,2)"), ["updn+", "minhop"]).to_pandas()
        self.assertEqual(list(table["name"]), ["updn+", "minhop"])
        self.assertEqual(list(table["hops.longest"]), [2, 2])

    def test_plots_show_the_figures(self):
        optional("matplotlib").use("agg")
        fabric = Fabric("ft(4,3)", cut="S1_0[3]")
        widths = {bar.get_width() for bar in fatwood.compare(fabric, ["sftree", "minhop"]).plot().patches}
        rows = fatwood.compare(fabric, ["sftree", "minhop"]).engines
        self.assertEqual(widths, {row[key] for row in rows for key in ("worst_gbps", "p1_gbps", "median_gbps")})
        told = fatwood.permutations(fabric, ["sftree", "updn+"])
        self.assertEqual([bar.get_width() for bar in told.plot().patches], [row["mean"] for row in told.results])
        load = fatwood.load(fabric, "sftree", traffic="alltoall")
        ax = load.plot()
        self.assertEqual(ax.lines[0].get_ydata()[0], float(load.mload))
        self.assertIs(fatwood.load(fabric, "sftree", traffic="shift:1").plot(ax=ax), ax)
        self.assertEqual(len(ax.lines), 2)
        curve = fatwood.simulate(fabric, "sftree", load=[0.1, 0.2], cycles=2000)
        drawn = curve.plot().lines[0].get_ydata()
        self.assertEqual(list(drawn), [point["accepted"] for point in curve.points])
        lost = fatwood.whatif(fabric, "sftree", only="cables")
        drawn = lost.plot().lines[0].get_ydata()
        rates = [fault["unrepaired"]["worst_gbps"] for fault in lost.faults if fault["unrepaired"]]
        self.assertEqual(list(drawn), sorted(rates))
        job = fatwood.job(fabric, "sftree", collective="allreduce", message_size="1M")
        self.assertEqual(job.plot().patches[0].get_width(), job.jobs[0]["seconds"])
        plans = fatwood.plan(hosts=64)
        drawn = [bar.get_width() for bar in plans.plot().patches]
        self.assertEqual(drawn[0], plans.choices[0]["figures"]["intact"]["worst_gbps"])
        with self.assertRaisesRegex(TypeError, "no picture"):
            fatwood.verify(fabric, "updn+").plot()

    def test_missing_packages_are_named(self):
        for name, use in (
            ("networkx", lambda: Fabric("ft(4,2)").to_networkx()),
            ("pandas", lambda: fatwood.compare(Fabric("ft(4,2)"), ["updn+"]).to_pandas()),
            ("matplotlib.pyplot", lambda: fatwood.compare(Fabric("ft(4,2)"), ["updn+"]).plot()),
        ):
            with unittest.mock.patch.dict(sys.modules, {name: None}):
                with self.assertRaisesRegex(ImportError, f"python3-{name.split('.')[0]}"):
                    use()


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        raise unittest.SkipTest(f"no {name}") from None


# Minutes, were it not ended; but it tells its progress a hundred times, and then the thread that was left ends.
LONG = 4 * 10**6


class LongCalls(unittest.TestCase):
    def test_the_interpreter_is_free_and_progress_is_told(self):
        # The call would take minutes; it ends when another thread has run and progress was told often enough.
        told, ticks = [], []
        stop = threading.Event()

        def tick():
            while not stop.wait(0.01):
                ticks.append(1)

        def hear(done, text):
            told.append(done)
            if len(told) > 3 and len(ticks) > 3:
                raise RuntimeError("enough")

        thread = threading.Thread(target=tick)
        thread.start()
        try:
            with self.assertRaisesRegex(RuntimeError, "enough"):
                fatwood.simulate(Fabric(TREE), "dmodk", load=0.5, cycles=LONG, progress=hear)
        finally:
            stop.set()
            thread.join()
        self.assertTrue(all(0 <= done <= 1 for done in told))

    def test_progress_ends_at_one(self):
        told = []
        fatwood.simulate(
            Fabric(TREE), "dmodk", load=0.5, cycles=100, progress=lambda done, text: told.append(done)
        )
        self.assertEqual(told[-1], 1)

    def test_ctrl_c_ends_a_call_at_once(self):
        runs = threading.Event()
        # A job in the background of a shell ignores the signal, and so would Python.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

        def interrupt():
            runs.wait()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            fatwood.simulate(Fabric(TREE), "dmodk", load=0.9, cycles=LONG, progress=lambda done, text: runs.set())
        thread.join()

    def test_what_progress_raises_ends_the_call(self):
        def refuse(fraction, text):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            fatwood.simulate(Fabric(TREE), "dmodk", load=0.9, cycles=LONG, progress=refuse)


class Words(unittest.TestCase):
    def test_doctests(self):
        for name in ("", "._fabric", "._routing", "._judge", "._changes", "._result"):
            failed, _ = doctest.testmod(importlib.import_module("fatwood" + name))
            self.assertEqual(failed, 0, name)

    def test_tutorial(self):
        optional("pandas")
        optional("matplotlib")
        folder = os.getcwd()
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            try:
                failed, run = doctest.testfile(
                    os.path.join(DOCS, "python.md"), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
                )
            finally:
                os.chdir(folder)
        self.assertEqual(failed, 0)
        self.assertGreater(run, 20)

    def test_notebooks(self):
        books = sorted(glob.glob(os.path.join(DOCS, "notebooks", "*.ipynb")))
        self.assertGreaterEqual(len(books), 2)
        optional("pandas")
        folder = os.getcwd()
        for path in books:
            with self.subTest(os.path.basename(path)), tempfile.TemporaryDirectory() as scratch:
                os.chdir(scratch)
                try:
                    cells = [c for c in notebook.run(path)["cells"] if c["cell_type"] == "code"]
                finally:
                    os.chdir(folder)
                self.assertTrue(all(cell["outputs"] for cell in cells))

    def test_connect(self):
        if not os.path.exists(os.path.join(os.path.dirname(FATWOOD), "fatwood-serve")):
            raise unittest.SkipTest("fatwood-serve was not built")
        with subprocess.Popen([FATWOOD, "serve", "ft(4,3)", "sftree", "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
            try:
                url = process.stdout.readline().split(" at ")[1].strip()
                server = fatwood.connect(url)
                self.assertEqual(server.state()["fabric"]["hosts"], 16)
                change = server.change("cut S1_0[1]")
                self.assertGreater(change["unrepaired"]["pairs_lost"], 0)
                self.assertEqual(change["repaired"]["pairs_lost"], 0)
                self.assertEqual(server.state()["changes"], ["cut S1_0[1]"])
                self.assertIn("updn+", [engine["name"] for engine in server.engines()])
                again = server.route("updn+")
                self.assertEqual(again["repaired"]["pairs_lost"], 0)
                self.assertEqual(server.state()["fabric"]["routing"], "updn+")
                with tempfile.TemporaryDirectory() as folder:
                    for what in ("tables", "proof", "fabric"):
                        server.save(what, os.path.join(folder, what))
                    subprocess.run([FATWOOD, "verify", "fabric", "tables", "--check", "proof"], cwd=folder, check=True, capture_output=True)
                with self.assertRaisesRegex(fatwood.InputError, "nobody"):
                    server.route("nobody")
                server.route()
                self.assertEqual(server.state()["fabric"]["routing"], "sftree")
                server.undo()
                load = server.run("load", traffic="alltoall")
                own = fatwood.load(Fabric("ft(4,3)"), "sftree", traffic="alltoall")
                self.assertEqual(load["mload"], own.mload)
                with self.assertRaisesRegex(fatwood.InputError, "nobody"):
                    server.change("cut nobody[1]")
                self.assertIn("fatwood_hosts 16", server.metrics())
            finally:
                process.terminate()
        with self.assertRaisesRegex(fatwood.InputError, "does not answer"):
            fatwood.connect(url)

    def test_mypy(self):
        try:
            import mypy.api
        except ImportError:
            raise unittest.SkipTest("no mypy") from None
        # Versions of mypy differ in what needs "type: ignore": a comment that this one needs not is no error.
        options = ["--strict", "--no-warn-unused-ignores"]
        with tempfile.TemporaryDirectory() as cache:
            out, errors, status = mypy.api.run(
                [*options, "--cache-dir", cache, os.path.dirname(fatwood.__file__)]
            )
        self.assertEqual(status, 0, out + errors)


if __name__ == "__main__":
    unittest.main()
