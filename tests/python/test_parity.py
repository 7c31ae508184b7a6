# SPDX-License-Identifier: BSD-3-Clause
"""The same question gets the same answer from the command line, from Python and from the server.

Every row of REQUESTS is asked twice and the JSON objects are compared, except for measured times. The
server is asked for the state of three fabrics, and its figures are compared with those of verbs.
"""

import json
import os
import subprocess
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import fatwood
from fatwood._result import Result

PROGRAM = os.environ["FATWOOD"]
TESTS = Path(__file__).resolve().parent.parent
RUN = str(TESTS / "fixtures" / "ibdiagnet2")
LMC = str(TESTS / "golden" / "inputs" / "lmc.net")
TREE = "ft(4,3)"
CUT = {"cut": "3", "fault_seed": 5}
CUT_WORDS = ["--cut", "3", "--fault-seed", "5"]
TIMES = {"seconds", "seconds_cpu"}


def without_times(value):
    if hasattr(value, "items"):
        return {key: without_times(part) for key, part in value.items() if key not in TIMES}
    if isinstance(value, (list, tuple)):
        return [without_times(part) for part in value]
    return value


def printed(*words, status=(0, 1)):
    """What the command line prints, read as Python reads it."""
    done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode in status, done.stderr
    return without_times(Result(SimpleNamespace(json=done.stdout, text="")))


def fabric(name, **options):
    return fatwood.Fabric(name, **options)


def of_run(**options):
    run = fabric(RUN, **options)
    return run, fatwood.Routing.load(run, RUN)


# Name: the words of the command line, and the call.
REQUESTS = {
    "show": (["show", TREE, *CUT_WORDS], lambda: fabric(TREE, **CUT).show()),
    "show a file": (["show", LMC], lambda: fabric(LMC).show()),
    "verify an engine": (["verify", TREE, "sftree"], lambda: fatwood.verify(fabric(TREE), "sftree")),
    "verify lanes": (
        ["verify", "torus(3,3)", "dfsssp"],
        lambda: fatwood.verify(fabric("torus(3,3)"), "dfsssp"),
    ),
    "verify the LMC of the ports": (["verify", LMC, "minhop"], lambda: fatwood.verify(fabric(LMC), "minhop")),
    "verify a run": (["verify", RUN], lambda: fatwood.verify(*of_run())),
    "verify a cut run": (["verify", RUN, *CUT_WORDS, RUN], lambda: fatwood.verify(*of_run(**CUT))),
    "load of a run": (
        ["load", RUN, RUN, "--traffic", "shift:1"],
        lambda: fatwood.load(*of_run(), traffic="shift:1"),
    ),
    "load with the LMC of the ports": (
        ["load", LMC, "minhop", "--traffic", "shift:1"],
        lambda: fatwood.load(fabric(LMC), "minhop", traffic="shift:1"),
    ),
    "load of a formula": (
        ["load", TREE, "disjoint:2", "--traffic", "shift:3"],
        lambda: fatwood.load(fabric(TREE), "disjoint:2", traffic="shift:3"),
    ),
    "worst": (["worst", "ft(4,2)", "dmodk"], lambda: fatwood.worst(fabric("ft(4,2)"), "dmodk")),
    "permutations": (
        ["permutations", TREE, "sftree", "--samples", "50", "--width", "20"],
        lambda: fatwood.permutations(fabric(TREE), "sftree", samples=50, width=20),
    ),
    "whatif": (
        ["whatif", TREE, "sftree", "--permutations", "0"],
        lambda: fatwood.whatif(fatwood.route(fabric(TREE), "sftree"), permutations=0),
    ),
    "job": (
        ["job", TREE, "even", "--hosts", "all", "--collective", "allreduce:ring", "--message-size", "1M"],
        lambda: fatwood.job(
            fabric(TREE), "even", hosts="all", collective="allreduce:ring", message_size="1M"
        ),
    ),
}


class FrontEnds(unittest.TestCase):
    maxDiff = 4000

    def test_python_answers_as_the_command_line(self):
        for name, (words, call) in REQUESTS.items():
            with self.subTest(name):
                self.assertEqual(without_times(call()), printed(*words))

    def test_unknown_options_are_refused_by_both(self):
        with self.assertRaisesRegex(TypeError, "fault_seed"):
            fabric(TREE, fault_sed=3)
        done = subprocess.run([PROGRAM, "show", TREE, "--fault-sed", "3"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--fault-seed", done.stderr)

    def test_ranges_are_those_of_the_command_line(self):
        with self.assertRaisesRegex(fatwood.InputError, "from 0 to 7"):
            fatwood.route(fabric(TREE), "minhop", lmc=8)
        done = subprocess.run([PROGRAM, "route", TREE, "minhop", "--lmc", "8"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("0 to 7", done.stderr)


class Server(unittest.TestCase):
    def state(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            server = subprocess.Popen(
                [PROGRAM, "serve", *words, "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True
            )
            try:
                line = server.stdout.readline()
                while "http" not in line:
                    self.assertTrue(line, "the server ended")
                    line = server.stdout.readline()
                url = line[line.index("http") :].split("/?")[0].strip()
                while True:
                    with urllib.request.urlopen(url + "/api/v1/state") as answer:
                        state = json.load(answer)
                    if state.get("fabric"):
                        return state["fabric"]
                    time.sleep(0.05)
            finally:
                server.kill()
                server.wait()
                server.stdout.close()

    def test_the_state_has_the_figures_of_verify(self):
        for words in ([TREE, "sftree"], ["torus(3,3)", "minhop"], [RUN, RUN], [RUN], [LMC, "updn+"]):
            with self.subTest(words):
                if not (Path(PROGRAM).parent / "fatwood-serve").exists():
                    self.skipTest("fatwood-serve was not built")
                state = self.state(*words)
                verified = printed("verify", *words)
                self.assertEqual(state["loops"], verified["loops"])
                self.assertEqual(state["unreachable_pairs"], verified["unreachable"]["terminal_terminal"])

    def test_without_tables_the_server_routes_by_the_engine_of_check(self):
        for name in (TREE, "torus(3,3)"):
            with self.subTest(name):
                if not (Path(PROGRAM).parent / "fatwood-serve").exists():
                    self.skipTest("fatwood-serve was not built")
                self.assertIn(self.state(name)["routing"], json.dumps(printed("check", name)))


if __name__ == "__main__":
    unittest.main()
