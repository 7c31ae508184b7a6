# SPDX-License-Identifier: BSD-3-Clause
"""The same question gets the same answer from the command line, from Python, from the server and from C.

Every row of REQUESTS is asked twice and the JSON objects are compared, except for measured times. The
server is asked for the state of three fabrics, and its figures are compared with those of verbs.
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import fatwood
import golden_requests
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


@contextmanager
def in_folder(folder):
    """A working folder as the golden tests have it."""
    before = os.getcwd()
    for name, path in [("in", "golden/inputs"), ("fixtures", "fixtures"), ("corpus", "fuzz/corpus")]:
        (Path(folder) / name).symlink_to(TESTS / path)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


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
    "compare a cut fabric": (
        ["compare", TREE, *CUT_WORDS, "--all"],
        lambda: fatwood.compare(fabric(TREE, **CUT)),
    ),
    "verify a cut fabric": (
        ["verify", TREE, *CUT_WORDS, "updn+"],
        lambda: fatwood.verify(fabric(TREE, **CUT), "updn+"),
    ),
    "load of a cut fabric": (
        ["load", TREE, *CUT_WORDS, "even", "--traffic", "alltoall"],
        lambda: fatwood.load(fabric(TREE, **CUT), "even", traffic="alltoall"),
    ),
    "worst of tables": (
        ["worst", "ft(4,2)", "--cut", "1", "--fault-seed", "2", "sftree"],
        lambda: fatwood.worst(fabric("ft(4,2)", cut="1", fault_seed=2), "sftree"),
    ),
    "shifts": (["permutations", TREE, "sftree", "--shifts"], lambda: fatwood.shifts(fabric(TREE), "sftree")),
    "simulate": (
        ["sim", "ft(4,2)", "--routing", "dmodk", "--load", "0.2:0.4:0.2", "--cycles", "500"],
        lambda: fatwood.simulate(fabric("ft(4,2)"), "dmodk", load=[0.2, 0.4], cycles=500),
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

    def test_python_answers_the_golden_requests(self):
        compared = 0
        with tempfile.TemporaryDirectory() as folder, in_folder(folder):
            for words in golden_requests.commands():
                with self.subTest(" ".join(words)):
                    try:
                        answer = without_times(golden_requests.in_python(words))
                    except golden_requests.Unasked:
                        continue
                    except fatwood.Error:  # then the command line has an error, too
                        status = 2 if isinstance(sys.exc_info()[1], fatwood.InputError) else 1
                        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300)
                        self.assertEqual((done.returncode, done.stdout), (status, ""), sys.exc_info()[1])
                    else:
                        self.assertEqual(answer, printed(*words))
                    compared += 1
        self.assertGreater(compared, 200)

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
    maxDiff = 4000

    def setUp(self):
        if not (Path(PROGRAM).parent / "fatwood-serve").exists():
            self.skipTest("fatwood-serve was not built")

    @contextmanager
    def served(self, *words):
        """The address of a server, with its token."""
        with tempfile.TemporaryDirectory() as folder:
            server = subprocess.Popen(
                [PROGRAM, "serve", *words, "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True
            )
            try:
                line = server.stdout.readline()
                while "http" not in line:
                    self.assertTrue(line, "the server ended")
                    line = server.stdout.readline()
                yield line[line.index("http") :].split("/?")[0].strip()
            finally:
                server.kill()
                server.wait()
                server.stdout.close()

    def state(self, *words):
        with self.served(*words) as url:
            while True:
                with urllib.request.urlopen(url + "/api/v1/state") as answer:
                    state = json.load(answer)
                if state.get("fabric"):
                    return state["fabric"]
                time.sleep(0.05)

    def test_it_answers_the_golden_requests(self):
        requests = {}
        for words in golden_requests.commands():
            try:
                fabric, routing, verb, query = golden_requests.in_http(words)
            except golden_requests.Unasked:
                continue
            requests.setdefault((fabric, routing), []).append((verb, query, words))
        largest = sorted(requests, key=lambda key: -len(requests[key]))[:4]
        self.assertGreater(sum(len(requests[key]) for key in largest), 40)
        for key in largest:
            with self.served(*key) as url:
                for verb, query, words in requests[key]:
                    with self.subTest(" ".join(words)):
                        address = f"{url}/api/v1/verbs/{verb}?{urllib.parse.urlencode(query)}"
                        with urllib.request.urlopen(address) as answer:
                            body = answer.read().decode()
                        self.assertEqual(without_times(Result(SimpleNamespace(json=body, text=""))), printed(*words))

    def test_parameters_are_those_of_the_command_line_and_of_python(self):
        with self.served(TREE, "sftree") as url, urllib.request.urlopen(url + "/api/v1/openapi.json") as answer:
            paths = json.load(answer)["paths"]
        tree = fabric(TREE)
        for verb, call in [
            ("load", lambda: fatwood.load(tree, "dmodk", traffic="ring", colour=1)),
            ("worst", lambda: fatwood.worst(tree, "dmodk", colour=1)),
            ("permutations", lambda: fatwood.permutations(tree, "dmodk", colour=1)),
            ("whatif", lambda: fatwood.whatif(tree, "sftree", colour=1)),
            ("job", lambda: fatwood.job(tree, "dmodk", colour=1)),
            ("compare", lambda: fatwood.compare(tree, ["updn+"], colour=1)),
        ]:
            with self.subTest(verb):
                with self.assertRaisesRegex(TypeError, "unknown argument colour") as caught:
                    call()
                python = set(str(caught.exception).split("; there are ")[1].split(", "))
                options = subprocess.run([PROGRAM, verb, "--help-all"], capture_output=True, text=True).stdout
                for name in python:
                    self.assertIn("--" + name.replace("_", "-"), options)
                http = {one["name"] for one in paths[f"/api/v1/verbs/{verb}"]["get"]["parameters"]}
                self.assertTrue(http)
                self.assertLessEqual(http, python)

    def test_errors_name_parameters_as_requests_do(self):
        with self.served(TREE, "sftree") as url:
            for query, message in [
                ("job", "?hosts= is missing"),
                ("job?hosts=all&weight=256", "?weight=256: expected a number from 1 to 255"),
                ("load?traffic=shift:x", "?traffic=shift:x: expected"),
                ("job?hosts=nobody", "?hosts=: no host is called nobody"),
            ]:
                with self.subTest(query), self.assertRaises(urllib.error.HTTPError) as caught:
                    urllib.request.urlopen(f"{url}/api/v1/verbs/{query}")
                self.assertEqual(caught.exception.code, 400)
                self.assertIn(message, json.loads(caught.exception.read())["error"])

    def test_the_state_has_the_figures_of_verify(self):
        for words in ([TREE, "sftree"], ["torus(3,3)", "minhop"], [RUN, RUN], [RUN], [LMC, "updn+"]):
            with self.subTest(words):
                state = self.state(*words)
                verified = printed("verify", *words)
                self.assertEqual(state["loops"], verified["loops"])
                self.assertEqual(state["unreachable_pairs"], verified["unreachable"]["terminal_terminal"])

    def test_without_tables_the_server_routes_by_the_engine_of_check(self):
        for name in (TREE, "torus(3,3)"):
            with self.subTest(name):
                self.assertIn(self.state(name)["routing"], json.dumps(printed("check", name)))


class Node(ctypes.Structure):  # struct fatwood_node
    _fields_ = [
        ("kind", ctypes.c_int),
        ("ports", ctypes.c_uint8),
        ("guid", ctypes.c_uint64),
        ("system_guid", ctypes.c_uint64),
        ("vendor", ctypes.c_uint32),
        ("device", ctypes.c_uint32),
        ("description", ctypes.c_char_p),
    ]


class CInterface(unittest.TestCase):
    """include/fatwood/c.h, of the library that the Python module is linked to."""

    def setUp(self):
        library = Path(fatwood.__file__).resolve().parent.parent.parent / "libfatwood.so"
        if not library.exists():
            self.skipTest("no shared library next to the module")
        self.c = ctypes.CDLL(str(library))
        for name in ("fatwood_fabric_new", "fatwood_route"):
            getattr(self.c, name).restype = ctypes.c_void_p
        self.c.fatwood_engine_name.restype = ctypes.c_char_p
        self.c.fatwood_switch_guid.restype = ctypes.c_uint64
        self.c.fatwood_switch_count.restype = self.c.fatwood_engine_count.restype = ctypes.c_size_t

    def call(self, name, handle, *arguments):
        error = ctypes.create_string_buffer(1024)
        result = getattr(self.c, name)(ctypes.c_void_p(handle), *arguments, error)
        self.assertEqual(error.value, b"", name)
        return result

    def described(self, *words):
        """A fabric as the command line writes it, told to C."""
        done = subprocess.run([PROGRAM, "convert", *words, "--to", "json", "-o", "-"], capture_output=True, check=True)
        read = json.loads(done.stdout)
        fabric, number = self.c.fatwood_fabric_new(), {}
        for node in read["nodes"]:
            kind = {"adapter": 0, "router": 1, "switch": 2}[node["kind"]]
            guid = int(node.get("guid", "0"), 16)
            value = Node(kind, node["ports"], guid, 0, 0, 0, node["id"].encode())
            number[node["id"]] = len(number)
            self.assertEqual(self.call("fatwood_add_node", fabric, ctypes.byref(value)), 0)
            # A formula has no LIDs: number the nodes in their order, as the command line does.
            for port, address, *_ in node.get("addresses") or [[0, node["guid"]]]:
                words = [ctypes.c_uint64(int(address, 16)), ctypes.c_uint16(len(number)), ctypes.c_uint8(0)]
                self.call("fatwood_set_address", fabric, number[node["id"]], ctypes.c_uint8(port), *words)
        for a, port_a, b, port_b, *_ in read["links"]:
            self.call("fatwood_connect", fabric, number[a], ctypes.c_uint8(port_a), number[b], ctypes.c_uint8(port_b))
        return fabric

    def tables_of_c(self, engine, *words):
        """{(GUID of the switch, LID): port}, without entries that are 255."""
        fabric = self.described(*words)
        routes = self.call("fatwood_route", fabric, engine.encode(), None)
        count, size = self.c.fatwood_switch_count(ctypes.c_void_p(routes)), 512
        rows = [ctypes.create_string_buffer(b"\xff" * size, size) for _ in range(count)]
        pointers = (ctypes.c_void_p * count)(*[ctypes.addressof(row) for row in rows])
        self.call("fatwood_write_tables", routes, pointers, ctypes.c_size_t(size))
        guids = [self.c.fatwood_switch_guid(ctypes.c_void_p(routes), ctypes.c_size_t(s)) for s in range(count)]
        self.c.fatwood_routes_free(ctypes.c_void_p(routes))
        self.c.fatwood_fabric_free(ctypes.c_void_p(fabric))
        return {(guid, lid): row.raw[lid] for guid, row in zip(guids, rows) for lid in range(size) if row.raw[lid] != 255}

    def tables_of_command(self, engine, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tables"
            subprocess.run([PROGRAM, "route", *words, engine, "-o", path], capture_output=True, check=True)
            tables, guid = {}, 0
            for line in path.read_text().splitlines():
                word = line.split()
                if line.startswith("Unicast"):
                    guid = int(word[word.index("guid") + 1], 16)
                elif line.startswith("0x"):
                    tables[guid, int(word[0], 16)] = int(word[1])
            return tables

    def test_the_engines_are_those_that_fill_tables(self):
        names = [self.c.fatwood_engine_name(ctypes.c_size_t(i)).decode() for i in range(self.c.fatwood_engine_count())]
        rows = printed("compare", "ft(4,2)", "--all")["engines"]
        self.assertGreater(len(names), 8)
        for row in rows:
            if row["name"] in names:
                self.assertFalse(row["name"].startswith("ar_"))
        self.assertLessEqual({"minhop", "updn", "ftree", "sftree", "even"}, set(names))

    def test_the_tables_are_those_of_the_command_line(self):
        for engine in ("minhop", "sftree", "even"):
            for words in ([TREE], [TREE, *CUT_WORDS]):
                with self.subTest(engine=engine, fabric=words):
                    tables = self.tables_of_c(engine, *words)
                    self.assertGreater(len(tables), 100)
                    self.assertEqual(tables, self.tables_of_command(engine, *words))


if __name__ == "__main__":
    unittest.main()
