# SPDX-License-Identifier: BSD-3-Clause
"""The fabric of docs/ethernet.md, as files of its devices: two rails, each a leaf-spine with two leaves, two spines and
eight GPUs a leaf, joined by nothing; gpu3 has its rails swapped, leaf1 does not use one of its up-links, a spine pauses
one priority only.

    example.py FOLDER
"""
import json
import os
import sys

LEAVES, SPINES, GPUS = 4, 2, 8


def cables():
    """(device, port, device, port), as planned."""
    for leaf in range(1, LEAVES + 1):
        for spine in range(1, SPINES + 1):
            yield f"leaf{leaf}", f"swp{16 + spine}", f"spine{spine}", f"swp{leaf}"
    for gpu in range(1, 2 * GPUS + 1):
        pair = (gpu - 1) // GPUS
        for rail in (1, 2):
            yield f"gpu{gpu}", f"ens{rail}f0np0", f"leaf{2 * pair + rail}", f"swp{(gpu - 1) % GPUS + 1}"


def swapped(cable):
    host, port, leaf, there = cable
    other = {"ens1f0np0": "ens2f0np0", "ens2f0np0": "ens1f0np0"}
    return (host, other[port], leaf, there) if host == "gpu3" else cable


def write(folder, name, value):
    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


def make(folder):
    planned = list(cables())
    write(folder, "topology.dot", "graph g {\n" +
          "".join(f'"{a}":"{p}" -- "{b}":"{q}"\n' for a, p, b, q in planned) + "}\n")
    seen = {}
    for a, p, b, q in map(swapped, planned):
        seen.setdefault(a, []).append((p, b, q))
        seen.setdefault(b, []).append((q, a, p))
    for device, ports in seen.items():
        write(folder, f"lldp/{device}.json", {"lldp": {"interface": [
            {port: {"chassis": {peer: {"id": {"type": "local", "value": peer}}},
                    "port": {"id": {"type": "ifname", "value": there}, "descr": there}}}
            for port, peer, there in sorted(ports)]}})
    for number in range(1, LEAVES + 1):
        routes = [{"dst": f"10.0.{number}.0/24", "dev": "vlan10", "protocol": "kernel", "scope": "link", "flags": []}]
        for other in range(1, LEAVES + 1):
            if other == number:
                continue
            # leaf1 has a session that is down.
            up = [1] if (number, other) == (1, 2) else range(1, SPINES + 1)
            routes.append({"dst": f"10.0.{other}.0/24", "protocol": "bgp", "flags": [],
                           "nexthops": [{"gateway": "169.254.0.1", "dev": f"swp{16 + spine}", "weight": 1,
                                         "flags": ["onlink"]} for spine in up]})
        write(folder, f"routes/leaf{number}.json", routes)
    for number in range(1, SPINES + 1):
        write(folder, f"routes/spine{number}.json", [
            {"dst": f"10.0.{leaf}.0/24", "gateway": "169.254.0.1", "dev": f"swp{leaf}", "protocol": "bgp",
             "flags": ["onlink"]} for leaf in range(1, LEAVES + 1)])
    same = {str(i): str(i) for i in range(8)}
    for name in [f"leaf{i}" for i in range(1, LEAVES + 1)] + [f"spine{i}" for i in range(1, SPINES + 1)]:
        leaf = name.startswith("leaf")
        ports = [f"swp{i}" for i in range(1, 19)] if leaf else [f"swp{i}" for i in range(1, LEAVES + 1)]
        write(folder, f"config/{name}.json", {
            "DEVICE_METADATA": {"localhost": {"hostname": name, "type": "ToRRouter" if leaf else "LeafRouter"}},
            "DSCP_TO_TC_MAP": {"AZURE": {str(i): "3" if i == 26 else "4" if i == 4 else "0" for i in range(64)}},
            "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": same}, "TC_TO_QUEUE_MAP": {"AZURE": same},
            "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": same},
            "PORT_QOS_MAP": {port: {"dscp_to_tc_map": "AZURE", "tc_to_pg_map": "AZURE", "tc_to_queue_map": "AZURE",
                                    "pfc_to_queue_map": "AZURE",
                                    "pfc_enable": "3" if (name, port) == ("spine2", "swp2") else "3,4"}
                             for port in ports}})


if __name__ == "__main__":
    make(sys.argv[1])
