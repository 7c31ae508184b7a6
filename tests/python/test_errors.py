# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong in calls: errors of the module's own, in plain words, and no file of others overwritten."""

import os
import tempfile
import unittest

import numpy as np

import fatwood
from fatwood import Fabric, Routing


class Errors(unittest.TestCase):
    def setUp(self):
        self.fabric = Fabric("ft(4,2)")
        self.routing = fatwood.route(self.fabric, "sftree")

    def refused(self, message, call):
        with self.assertRaises(fatwood.InputError) as caught:
            call()
        self.assertIn(message, str(caught.exception))
        for jargon in ("incompatible", "Invoked with", "not iterable", "_core", "NoneType'"):
            self.assertNotIn(jargon, str(caught.exception))

    def test_what_is_no_fabric_or_routing(self):
        for wrong in (None, 3, "ft(4,2)"):
            shown = f"expected a Fabric, not {wrong!r}"
            for call in [lambda: fatwood.route(wrong, "sftree"), lambda: fatwood.repair(wrong, self.routing),
                         lambda: fatwood.diff(wrong, self.fabric), lambda: fatwood.diff(self.fabric, wrong),
                         lambda: fatwood.permutations(wrong, "dmodk"), lambda: fatwood.shifts(wrong, "dmodk"),
                         lambda: fatwood.compare(wrong, ["updn+"]), lambda: fatwood.report(wrong),
                         lambda: fatwood.load(wrong, "dmodk", traffic="ring"), lambda: fatwood.job(wrong, "dmodk"),
                         lambda: fatwood.simulate(wrong, "dmodk", load=0.1), lambda: fatwood.worst(wrong, "dmodk"),
                         lambda: fatwood.transition(wrong, self.routing, self.routing)]:
                self.refused(shown, call)
        for wrong in (None, 3, "sftree"):
            shown = f"expected a Routing, not {wrong!r}"
            self.refused(shown, lambda: fatwood.repair(self.fabric, wrong))
            self.refused(shown, lambda: fatwood.transition(self.fabric, self.routing, wrong))
            self.refused(shown, lambda: fatwood.diff(self.fabric, self.fabric, (self.routing, wrong)))
        self.refused("expected a pair of tables", lambda: fatwood.diff(self.fabric, self.fabric, self.routing))
        for wrong in (None, 3, b"sftree", []):
            self.refused("name of an engine", lambda: fatwood.route(self.fabric, wrong))

    def test_values_of_a_wrong_type_or_size(self):
        for wrong in ("x", -1, 1.5, 10**30, None):
            if wrong is not None:  # as many addresses as the fabric says
                self.refused(f"lmc={wrong!r}", lambda: fatwood.route(self.fabric, "sftree", lmc=wrong))
            self.refused(f"fault_seed={wrong!r}", lambda: self.fabric.without(cut=1, fault_seed=wrong))
        self.refused("spare_blocks=-1", lambda: fatwood.repair(self.fabric, self.routing, spare_blocks=-1))
        self.refused("samples='x'", lambda: fatwood.permutations(self.fabric, "dmodk", samples="x"))
        self.refused("threads='x'", lambda: fatwood.load(self.routing, traffic="ring", threads="x"))
        self.refused("target=-1", lambda: self.routing.sets(-1, 0))
        self.refused("no such target", lambda: self.routing.sets(14, 0))
        self.refused("no such target", lambda: self.routing.sets(0, 6))
        self.refused("seed=-1", lambda: fatwood.job(self.routing, seed=-1))
        self.refused("seed=1000000", lambda: fatwood.job(self.routing, seed=10**30))
        for name, least, most in [("queue_pairs", 1, 128), ("weight", 1, 255), ("channels", 0, 64), ("cross_nic", 0, 1)]:
            hashed = {"hashed": True} if name == "queue_pairs" else {}
            for ends in (least, most):
                self.assertGreater(fatwood.job(self.routing, **hashed, **{name: ends}).seconds, 0)
            self.refused(f"{name}={most + 1}: expected a number from {least} to {most}",
                         lambda: fatwood.job(self.routing, **hashed, **{name: most + 1}))
        self.refused("weight=0: expected a number from 1 to 255", lambda: fatwood.job(self.routing, weight=0))
        self.refused("load=", lambda: fatwood.simulate(self.routing, load=[0.1, "x"]))
        self.refused("a list of routings", lambda: fatwood.compare(self.fabric, 3))
        self.refused("a host list", lambda: fatwood.job(self.routing, hosts=3))

    def test_an_error_knows_its_parameter_and_place(self):
        with self.assertRaises(fatwood.InputError) as caught:
            self.fabric.without(cut="S9_9[1]")
        self.assertEqual((caught.exception.parameter, caught.exception.file), ("cut", None))
        self.assertTrue(str(caught.exception).startswith("cut=S9_9[1]: "), caught.exception)
        self.refused("hosts= is missing", lambda: fatwood.job(self.routing, hosts=""))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "db_csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("START_NODES\nNodeDesc,NumPorts")
            with self.assertRaises(fatwood.InputError) as caught:
                Fabric(path)
            self.assertEqual((caught.exception.file, caught.exception.cut_short), (path, True))
            self.assertIsNone(caught.exception.parameter)

    def test_faults_by_number(self):
        self.assertEqual(self.fabric.without(cut=3).num_cables, 13)
        self.assertEqual(self.fabric.without(remove=1, cut="1").num_nodes, 13)
        self.refused("a text or a list of texts", lambda: self.fabric.without(cut=None))

    def test_hosts_by_number_or_name(self):
        load = lambda *flow: fatwood.load(self.routing, traffic=[flow])  # noqa: E731
        self.assertEqual(load(np.int64(0), np.uint8(7)).mload, 1)
        for wrong in (8, -1, 1.5, None, "H8"):
            self.refused(f"no host {wrong!r}: expected a name, or a number from 0 to 7", lambda: load(0, wrong))
            self.refused(f"no host {wrong!r}", lambda: self.routing.paths(wrong, 0))
        for wrong in ((0,), (0, 1, 1, 1), 5, (0, 1, "1/0"), (0, 1, float("nan")), (0, 1, None)):
            self.refused("expected (source, destination)", lambda: fatwood.load(self.routing, traffic=[wrong]))
        self.refused("too large", lambda: load(0, 1, 10**18))
        self.refused("a pattern or a list of flows", lambda: fatwood.load(self.routing, traffic=None))

    def test_edges_and_channels(self):
        self.refused("a list of edges", lambda: Fabric.from_edges(5))
        for wrong in (("a",), ("a", 0, "b", 1), ("a", 1, "b", 256), ("a", "x", "b", 1), ("a", 1.5, "b", 1), 7):
            self.refused("edge 1: expected (a, b)", lambda: Fabric.from_edges([("s", "h"), wrong]))
        self.assertEqual(self.fabric.channel_name(1), "H0[1]")
        for wrong in (self.fabric.num_channels, -1, "x", None):
            self.refused(f"no channel {wrong!r}: expected 0 to {self.fabric.num_channels - 1}",
                         lambda: self.fabric.channel_name(wrong))


class Files(unittest.TestCase):
    def test_a_file_of_somebody_else_stays(self):
        fabric = Fabric("ft(4,2)")
        routing = fatwood.route(fabric, "updn+")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "thesis")
            for write in [lambda **force: routing.save(path, **force),
                          lambda **force: fatwood.verify(routing, certificate=path, **force),
                          lambda **force: fatwood.report(fabric, path, ["updn+"], worst=[], **force)]:
                with open(path, "w", encoding="utf-8") as file:
                    file.write("the only copy\n")
                with self.assertRaisesRegex(fatwood.InputError, "would overwrite"):
                    write()
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "the only copy\n")
                write(force=True)
                with open(path, encoding="utf-8") as file:
                    self.assertNotIn("the only copy", file.read())
                write()  # its own file again
            self.assertEqual(os.listdir(folder), ["thesis"])

    def test_names_of_files(self):
        fabric = Fabric("ft(4,2)")
        for call in [lambda: Fabric(3), lambda: Routing.load(fabric, None), lambda: fatwood.report(fabric, 3),
                     lambda: fatwood.route(fabric, "updn+").save(3)]:
            with self.assertRaisesRegex(fatwood.InputError, "expected the name of a file, not"):
                call()


if __name__ == "__main__":
    unittest.main()
