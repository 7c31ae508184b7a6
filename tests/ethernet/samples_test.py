# SPDX-License-Identifier: BSD-3-Clause
"""Tables of real software that others published (suzieq, Apache-2.0), where they lie beside the checkout: nine Cumulus
switches of two fabrics. LLDP gives the cables; the servers are silent, so each leaf gets a made host here.

ospf-single: routes between the loopbacks of the spines go down and up again, and can lock up; packets of hosts can't.
dual-bgp: one AS for both spines, no valley; prefixes belong to pairs of leaves (MLAG).
"""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lab import SKIPPED, fatwood

SAMPLES = os.path.join(os.environ.get("FATWOOD_REAL_FABRICS", "/nowhere"), "..", "samples", "ethernet", "suzieq")
HOST_PORT = 9


def records(path):
    """What suzieq kept: JSON arrays, one after the other."""
    with open(path, encoding="utf-8") as file:
        text = file.read().strip()
    decoder = json.JSONDecoder()
    while text:
        found, end = decoder.raw_decode(text)
        yield from found
        text = text[end:].lstrip()


def fabric_of(sample):
    """Our JSON: switches that speak LLDP, the cables between them, and a host on each leaf."""
    links = set()
    names = []
    for record in records(os.path.join(SAMPLES, sample, "lldp.output")):
        if record["cmd"] != "net show lldp json" or not record["data"].strip():
            continue
        names.append(record["hostname"])
        for lldp in json.loads(record["data"]).get("lldp", []):
            for port in lldp.get("interface", []):
                other = port["chassis"][0]["name"][0]["value"]
                there = port["port"][0]["id"][0]["value"]
                if other != record["hostname"] and port["name"].startswith("swp") and there.startswith("swp"):
                    links.add(tuple(sorted([(record["hostname"], int(port["name"][3:])), (other, int(there[3:]))])))
    names = sorted(name for name in names if name.startswith(("leaf", "spine", "exit")))
    links = [link for link in sorted(links) if link[0][0] in names and link[1][0] in names]
    nodes = [{"id": name, "kind": "switch", "ports": HOST_PORT, "guid": hex(0x100 + i),
              "addresses": [[0, hex(0x100 + i), 0, 0]]} for i, name in enumerate(names)]
    rows = [[*one, *other, "4xEDR"] for one, other in links]
    for i, name in enumerate(name for name in names if name.startswith("leaf")):
        nodes.append({"id": f"H{i}", "kind": "adapter", "ports": 1, "guid": hex(0x1000 + 16 * i),
                      "addresses": [[1, hex(0x1001 + 16 * i), 0, 0]]})
        rows.append([f"H{i}", 1, name, HOST_PORT, "4xEDR"])
    return {"format": "fatwood-fabric", "version": 1, "nodes": nodes, "links": rows}


class Samples(unittest.TestCase):
    def verify(self, sample, *words):
        with tempfile.TemporaryDirectory() as folder:
            fabric = os.path.join(folder, "fabric.json")
            with open(fabric, "w", encoding="utf-8") as file:
                json.dump(fabric_of(sample), file)
            routes = os.path.join(folder, "routes")
            os.mkdir(routes)
            for record in records(os.path.join(SAMPLES, sample, "routes.output")):
                with open(os.path.join(routes, record["hostname"] + ".txt"), "w", encoding="utf-8") as file:
                    file.write(record["data"])
            return json.loads(fatwood("verify", fabric, routes, *words, "--json", check=False))

    def test_ospf_locks_up_by_packets_of_switches_only(self):
        found = self.verify("ospf-single")
        self.assertFalse(found["deadlock_free"])
        self.assertTrue(self.verify("ospf-single", "--terminals-only")["deadlock_free"])
        self.assertEqual(found["unreachable"]["terminal_terminal"], 0)
        self.assertEqual(found["unknown"]["terminal_terminal"], 0)
        self.assertEqual(found["unreachable"]["switch_switch"], 0)
        self.assertEqual(found["unknown"]["switch_switch"], 0)
        self.assertEqual(found["loops"], 0)

    def test_files_of_suzieq_as_they_are(self):
        """The cycle goes over the spines, by packets to their loopbacks, and is told by port and prefix."""
        for sample, ports in (("ospf-single", "swp"), ("eos", "Ethernet")):
            folder = os.path.join(SAMPLES, sample)
            found = json.loads(fatwood("verify", folder, os.path.join(folder, "routes.output"), "--json", check=False))
            self.assertEqual([one["deadlock_free"] for one in found["priorities"]], [False])
            cycle = found["priorities"][0]["cycle"]
            self.assertTrue(any(step["channel"].startswith("spine") for step in cycle))
            self.assertTrue(all(f"[{ports}" in step["channel"] and step["prefix"].startswith("10.0.0.") for step in cycle))
            self.assertTrue(found["deadlock_free_packets_of"]["hosts"])

    def test_bgp_is_free(self):
        found = self.verify("dual-bgp")
        self.assertTrue(found["deadlock_free"])
        self.assertEqual(found["unreachable"]["terminal_terminal"], 0)
        self.assertGreater(found["unknown"]["terminal_terminal"], 0)  # prefixes of two leaves
        self.assertEqual(found["loops"], 0)


if __name__ == "__main__":
    if not os.path.isdir(SAMPLES):
        print("skipped: no samples beside the checkout")
        sys.exit(SKIPPED)
    unittest.main()
