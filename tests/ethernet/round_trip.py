#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random Ethernet fabrics, written as each format with noise, and what `fatwood convert` reads of them.

The writers here share nothing with the readers. Noise: reports of one end only, devices in any order, management
ports, sub-interfaces, domains, capital letters, files whose names say nothing. The cables that are read, as pairs of
(device, port), must be those that were written.

  round_trip.py [FIRST SEED] [ROUNDS]
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tarfile
import tempfile

FATWOOD = os.environ.get("FATWOOD", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/src/cli/fatwood"))


class Fabric:
    """Leaves, spines and hosts; `cables` are pairs of (device, port)."""

    def __init__(self, rng, style):
        self.rng, self.style = rng, style
        self.leaves = [f"leaf{i + 1:02}" for i in range(rng.randint(2, 5))]
        self.spines = [f"spine{i + 1:02}" for i in range(rng.randint(1, 4))]
        self.hosts = []
        self.cables = []
        self.used = {}
        for leaf in self.leaves:
            for spine in self.spines:
                for _ in range(rng.randint(1, 2)):
                    self.join(leaf, spine)
            for _ in range(rng.randint(1, 4)):
                host = f"gpu{len(self.hosts) + 1}"
                self.hosts.append(host)
                for _ in range(rng.randint(1, 2)):
                    port = f"ens{self.count(host) + 3}f0np0"
                    self.cables.append(((leaf, self.port(leaf)), (host, port)))
        if len(self.leaves) > 1 and rng.random() < 0.5:
            self.join(self.leaves[0], self.leaves[1])
        self.switches = self.leaves + self.spines
        self.mac = {d: f"02:00:00:00:{i // 256:02x}:{i % 256:02x}" for i, d in enumerate(self.switches + self.hosts)}

    def count(self, device):
        self.used[device] = self.used.get(device, 0) + self.rng.choice([1, 1, 1, 2])
        return self.used[device]

    def port(self, device):
        n = self.count(device)
        if self.style == "split" and device.startswith("leaf"):
            return f"swp{n // 4 + 1}s{n % 4}"
        return {"split": f"swp{n}", "cumulus": f"swp{n}", "sonic": f"Ethernet{4 * n}", "eos": f"Ethernet{n}",
                "slashed": f"Ethernet1/{n}", "junos": f"et-0/0/{n}"}[self.style]

    def join(self, a, b):
        self.cables.append(((a, self.port(a)), (b, self.port(b))))

    def seen_from(self, device):
        for a, b in self.cables:
            if a[0] == device:
                yield a[1], b
            if b[0] == device:
                yield b[1], a


def alias(port):
    """Of SONiC's port: Eth1/1 for Ethernet0."""
    return f"Eth1/{int(port.removeprefix('Ethernet')) // 4 + 1}" if port.startswith("Ethernet") else port


def is_host(device):
    return device.startswith("gpu")


def lldpd(fabric, device, lists):
    rows = []
    seen = [(port, *far) for port, far in fabric.seen_from(device)] + [("eth0", "oob", "swp3")]
    fabric.rng.shuffle(seen)
    for port, peer, far in seen:
        name = fabric.rng.choice([peer, peer + ".dc1.example", peer.upper()]) if peer != "oob" else peer
        system = "Ubuntu 22.04" if is_host(peer) else "Cumulus Linux 5.9"
        chassis = {"id": {"type": "mac", "value": fabric.mac.get(peer, "02:ff:00:00:00:00")}, "descr": system,
                   "capability": [{"type": "Bridge", "enabled": not is_host(peer)}, {"type": "Router", "enabled": True}]}
        end = {"id": {"type": "ifname", "value": far}, "descr": far}
        if fabric.rng.random() < 0.2:
            end = {"id": {"type": "mac", "value": "02:aa:00:00:00:01"}, "descr": far}
        if lists:
            wrap = lambda x: [{k: [{"value": v}] if isinstance(v, str) else [v] if isinstance(v, dict) else v
                               for k, v in x.items()}]
            rows.append({"name": port, "via": "LLDP", "chassis": wrap(chassis | {"name": name}), "port": wrap(end)})
        else:
            rows.append({port: {"via": "LLDP", "chassis": {name: chassis}, "port": end}})
    if lists:
        return json.dumps({"lldp": [{"interface": rows}]}, indent=fabric.rng.choice([None, 2]))
    return json.dumps({"lldp": {"interface": rows if len(rows) != 1 else rows[0]}}, indent=2)


def keyvalue(fabric, device):
    text = ""
    for port, (peer, far) in fabric.seen_from(device):
        text += f"lldp.{port}.via=LLDP\nlldp.{port}.rid=1\nlldp.{port}.chassis.mac={fabric.mac[peer]}\n"
        text += f"lldp.{port}.chassis.name={peer}\nlldp.{port}.port.ifname={far}\nlldp.{port}.port.descr={far}\n"
    return text + "lldp.eth0.via=LLDP\nlldp.eth0.chassis.name=oob\nlldp.eth0.port.ifname=swp1\n"


def lldpctl(fabric, device):
    text = "-" * 79 + "\nLLDP neighbors:\n" + "-" * 79 + "\n"
    for port, (peer, far) in fabric.seen_from(device):
        text += f"Interface:    {port}, via: LLDP, RID: 2, Time: 0 day, 00:06:15\n  Chassis:     \n"
        text += f"    ChassisID:    mac {fabric.mac[peer]}\n    SysName:      {peer}\n    Capability:   Bridge, on\n"
        text += f"  Port:        \n    PortID:       ifname {far}\n    PortDescr:    {far}\n" + "-" * 79 + "\n"
    return text


def eos(fabric, device):
    ports = {"Management1": {"lldpNeighborInfo": []}}
    for port, (peer, far) in fabric.seen_from(device):
        ports[port] = {"lldpNeighborInfo": [{"chassisId": fabric.mac[peer].replace(":", ""), "systemName": peer,
                                             "neighborInterfaceInfo": {"interfaceId": f'"{far}"'}}]}
    return json.dumps({"lldpNeighbors": ports})


def junos(fabric, device):
    rows = []
    for i, (port, (peer, far)) in enumerate(fabric.seen_from(device)):
        rows.append({"lldp-local-interface": [{"data": port}], "lldp-remote-port-id": [{"data": str(500 + i)}],
                     "lldp-remote-port-description": [{"data": far}], "lldp-remote-system-name": [{"data": peer}]})
    return json.dumps({"lldp-neighbors-information": [{"lldp-neighbor-information": rows}]}, indent=1)


def sonic_table(fabric, device):
    rows = [("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")]
    for port, (peer, far) in fabric.seen_from(device):
        rows.append((port, peer, far if is_host(peer) else alias(far), "BR", far))
    width = [max(len(row[i]) for row in rows) for i in range(5)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, width)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * w for w in width))
    return "Capability codes: (R) Router, (B) Bridge, (O) Other\n" + "\n".join(lines) + "\nTotal entries displayed:  9\n"


def config_db(fabric, device, table):
    own = list(fabric.seen_from(device))
    data = {"DEVICE_METADATA": {"localhost": {"hostname": device, "mac": fabric.mac[device]}},
            "PORT": {port: {"alias": alias(port), "speed": "400000"} for port, _ in own}}
    if table == "DEVICE_NEIGHBOR":
        data[table] = {port: {"name": peer, "port": far} for port, (peer, far) in own}
    else:
        data[table] = {port: {"lldp_rem_sys_name": peer, "lldp_rem_port_id": far if is_host(peer) else alias(far),
                              "lldp_rem_port_desc": far} for port, (peer, far) in own}
    if fabric.rng.random() < 0.5:  # as a dump flattens it
        mark = "|" if table == "DEVICE_NEIGHBOR" else ":"
        flat = {f"{t}{mark}{key}": {"type": "hash", "value": row} for t, rows in data.items() for key, row in rows.items()}
        return json.dumps(flat, indent=2)
    return json.dumps(data, indent=4)


def ends(fabric):
    for a, b in fabric.rng.sample(fabric.cables, len(fabric.cables)):
        yield (a, b) if fabric.rng.random() < 0.5 else (b, a)


def dot(fabric):
    text = "graph \"net\" {\n" + "".join(f' "{d}" [function="{"host" if is_host(d) else "leaf"}"]\n' for d in fabric.mac)
    text += "".join(f' "{a[0]}":"{a[1]}" -- "{b[0]}":"{b[1]}" [left_mac="x"]\n' for a, b in ends(fabric))
    return text + f' "{fabric.leaves[0]}":"eth0" -- "oob":"swp1"\n}}\n'


def air(fabric):
    nodes = {d: {"os": "generic/ubuntu2204" if is_host(d) else "cumulus-vx"} for d in fabric.mac}
    links = [[{"node": d, "interface": p} for d, p in cable] for cable in ends(fabric)]
    return json.dumps({"nodes": nodes, "links": links + [[{"node": fabric.leaves[0], "interface": "swp99"}, "exit"]]})


def netq(fabric):
    number = {d: f"node{i}" for i, d in enumerate(fabric.mac)}
    nodes = [{"id": n, "name": d, "tier": -1 if is_host(d) else 1} for d, n in number.items()]
    links = [{"interfaces": [{"node": number[d], "interface": p} for d, p in cable]} for cable in ends(fabric)]
    return json.dumps([{"nodes": [{"compounded_nodes": nodes}], "links": [{"compounded_links": links}]}], indent=2)


def containerlab(fabric):
    text = "name: x\ntopology:\n  nodes:\n"
    text += "".join(f"    {d}:\n      kind: {'linux' if is_host(d) else 'ceos'}\n" for d in fabric.mac)
    text += "  links:\n"
    for a, b in ends(fabric):
        if fabric.rng.random() < 0.5:
            text += f'    - endpoints: ["{a[0]}:{a[1]}", "{b[0]}:{b[1]}"] # a cable\n'
        else:
            text += "    - type: veth\n      endpoints:\n"
            text += "".join(f"        - node: {d}\n          interface: {p}\n" for d, p in (a, b))
    return text


def minigraph(fabric):
    text = "<DeviceMiniGraph xmlns=\"x\">\n<PngDec><DeviceInterfaceLinks>\n"
    for a, b in ends(fabric):
        text += f"<DeviceLinkBase><EndDevice>{b[0]}</EndDevice><EndPort>{b[1]}</EndPort>\n"
        text += f"<StartDevice>{a[0]}</StartDevice><StartPort>{a[1]}</StartPort></DeviceLinkBase>\n"
    text += "</DeviceInterfaceLinks><Devices>"
    text += "".join(f'<Device i:type="{"Server" if is_host(d) else "LeafRouter"}"><Hostname>{d}</Hostname>'
                    f"<ElementType>{'Server' if is_host(d) else 'LeafRouter'}</ElementType></Device>\n" for d in fabric.mac)
    return text + "</Devices></PngDec></DeviceMiniGraph>\n"


def suzieq(fabric):
    text = ""
    for device in fabric.rng.sample(list(fabric.mac), len(fabric.mac)):
        host = is_host(device)
        text += json.dumps([{"status": 0, "cmd": "lldp", "devtype": "linux" if host else "cumulus", "hostname": device,
                             "data": "" if host else lldpd(fabric, device, True)}], indent=4)
    return text


def csv_links(fabric):
    return "StartDevice,StartPort,EndDevice,EndPort,BandWidth,VlanID,VlanMode\n" + \
        "".join(f"{a[0]},{a[1]},{b[0]},{b[1]},400000,1,Access\n" for a, b in ends(fabric))


def csv_netbox(fabric):
    return "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name\n" + \
        "".join(f"{a[0]},dcim.interface,{a[1]},{b[0]},dcim.interface,{b[1]}\n" for a, b in ends(fabric))


def csv_avd(fabric):
    kind = lambda d: "server" if is_host(d) else "spine" if d.startswith("spine") else "l3leaf"
    return "Node Type,Node,Node Interface,Peer Type,Peer Node,Peer Interface\n" + \
        "".join(f"{kind(a[0])},{a[0]},{a[1]},{kind(b[0])},{b[0]},{b[1]}\n" for a, b in ends(fabric))


# Of one file for all, by style of the names.
WHOLE = [("cumulus", dot), ("cumulus", air), ("split", netq), ("split", dot), ("eos", containerlab), ("sonic", minigraph),
         ("cumulus", suzieq), ("sonic", csv_links), ("slashed", csv_netbox), ("eos", csv_avd), ("split", csv_links),
         ("junos", dot)]
# Of one file for each device.
EACH = [("cumulus", lambda f, d: lldpd(f, d, False)), ("split", lambda f, d: lldpd(f, d, True)), ("cumulus", keyvalue),
        ("cumulus", lldpctl), ("eos", eos), ("junos", junos), ("sonic", sonic_table), ("slashed", keyvalue),
        ("sonic", lambda f, d: config_db(f, d, "LLDP_ENTRY_TABLE")), ("sonic", lambda f, d: config_db(f, d, "DEVICE_NEIGHBOR"))]


def check(path, fabric, what):
    done = subprocess.run([FATWOOD, "convert", str(path), "--to", "plan", "--rate", "400", "-o", "read.json"],
                          cwd=path.parent, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{what}: {done.stderr}"
    data = json.loads((path.parent / "read.json").read_text())
    (path.parent / "read.json").unlink()
    canonical = lambda port: port.lower().replace("eth1/", "ethernet1/")
    read = {frozenset((row[side]["device"].lower(), canonical(row[side]["text"])) for side in "ab") for row in data["cables"]}
    written = {frozenset((d, canonical(p)) for d, p in cable) for cable in fabric.cables}
    assert read == written, f"{what}\nnot read: {sorted(map(sorted, written - read))}\nmore: {sorted(map(sorted, read - written))}"
    kinds = {d["name"].lower(): d["kind"] for d in data["devices"]}
    assert all((kinds[d] == "switch") == (not is_host(d)) for d in kinds), f"{what}: {kinds}"
    speeds = {row["rate"] for row in data["cables"]}
    assert speeds == {"400G"}, f"{what}: {speeds}"


def main():
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    for seed in range(first, first + rounds):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for i, (style, write) in enumerate(WHOLE):
                fabric = Fabric(random.Random(f"{seed} {i}"), style)
                (folder / "one").write_text(write(fabric))
                check(folder / "one", fabric, f"{write.__name__} of seed {seed}")
            for i, (style, write) in enumerate(EACH):
                rng = random.Random(f"{seed} each {i}")
                fabric = Fabric(rng, style)
                # Hosts are silent, or some switches are; the rest is one-sided.
                speak = fabric.switches + (fabric.hosts if style == "cumulus" else [])
                seen = folder / f"each{i}"
                seen.mkdir()
                for device in speak:
                    if rng.random() < 0.5:
                        (seen / f"{device}-lldp.json").write_text(write(fabric, device))
                    else:
                        (seen / device).mkdir()
                        (seen / device / "lldp.txt").write_text(write(fabric, device))
                check(seen, fabric, f"{style} {i} of seed {seed}, a folder")
                with tarfile.open(folder / "packed.tar.gz", "w:gz") as packed:
                    packed.add(seen, "all")
                check(folder / "packed.tar.gz", fabric, f"{style} {i} of seed {seed}, an archive")
    print(f"{rounds} rounds of {len(WHOLE) + 2 * len(EACH)} fabrics are read as they were written")


main()
