# SPDX-License-Identifier: BSD-3-Clause
"""Compares `fatwood counters` with the rules of fatwood-counters(1), written again: quality.py DB_CSV.

Random runs of the small fabric: bit errors, error correction, temperatures and flaps of random ports.
"""

import json
import os
import random
import subprocess
import sys

CABLES = [(("leaf1", 3), ("spine1", 1)), (("leaf1", 4), ("spine2", 1)), (("leaf2", 3), ("spine1", 2)),
          (("leaf2", 4), ("spine2", 2)), (("host1 mlx5_0", 1), ("leaf1", 1)), (("host2 mlx5_0", 1), ("leaf1", 2)),
          (("host3 mlx5_0", 1), ("leaf2", 1)), (("host4 mlx5_0", 1), ("leaf2", 2))]
GUID = {"leaf1": 0x1001, "leaf2": 0x1002, "spine1": 0x2001, "spine2": 0x2002, "host1 mlx5_0": 5, "host2 mlx5_0": 6,
        "host3 mlx5_0": 7, "host4 mlx5_0": 8}
PORTS = [end for cable in CABLES for end in cable]


def section(name, columns, rows):
    return f"START_{name}\n{columns}\n" + "".join(row + "\n" for row in rows) + f"END_{name}\n"


def make_run(folder, base, rng):
    os.makedirs(folder, exist_ok=True)
    ports = {}
    for port in PORTS:
        ports[port] = {
            "symbol": rng.choice([0, 0, 1.5e-254, 3e-14, 2e-11]), "raw": rng.choice([1e-8, 1e-8, 3e-5]),
            "errors": rng.choice([0, 5, None]), "fec": rng.choice(["RS_A"] * 6 + ["RS_B", "N/A"]),
            "celsius": rng.choice([None, 40, 40, 75]), "limit": rng.choice([None, 80, 70]),
            "flaps": rng.choice([0, 0, 3, 12]), "sent": rng.randrange(10**6)}
    row = "SW : 1 : {} : 0x{:x} : {} : {} : 1e-255 : {} : {} : 0 : any"
    with open(f"{folder}/ibdiagnet2.net_dump_ext", "w") as out:
        out.write("Ty : # : #IB : GUID : FEC mode : Raw BER : Effective BER : Symbol BER : Symbol Err : Effective Err : "
                  "Node Desc\n")
        for (node, port), p in ports.items():
            errors = "N/A" if p["errors"] is None else p["errors"]
            out.write(row.format(port, GUID[node], p["fec"], p["raw"], p["symbol"], errors) + "\n")
    with open(f"{folder}/ibdiagnet2.cables", "w") as out:
        for (node, port), p in ports.items():
            out.write(f"-----\nPort={port} Lid=0x1 GUID=0x{GUID[node]:x} Port Name=x\n-----\nVendor: any\n")
            out.write("Temperature: " + ("N/A" if p["celsius"] is None else f"{p['celsius']}C") + "\n")
            if p["limit"]:
                out.write(f"AlarmTemperatureHighThresh: {p['limit']}C\n")
    counters = section("PM_INFO", "NodeGUID,PortGUID,PortNumber,PortXmitDataExtended,LinkDownedCounter",
                       [f"0x{GUID[n]:x},0x{GUID[n]:x},{i},{p['sent']},{p['flaps']}" for (n, i), p in ports.items()])
    with open(f"{folder}/ibdiagnet2.db_csv", "w") as out:
        out.write(base + counters)
    return ports


def expected(ports, flap_limit):
    found = {}
    for cable in CABLES:
        signs = set()
        bad = False
        for end in cable:
            p = ports[end]
            if p["symbol"] > 1e-14 and p["errors"] != 0:
                signs.add(("bit-errors", end))
                bad = bad or p["symbol"] > 1e-12
            if p["raw"] > 1e-5:
                signs.add(("raw-errors", end))
            limit = p["limit"] or 70
            if p["celsius"] and p["celsius"] > limit:
                signs.add(("hot-module", end))
                bad = bad or p["limit"] is not None
            if p["flaps"] > flap_limit:
                signs.add(("flaps", end))
        fec = {ports[end]["fec"] for end in cable} - {"N/A"}
        if len(fec) == 2:
            signs.add(("fec-differs", None))
        if signs:
            found[frozenset(f"{n}[{i}]" for n, i in cable)] = (
                bad, {(s, f"{e[0]}[{e[1]}]" if e else None) for s, e in signs},
                4 * sum(ports[end]["sent"] for end in cable))
    return found


def main():
    base = open(sys.argv[1]).read()
    for seed in range(40):
        ports = make_run("run", base, random.Random(seed))
        extra = ["--flaps", "2"] if seed % 2 else []
        output = subprocess.run([os.environ["FATWOOD"], "counters", "run", "--routing", "updn", "--json", "--top", "99",
                                 *extra], check=True, capture_output=True, text=True).stdout
        cables = json.loads(output)["quality"]["cables"]
        got = {}
        for cable in cables:
            signs = {(e["sign"], None if e["sign"] == "fec-differs" else e["port"]) for e in cable["evidence"]}
            got[frozenset((cable["link"], cable["to"]))] = (cable["severity"] == "bad", signs, cable["bytes"])
        want = expected(ports, 2 if extra else 10)
        assert got == want, (seed, got, want)
        order = [(c["severity"] != "bad", -c["bytes"]) for c in cables]
        assert order == sorted(order), (seed, order)


main()
