# SPDX-License-Identifier: BSD-3-Clause
"""show --improve, whatif's slow cables, and the hosts that limit a job: what is printed is what one gets when the
change is made. Each step is carried out on the file, and measured by compare, whatif and job."""
import json
import re

import claims

SEEDS = 40


def end(text):
    """("S1_0", 3) of "S1_0[3]"."""
    name, port = re.fullmatch(r"(.*)\[(\d+)\]", text).groups()
    return name, int(port)


def damage(case):
    """Cables with other rates, exchanged and taken out; free ports; plain names."""
    fabric, rng = case.fabric, case.rng
    for name, node in fabric.nodes.items():
        if claims.AGGREGATION not in node["description"]:
            node["description"] = name
        if fabric.is_switch(name) and rng.random() < 0.7:
            node["ports"] += rng.randint(1, 2)
    between = fabric.between_switches()
    rng.shuffle(between)
    for cable in between[:rng.randint(0, 2)]:
        cable[4] = "4xDDR"
    rest = between[2:]
    if len(rest) > 3 and rng.random() < 0.5:
        fabric.cables.remove(rest[0])
        rest = rest[1:]
    if len(rest) > 2 and rng.random() < 0.5:
        rest[0][2:4], rest[1][2:4] = rest[1][2:4], rest[0][2:4]
    fabric.write(case.folder / "fabric.json")


def carried_out(case, fabric, out, into):
    """A copy with cables taken out and put in: pairs of ends, and (end, end, rate)."""
    changed = fabric.copy()
    for a, b in out:
        found = [c for c in changed.cables if {(c[0], c[1]), (c[2], c[3])} == {end(a), end(b)}]
        case.equal(len(found), 1, "cable to take out")
        changed.cables.remove(found[0])
    peers = changed.peers()
    for a, b, rate in into:
        for node, port in (end(a), end(b)):
            case.expect((node, port) not in peers, f"port {node}[{port}] is not free")
            case.expect(1 <= port <= changed.nodes[node]["ports"], f"there is no port {node}[{port}]")
        changed.cables.append([*end(a), *end(b), rate])
    return changed


def compared(case, fabric, engine, among):
    """The row of `compare` for this engine; {} if roles of hosts changed, so that it counts others."""
    fabric.write(case.folder / "changed.json")
    printed = json.loads(case.run("compare", "changed.json", "--json"))
    if printed["among"]["adapters"] != among["adapters"]:
        return {}
    return next(row for row in printed["engines"] if row["name"] == engine)


def worth(case, figures):
    """The mean of job efficiency and the worst pair's rate."""
    return (figures["jobs"]["mean"] + figures["worst_gbps"] / claims.usual_rate(case.fabric)) / 2


def check_improve(case):
    printed = case.json("show", "--improve", 2)["improve"]
    steps = [([], [], printed["now"])] + [(s["out"], s["in"], s["then"]) for s in printed["steps"]]
    fabric, last = case.fabric, -1
    for out, into, then in steps:
        fabric = carried_out(case, fabric, out, into)
        if then["jobs"] is None:
            continue
        row = compared(case, fabric, printed["engine"], printed["among"])
        if not row.get("jobs"):
            continue
        for key in ("mean", "worst", "ideal_mean"):
            case.close(then["jobs"][key], row["jobs"][key], "jobs")
        case.close(then["worst_gbps"], row["worst_gbps"], "worst pair")
        case.expect(worth(case, then) > last, "a step loses")
        last = worth(case, then)
    # No single cable of those that a person could replace gives more than the first step.
    if printed["now"]["jobs"] is None:
        return case.json("whatif", printed["engine"], "--top", 0, "--permutations", 0)
    best = worth(case, printed["steps"][0]["then"] if printed["steps"] else printed["now"])
    best += 0 if printed["steps"] else 0.0005
    slow = case.json("whatif", printed["engine"], "--top", 0, "--permutations", 0)
    for one in slow["replace"]:
        changed = carried_out(case, case.fabric, [[one["from"], one["to"]]], [[one["from"], one["to"], one["usual"]]])
        row = compared(case, changed, printed["engine"], printed["among"])
        if not row:
            continue
        case.at_most(worth(case, row), best + 1e-9, "replaced alone, and the best step")
    peers, known = case.fabric.peers(), set()
    for one in slow["put_back"]:
        if "[" not in one["from"] or "[" not in one["to"]:
            continue
        ends = end(one["from"]), end(one["to"])
        pair = ends[0][0], ends[1][0]
        if pair in known or any(e in peers or e[1] > case.fabric.nodes[e[0]]["ports"] for e in ends):
            continue
        known.add(pair)
        rate = next(r for a, _, b, _, r in case.fabric.cables if a == pair[0] or b == pair[0])
        changed = carried_out(case, case.fabric, [], [[one["from"], one["to"], rate]])
        row = compared(case, changed, printed["engine"], printed["among"])
        if row and row["jobs"]:
            case.at_most(worth(case, row), best + 1e-9, "put back alone, and the best step")
    return slow


def check_replace(case, printed):
    slow = printed["replace_slow"]
    case.at_most(len(printed["replace"]), slow, "cables that gain and that are slow")
    for one in printed["replace"]:
        out, into = [[one["from"], one["to"]]], [[one["from"], one["to"], one["usual"]]]
        changed = carried_out(case, case.fabric, out, into)
        changed.write(case.folder / "changed.json")
        then = json.loads(case.run("whatif", "changed.json", printed["engine"], "--top", 0, "--permutations", 0, "--json"))["now"]
        for key in ("worst_gbps", "p1_gbps", "median_gbps", "gigabits_per_second", "pairs_lost", "mload"):
            if key in then:
                case.expect(one[key] == then[key] or abs(one[key] - then[key]) < 1e-6 * abs(then[key]),
                            f"replaced, {key}: printed {one[key]}, then {then[key]}")
                case.checked["replaced"] += 1
    usual = {(end(one["from"]), end(one["to"])): one["rate"] for one in printed["replace"]}
    for cable in case.fabric.cables:
        if ((cable[0], cable[1]), (cable[2], cable[3])) in usual:
            case.equal(usual[(cable[0], cable[1]), (cable[2], cable[3])], cable[4], "rate of a slow cable")


def check_job(case):
    collective = case.rng.choice(("allreduce", "alltoall", "allgather", "sendrecv"))
    engine = case.rng.choice(("minhop", "updn+", "even"))
    arguments = ("--collective", collective, "--message-size", "64M")
    printed = case.json("job", engine, "--hosts", "all", *arguments, codes=(0, 1))
    if printed["unrouted"]:
        return
    for limit in printed.get("limiting_hosts", []):
        rest = [name for name in hosts_in_order(case, engine, arguments) if name not in limit["hosts"]]
        case.equal(len(rest), limit["hosts_left"], "hosts left")
        then = case.json("job", engine, "--hosts", ",".join(rest), *arguments)
        case.close(limit["seconds"], then["seconds"], "seconds without the hosts")
        case.close(limit["busbw"] or 0, then["busbw"] or 0, "busbw without the hosts")
        case.expect(limit["seconds"] < printed["seconds"], "the job is not faster without the hosts")


def hosts_in_order(case, engine, arguments):
    """The hosts of --hosts all, in rank order."""
    case.run("job", "fabric.json", engine, "--hosts", "all", *arguments, "--slurm-hostfile", "order")
    return (case.folder / "order").read_text().split()


def check(case):
    damage(case)
    if len(claims.hosts(case.fabric)) < 3:
        raise claims.Refused("fewer than three hosts")
    check_job(case)
    check_replace(case, check_improve(case))
