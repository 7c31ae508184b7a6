# SPDX-License-Identifier: BSD-3-Clause
"""The commands of docs/ethernet.md, one for each of the eight questions, on the fabric of example.py: each is run as it
is written there, and its answer is looked at as JSON."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import example

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "ethernet.md")


def commands():
    """By number of the question: the words after `fatwood`."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    found = {}
    for number, section in re.findall(r"^## (\d)\. (.*?)(?=^## )", text, re.S | re.M):
        found[int(number)] = [shlex.split(line) for line in re.findall(r"^    \$ fatwood (.*)$", section, re.M)]
    return found


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        example.make(cls.folder.name)
        cls.commands = commands()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def ask(self, number, which=0, status=0):
        words = self.commands[number][which]
        run = [subprocess.run([os.environ["FATWOOD"], *words, *more], capture_output=True, text=True, check=False,
                              cwd=self.folder.name) for more in ([], ["--json"])]
        self.assertEqual([one.returncode for one in run], [status, status], run[0].stdout + run[0].stderr)
        self.assertTrue(run[0].stdout)
        return json.loads(run[1].stdout)

    def test_all_are_there(self):
        self.assertEqual(sorted(self.commands), list(range(1, 9)))
        self.assertTrue(all(self.commands.values()))

    def test_1_what_is_cabled(self):
        self.assertEqual([one["kind"] for one in self.ask(1, status=1)["faults"]], ["exchanged_rails"])

    def test_2_does_every_prefix_arrive(self):
        found = self.ask(2, status=1)
        self.assertEqual(found["unreachable"]["terminal_terminal"], 0)
        self.assertEqual(found["classes"], 4)
        self.assertEqual(found["narrow_groups"], [{"switch": "leaf1", "prefix": "10.0.2.0/24", "used": ["leaf1[swp17]"],
                                                   "missing": ["leaf1[swp18]"]}])

    def test_3_can_it_lock_up(self):
        settled, transient = self.ask(3), self.ask(3, 1)
        self.assertEqual((settled["state"], settled["lock_up"]), ("settled", 0))
        self.assertEqual(transient["state"], "transient")
        cables = [one for one in transient["faults"] if "cut" in one]
        self.assertEqual(transient["protocol"], "ospf")
        self.assertEqual([one["deadlock_free"] for one in cables], [False] * 8)
        self.assertTrue(all(step["prefix"].startswith("10.0.") for one in cables for step in one["cycle"]))

    def test_4_polarised_tiers(self):
        found = self.ask(4)["hashed"]
        self.assertEqual(found["hash"], "config")
        self.assertEqual([one["level"] for one in found["rows"][0]["up_links"]], [1])
        own = self.ask(4, 1)["hashed"]["rows"][0]["up_links"]
        same = self.ask(4, 2)["hashed"]["rows"][0]["up_links"]
        self.assertGreater(same[1]["unused"], own[1]["unused"] + 0.2)

    def test_5_how_many_queue_pairs(self):
        self.assertGreater(self.ask(5)["jobs"][0]["slowdown"], 0.9)
        self.assertGreater(self.ask(5, 1)["hashed"]["queue_pairs_needed"], 1)

    def test_6_where_a_queue_pair_goes(self):
        found = self.ask(6)
        self.assertTrue(found["reached"])
        self.assertEqual([len(one["ports"]) for one in found["steps"]], [2, 1, 1, 1])
        hops = self.ask(6, 1)["hops"]
        self.assertEqual((hops[0]["from"], hops[-1]["to"]), ("gpu1 ens1f0np0", "gpu9 ens1f0np0"))

    def test_7_who_stops(self):
        found = self.ask(7)
        self.assertEqual([(one["name"], one["stops"]) for one in found["jobs"]], [("a", True), ("b", False)])
        self.assertTrue(found["stopped"])

    def test_8_do_settings_agree(self):
        found = self.ask(8, status=1)
        self.assertTrue(found["priorities_given"])
        self.assertEqual([one["priority"] for one in found["priorities"]], [3, 4])
        self.assertEqual([(one["kind"], one["from"], one["to"], one["values"]) for one in found["pfc_mismatches"]
                          if one["kind"] == "pfc"], [("pfc", "leaf2[swp18]", "spine2[swp2]", [4])])


if __name__ == "__main__":
    unittest.main()
