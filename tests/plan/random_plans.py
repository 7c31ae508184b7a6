#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random plans, growths and mis-cabled fabrics, recounted here.

What `fatwood plan` and `fatwood diff` say is compared with a model of its own: ports and cables as a dictionary. Steps of
a growth and moves of a diff are carried out on it, cable by cable; cables, bill, free ports, connected hosts and faults
are counted again. Nothing of Fatwood is used but its output files.

  random_plans.py [plans|growths|diffs] [FIRST SEED] [ROUNDS]
"""
import collections
import csv
import io
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

FATWOOD = os.environ.get("FATWOOD", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/src/cli/fatwood"))


def run(folder, *words, status=(0,)):
    done = subprocess.run([FATWOOD, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode in status, f"status {done.returncode} of fatwood {' '.join(map(str, words))}\n{done.stderr}"
    return done


class Plan:
    """A plan.json: devices by name, cables as pairs of (device, text of the port)."""

    def __init__(self, path):
        data = json.loads(pathlib.Path(path).read_text())
        self.devices = {d["name"]: d for d in data["devices"]}
        assert len(self.devices) == len(data["devices"]), "a name twice"
        self.rows = data["cables"]
        self.peer = {}
        for row in self.rows:
            ends = [(row[e]["device"], row[e]["text"]) for e in "ab"]
            for here, there in (ends, ends[::-1]):
                assert here not in self.peer, f"port {here} twice"
                self.peer[here] = there

    def is_host(self, name):
        return self.devices[name]["kind"] == "host"

    def role(self, name):
        return "host" if self.is_host(name) else self.devices[name]["role"]

    def hosts(self):
        return [name for name in self.devices if self.is_host(name)]


def components(peer, devices):
    """The component of each device that has a cable, over switches: hosts do not forward."""
    near = collections.defaultdict(set)
    for (a, _), (b, _) in peer.items():
        near[a].add(b)
    found = {}
    for start in devices:
        if start in found or devices[start]["kind"] == "host":
            continue
        queue = [start]
        found[start] = start
        for one in queue:
            for other in near[one]:
                if devices[other]["kind"] != "host" and other not in found:
                    found[other] = start
                    queue.append(other)
    return found


def parts_of_hosts(peer, devices):
    """By host: the components that its cables lead to."""
    part = components(peer, devices)
    parts = collections.defaultdict(set)
    for (a, _), (b, _) in peer.items():
        if devices[a]["kind"] == "host":
            parts[a].add(part[b])
    return parts


# --- plans ---
def random_request(r):
    rails = r.choice([1, 1, 2, 2, 3, 4])
    ports = r.choice([1, 1, 1, 2])
    split = r.choice([1, 1, 1, 2, 2, 4])
    rate = r.choice([100, 200, 400] if split == 1 else [100, 200] if split == 2 else [100])
    words = ["--hosts", r.randint(1, 140), "--rails", rails, "--adapter-ports", ports, "--rate", rate]
    radix = r.choice([8, 12, 16, 20, 24, 36, 40, 64])
    words += ["--radix", radix]
    if split > 1:
        words += ["--split", split]
    if r.random() < 0.15:
        chip = r.choice([8, 12, 16])
        words += ["--spine-radix", f"{chip * chip // 2}:{chip}"]
    if r.random() < 0.4:
        words += ["--oversubscription", f"{r.randint(1, 4)}:{r.randint(1, 3)}"]
    if r.random() < 0.3:
        words += ["--unit", r.randint(1, 40)]
    if r.random() < 0.4:
        kinds = r.sample(["storage", "management", "gateway", "spare"], r.randint(1, 3))
        words += ["--reserve", ",".join(f"{kind}={r.randint(1, 3 if kind == 'spare' else 9)}" for kind in kinds)]
    if r.random() < 0.3:
        words += ["--growth", r.randint(1, 60)]
    if r.random() < 0.3:
        words.append("--twin")
    if r.random() < 0.2:
        words += ["--planes", r.choice([p for p in (1, 2, 3, 4) if rails * ports % p == 0])]
    if r.random() < 0.1:
        words.append("--unit-spine")
    return words


def cables_of(bill):
    return [(line["item"], line["count"]) for line in bill if line["length_m"] is not None]


def recounted(plan, split, twin):
    """Cables by type and length."""
    count, splitters, links = collections.Counter(), {}, collections.defaultdict(list)
    for row in plan.rows:
        ends = [(row[e]["device"], row[e]["text"]) for e in "ab"]
        roles = tuple(sorted(plan.role(device) for device, _ in ends))
        kind = (row["length_m"], row["type"])
        if split > 1 and "host" in roles:
            device, text = next(end for end in ends if not plan.is_host(end[0]))
            port = (device, text.rsplit("/", 1)[0])
            splitters[port] = max(splitters.get(port, (0, "")), kind)
        else:
            links[roles].append(kind)
    for length, kind in splitters.values():
        count[f"{kind} {length:g} m"] += 1
    for level in links.values():
        for length, kind in sorted(level, reverse=True)[:: 2 if twin else 1]:
            count[f"{kind} {length:g} m"] += 1
    return count


def value(words, option, other):
    return words[words.index(option) + 1] if option in words else other


def check_plan(seed, folder):
    r = random.Random(seed)
    words = random_request(r)
    done = run(folder, "plan", *words, "--figures", "none", "--json", status=(0, 2))
    if done.returncode == 2:
        assert "Traceback" not in done.stderr and len(done.stderr) > 10
        return False
    split, twin = value(words, "--split", 1), "--twin" in words
    choices = json.loads(done.stdout)["choices"]
    for one in choices:
        total = sum(count for _, count in cables_of(one["bill"]))
        assert total == one["all_cables"], f"all_cables {one['all_cables']}, bill {total}: {one['name']}"
        assert sum(one["switches"]) == one["all_switches"]
        if not twin:
            assert one["all_cables"] == sum(one["cables"]) + sum(level["joined"] for level in one["by_level"])
    one = r.choice(choices)
    run(folder, "plan", *words, "--figures", "none", "--choose", one["number"], "-o", "made")
    plan = Plan(folder / "made/plan.json")
    # Devices and links.
    roles = collections.Counter(plan.role(name) for name in plan.devices)
    assert [roles[level["role"]] for level in one["by_level"]] == one["switches"]
    compute = [d for d in plan.devices.values() if d["kind"] == "host" and d["role"] == "compute"]
    assert len(compute) == value(words, "--hosts", 0)
    links, ends = collections.Counter(), collections.Counter()
    used = collections.defaultdict(set)
    order = {"host": 0, "leaf": 1, "spine": 2, "core": 3}
    for row in plan.rows:
        a, b = sorted((plan.role(row[e]["device"]) for e in "ab"), key=order.get)
        links[a, b] += 1
        for e in "ab":
            device = row[e]["device"]
            if plan.is_host(device):
                ends[device] += 1
                continue
            other = row["b" if e == "a" else "a"]["device"]
            text = row[e]["text"]
            used[device].add(text.rsplit("/", 1)[0] if split > 1 and plan.is_host(other) else text)
    assert all(ends[d["name"]] == value(words, "--rails", 1) * value(words, "--adapter-ports", 1) for d in compute)
    below = "host"
    for level in one["by_level"]:
        role = level["role"]
        assert links[below, role] == level["links"], f"links of {role}"
        assert (links[role, role] if role != below else 0) == level["joined"]
        below = role
        ports = 0
        for d in plan.devices.values():
            if d["role"] != role or d["kind"] == "host":
                continue
            cards = [chip for chip in d["chips"] if chip["name"].startswith("L")]
            ports += sum(chip["ports"] // 2 for chip in cards) if cards else int(d["model"].split("-")[0])
        free = ports - sum(len(used[name]) for name in plan.devices if plan.role(name) == role)
        assert free == level["free_ports"], f"free ports of {role}: {free}, said {level['free_ports']}"
    # The bill, three times.
    mine = recounted(plan, split, twin)
    assert mine == collections.Counter(dict(cables_of(one["bill"]))), f"bill {one['bill']}, counted {mine}"
    rows = list(csv.DictReader(io.StringIO((folder / "made/bill.csv").read_text())))
    assert [(row["item"], int(row["count"])) for row in rows] == [(x["item"], x["count"]) for x in one["bill"]]
    if not twin:
        again = json.loads(run(folder, "plan", "--from", "made/plan.json", "--json").stdout)
        assert cables_of(x for x in again["bill"] if x["length_m"]) == cables_of(one["bill"]), "bill of --from"
    length = sum(float(row["length_m"] or 0) * int(row["count"]) for row in rows)
    assert abs(length - one["cable_m"]) < 1e-6 * max(1, length)
    # Every plane connects its hosts.
    parts = parts_of_hosts(plan.peer, plan.devices)
    planes = one["planes"]
    assert len(set().union(*parts.values())) == planes or len(parts) == 1
    assert all(len(parts[d["name"]]) == planes for d in compute)
    return True


# --- growths ---
def rows_of(path):
    rows = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(pathlib.Path(path).read_text())):
        rows[int(row["step"])].append(row)
    return rows


def carry_out(peer, rows):
    """Does the rows of a step, one after the other."""
    def end(row, which):
        return row[f"{which}device" if which == "was_" else f"device_{which}"], \
            row[f"{which}port" if which == "was_" else f"port_{which}"]

    def unplug(a, b):
        assert peer.get(a) == b, f"no cable from {a} to {b}"
        del peer[a], peer[b]

    def plug(a, b):
        assert a not in peer and b not in peer, f"{a} or {b} is in use"
        peer[a], peer[b] = b, a

    for row in rows:
        a, b, was = end(row, "a"), end(row, "b"), end(row, "was_")
        if row["do"] == "unplug":
            unplug(a, b)
        elif row["do"] == "move":
            unplug(a, was)
            plug(a, b)
        else:
            assert row["do"] == "plug"
            plug(a, b)


def without(peer, rows):
    """The state of a step in which all that it unplugs or moves is out."""
    state = dict(peer)
    for row in rows:
        if row["do"] == "plug":
            continue
        a = row["device_a"], row["port_a"]
        del state[state[a]]
        del state[a]
    return state


def shape_of(plan):
    """By device: its role and how many cables it has to devices of each role. Names can differ."""
    count = collections.defaultdict(collections.Counter)
    for a, b in plan.peer.items():
        count[a[0]][plan.role(b[0])] += 1
    return collections.Counter((plan.role(name), tuple(sorted(roles.items()))) for name, roles in count.items())


def check_growth(seed, folder):
    r = random.Random(seed)
    rails = r.choice([1, 2, 2, 3, 4])
    base = ["--rails", rails, "--rate", 200, "--radix", r.choice([8, 12, 16, 24, 36]), "--figures", "none"]
    if r.random() < 0.8:
        base += ["--planes", r.choice([1, rails])]
    few = r.randint(2, 40)
    many = few + r.randint(0, 40)
    before = base + (["--oversubscription", r.choice(["2:1", "1:1", "3:2"])] if r.random() < 0.5 else [])
    after = base + (["--oversubscription", r.choice(["2:1", "1:1", "3:2"])] if r.random() < 0.5 else [])
    if r.random() < 0.3:
        after += ["--reserve", f"storage={r.randint(1, 6)}"]
    if r.random() < 0.3:
        after += ["--unit", r.randint(2, 12)]
    if r.random() < 0.2:
        before, after = before + ["--split", 2], after + ["--split", 2]
    found = []
    for words, hosts in ((before, few), (after, many)):
        done = run(folder, "plan", "--hosts", hosts, *words, "--json", status=(0, 2))
        if done.returncode == 2:
            return False
        found.append(r.choice(json.loads(done.stdout)["choices"])["number"])
    run(folder, "plan", "--hosts", few, *before, "--choose", found[0], "-o", "old")
    run(folder, "plan", "--hosts", many, *after, "--choose", found[1], "-o", "wanted")
    at_once = ["--at-once", r.randint(1, 100)] if r.random() < 0.5 else []
    words = ["plan", "--hosts", many, *after, "--choose", found[1], "--grow", "old/plan.json", *at_once]
    done = run(folder, *words, "--steps", "steps.csv", "-o", "new", "--json", status=(0, 1))
    said = json.loads(done.stdout)
    text = run(folder, *words, status=(0, 1)).stdout
    assert text.startswith("SAFE") == said["safe"] == (done.returncode == 0), "verdict"
    old, new, wanted = Plan(folder / "old/plan.json"), Plan(folder / "new/plan.json"), Plan(folder / "wanted/plan.json")
    assert shape_of(new) == shape_of(wanted), "another tree"
    peer = dict(old.peer)
    steps = rows_of(folder / "steps.csv")
    counts = collections.Counter(row["do"] for row in itertools.chain(*steps.values()))
    assert counts["move"] == said["cables_moved"], f"{counts}, moved {said['cables_moved']}"
    assert counts["move"] + counts["unplug"] == said["cables_unplugged"]
    assert counts["move"] + counts["plug"] == said["cables_plugged"]
    assert said["cables_kept"] + said["cables_unplugged"] == len(old.rows)
    assert f"({said['cables_moved']} of them moved by one end)" in text
    devices = {**old.devices, **new.devices}
    was = parts_of_hosts(old.peer, devices)
    stays = [host for host in was if any(end[0] == host for end in new.peer)]
    off = set()
    for number, step in enumerate(said["steps"], 1):
        rows = steps[number]
        assert [row["do"] for row in rows] == [action["do"] for action in step["actions"]]
        worst = without(peer, rows)
        dark = {host for host in stays if all(end[0] != host for end in worst)}
        assert dark == set(step["hosts_off"]), f"step {number}: off {dark}, said {step['hosts_off']}"
        off |= dark
        if said["safe"]:
            single = {host for host in dark if sum(end[0] == host for end in old.peer) == 1}
            assert dark == single, f"step {number} takes all cables of {dark - single}"
            now = parts_of_hosts(worst, devices)
            # Hosts that had a plane in common have one.
            kinds = {(frozenset(was[host]), frozenset(now[host])) for host in stays if host not in dark}
            assert all(a[1] & b[1] for a, b in itertools.product(kinds, kinds) if a[0] & b[0]), f"step {number} parts hosts"
        carry_out(peer, rows)
    assert off == set(said["hosts_off"])
    if said["safe"] and not off:
        assert "keeps all hosts connected, and" in text
    assert peer == new.peer, "the steps lead elsewhere"
    return True


# --- diffs ---
class Fabric:
    """A small fabric of leaves, spines and hosts; ports are (node, number)."""

    def __init__(self, r):
        self.r = r
        self.switches = {}  # ports
        self.adapters = {}  # (host, device): ports
        self.peer = {}
        leaves, spines, hosts = r.randint(2, 4), r.randint(1, 3), r.randint(3, 6)
        ports = r.choice([1, 1, 2])
        style = r.choice(["ibp{}s0f{}", "mlx5_{}"])
        for i in range(leaves + spines):
            self.switches[f"leaf{i}" if i < leaves else f"spine{i}"] = 64
        names = list(self.switches)
        rails = r.randint(1, leaves)
        for h in range(leaves * hosts):
            for rail in range(rails):
                device = style.format(11 + 64 * rail, r.choice([0, 1])) if "ib" in style else style.format(rail)
                node = (f"h{h}", device)
                self.adapters[node] = ports
                for port in range(1, ports + 1):
                    self.join((node, port), self.free(names[(h + rail + port) % leaves]))
        for leaf, spine in itertools.product(names[:leaves], names[leaves:]):
            for _ in range(r.randint(1, 2)):
                self.join(self.free(leaf), self.free(spine))

    def free(self, switch):
        return next((switch, port) for port in range(1, 65) if (switch, port) not in self.peer)

    def any_free(self):
        switch = self.r.choice(list(self.switches))
        ports = [(switch, p) for p in range(1, 65) if (switch, p) not in self.peer]
        return self.r.choice(ports)

    def join(self, a, b):
        assert a not in self.peer and b not in self.peer
        self.peer[a], self.peer[b] = b, a

    def part(self, a):
        b = self.peer.pop(a)
        del self.peer[b]
        return b

    def cables(self):
        return {frozenset((a, b)) for a, b in self.peer.items()}

    def write_plan(self, path):
        def end(port):
            node, number = port
            if isinstance(node, str):
                return {"device": node, "port": number, "text": f"Port {number}"}
            text = node[1] if self.adapters[node] == 1 else f"{node[1]}/{number}"
            return {"device": node[0], "chip": node[1], "port": number, "text": text}
        hosts = collections.defaultdict(list)
        for host, device in self.adapters:
            hosts[host].append({"name": device, "ports": self.adapters[host, device]})
        devices = [{"name": name, "kind": "switch", "chips": [{"name": "", "ports": n}]}
                   for name, n in self.switches.items()]
        devices += [{"name": host, "kind": "host", "chips": chips} for host, chips in hosts.items()]
        rows = [{"a": end(a), "b": end(b), "rate": "4xHDR"} for a, b in map(tuple, sorted(self.cables(), key=sorted_key))]
        path.write_text(json.dumps({"format": "fatwood-plan", "version": 1, "devices": devices, "cables": rows}))
        self.text = {}
        for a, b in self.peer.items():
            for port in (a, b):
                one = end(port)
                self.text[f"{one['device']} {one['text']}"] = port

    def write_found(self, path):
        nodes = sorted({port[0] for port in self.peer}, key=str)
        guid = {node: 0x1000 + 16 * i for i, node in enumerate(nodes)}

        def name(node):
            return node if isinstance(node, str) else " ".join(node)

        def tag(node):
            return f"{'S' if isinstance(node, str) else 'H'}-{guid[node]:016x}"
        lines = []
        for node in nodes:
            switch = isinstance(node, str)
            count = 64 if switch else self.adapters.get(node, 1)
            lines += ["vendid=0x2c9", "devid=0xd2f0" if switch else "devid=0x101b", f"sysimgguid=0x{guid[node]:x}",
                      f"switchguid=0x{guid[node]:x}({guid[node]:x})" if switch else f"caguid=0x{guid[node]:x}"]
            lines.append(f'Switch\t{count} "{tag(node)}"\t\t# "{name(node)}" base port 0 lid {guid[node] // 16 - 255} lmc 0'
                         if switch else f'Ca\t{count} "{tag(node)}"\t\t# "{name(node)}"')
            for (here, port), (there, other) in sorted(self.peer.items(), key=str):
                if here != node:
                    continue
                mine = "" if switch else f"({guid[node] + port:x})"
                theirs = "" if isinstance(there, str) else f"({guid[there] + other:x})"
                lid = guid[there] // 16 - 255 if switch else guid[node] // 16 - 255
                lines.append(f'[{port}]{mine}\t"{tag(there)}"[{other}]{theirs}\t\t# lid {lid} lmc 0 "{name(there)}" '
                             f"lid {guid[there] // 16 - 255} 4xHDR" if not switch else
                             f'[{port}]\t"{tag(there)}"[{other}]{theirs}\t\t# "{name(there)}" lid {lid} 4xHDR')
            lines.append("")
        path.write_text("\n".join(lines))


def sorted_key(cable):
    return sorted(map(str, cable))


def damage(r, fabric):
    """Mistakes of installers; some at the same ports."""
    for _ in range(r.randint(1, 5)):
        kind = r.choice(["lose", "move", "move", "swap", "extra", "stranger", "stranger", "function", "host end"])
        a = r.choice(sorted(fabric.peer, key=str))
        if kind == "lose":
            fabric.part(a)
        elif kind == "move":
            free = fabric.any_free()
            fabric.join(fabric.part(a), free)
        elif kind == "swap":
            b = fabric.peer[a]
            c = r.choice(sorted(fabric.peer, key=str))
            d = fabric.peer[c]
            if len({a, b, c, d}) == 4:
                fabric.part(a), fabric.part(c)
                fabric.join(a, d), fabric.join(c, b)
        elif kind == "extra":
            one, other = fabric.any_free(), fabric.any_free()
            if one != other:
                fabric.join(one, other)
        elif kind == "stranger":
            # Sometimes where a planned cable was.
            node = (f"stranger{len(fabric.adapters)}", "mlx5_0")
            port = fabric.any_free()
            if r.random() < 0.6:
                free = fabric.any_free()
                switch = a if isinstance(a[0], str) else fabric.peer[a]
                other = fabric.part(switch)
                if other != free and free != switch:
                    fabric.join(other, free)
                port = switch
            fabric.adapters[node] = 1
            fabric.join((node, 1), port)
        elif kind in ("function", "host end"):
            host = a if not isinstance(a[0], str) else fabric.peer[a]
            if isinstance(host[0], str) or "ib" not in host[0][1]:
                continue
            name, device = host[0]
            node = (name, device[:-1] + ("0" if device.endswith("1") else "1"))
            if node in fabric.adapters:
                continue
            switch = fabric.part(host)
            fabric.adapters[node] = fabric.adapters[host[0]]
            fabric.join((node, host[1]), switch if kind == "function" else fabric.any_free())


def least_moves(missing, extra):
    """Missing and extra cables make paths and cycles; on each the larger number counts."""
    at = collections.defaultdict(list)
    for cable in missing | extra:
        for port in cable:
            at[port].append(cable)
    seen, total = set(), 0
    for cable in missing | extra:
        if cable in seen:
            continue
        queue = [cable]
        seen.add(cable)
        for one in queue:
            for other in itertools.chain(*(at[port] for port in one)):
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        total += max(sum(c in missing for c in queue), sum(c in extra for c in queue))
    return total


def check_diff(seed, folder):
    r = random.Random(seed)
    plan = Fabric(r)
    plan.write_plan(folder / "plan.json")
    planned = plan.cables()
    found = plan  # the same nodes, from here on as built
    damage(r, found)
    built = found.cables()
    found.write_found(folder / "found.txt")
    done = run(folder, "diff", "plan.json", "found.txt", "--json", status=(0, 1, 3))
    said = json.loads(done.stdout)
    alive = {port[0] if isinstance(port[0], str) else port[0][0] for port in found.peer}
    unknown = {cable for cable in planned for port in cable
               if (port[0] if isinstance(port[0], str) else port[0][0]) not in alive}
    missing = planned - built - unknown
    extra = built - planned
    progress = said["progress"]
    assert progress["right"] == len(planned & built), f"right {progress['right']}, is {len(planned & built)}"
    assert progress["unknown"] == len(unknown), f"unknown {progress['unknown']}, are {len(unknown)}"
    assert progress["wrong"] + progress["missing"] == len(missing)
    kinds = collections.Counter(fault["kind"] for fault in said["faults"])
    assert not kinds["swapped_devices"] and not kinds["swapped_racks"], "nothing is exchanged"
    least = least_moves(missing, extra)
    assert said["moves_needed"] == least, f"moves_needed {said['moves_needed']}, least {least}"
    assert len(said["moves"]) + kinds["missing_cable"] == said["moves_needed"]
    assert sum(len(fault["moves"]) for fault in said["faults"]) == len(said["moves"])
    # Carry them out.
    label = {}
    for port in found.peer:
        node, number = port
        label[f"{node if isinstance(node, str) else ' '.join(node)}[{number}]"] = port
    for name, ports in itertools.chain(found.switches.items(), found.adapters.items()):
        for number in range(1, ports + 1):
            label[f"{name if isinstance(name, str) else ' '.join(name)}[{number}]"] = (name, number)
    held = []
    for move in said["moves"]:
        stays, start = label[move["stays"]], label[move["from"]]
        assert found.peer.get(stays) == start, f"no cable from {stays} to {start}"
        found.part(stays)
        if move["to"] is None:
            continue
        to = label.get(move["to"]) or plan.text[move["to"]]
        if to in found.peer:
            held.append((stays, to))
        else:
            found.join(stays, to)
    for stays, to in held:
        assert to not in found.peer, f"{to} is still in use"
        found.join(stays, to)
    for fault in said["faults"]:
        if fault["kind"] == "missing_cable":
            for ends in fault["ends"]:
                a, b = (plan.text[f"{end['device']} {end['port']}"] for end in ends)
                assert a not in found.peer and b not in found.peer, f"{a} or {b} is in use"
                found.join(a, b)
    assert found.cables() == planned - unknown, "the moves lead elsewhere"
    return True


CHECKS = {"plans": check_plan, "growths": check_growth, "diffs": check_diff}


def main(words):
    names = [words[0]] if words else list(CHECKS)
    first = int(words[1]) if len(words) > 1 else 1
    rounds = int(words[2]) if len(words) > 2 else 25
    failed = 0
    for name in names:
        made = 0
        for seed in range(first, first + rounds):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    made += CHECKS[name](seed, pathlib.Path(folder))
                except (AssertionError, KeyError, subprocess.TimeoutExpired) as error:
                    failed += 1
                    print(f"{name} {seed}: {type(error).__name__} {error}", flush=True)
        print(f"{name}: {made} of {rounds} requests made something")
        failed += made * 2 < rounds
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
