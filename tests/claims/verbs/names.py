# SPDX-License-Identifier: BSD-3-Clause
"""Names: where they repeat, every verb prints the id with them; and every verb finds what is printed."""
import base64
import json
import re
import zlib

import claims

SEEDS = 12

REPEATED = ("Infiniscale-IV Mellanox Technologies", "node", "Mellanox Technologies Aggregation Node", "both")
ENGINES = ("even", "updn", "minhop", "sftree", "nue")


def misname(case):
    """Names that repeat, among switches, among adapters and between them; and names that look like something else."""
    nodes, rng = case.fabric.nodes, case.rng
    switches, adapters = case.fabric.switches(), case.fabric.adapters()
    for name in nodes:
        if rng.random() < 0.6 and claims.AGGREGATION not in nodes[name]["description"]:
            nodes[name]["description"] = REPEATED[0] if case.fabric.is_switch(name) else REPEATED[1]
    for name in rng.sample(switches, 1) + rng.sample(adapters, 1):
        nodes[name]["description"] = REPEATED[3]
    others = list(nodes)
    traps = (rng.choice(others), f"0x{nodes[rng.choice(others)]['guid']:016x}", f"trap ({rng.choice(others)})",
             f"{rng.choice(others)}[1]", "blanks at the end  ", "MF0;leaf:MQM8700/U1")
    for trap in traps:
        if rng.random() < 0.3:
            nodes[rng.choice(others)]["description"] = trap
    case.fabric.write(case.folder / "fabric.json")


def printed_names(case):
    """id: the name that verbs print."""
    dot = case.run("convert", "fabric.json", "--to", "dot")
    return dict(re.findall(r'^ *"([^"]*)" \[label="([^"]*)"\];$', dot, re.MULTILINE))


def accepted(case, name, verb, *arguments, codes=(0, 1)):
    """Runs a verb that is given a name. Refused means that it was not found."""
    try:
        case.run(verb, *arguments, codes=codes)
    except claims.Refused as refused:
        for word in ("called", "no node", "no host", "no cable", "no port", "expected", "has no"):
            case.expect(word not in str(refused), f"{verb} does not accept {name!r}: {refused}")
    case.checked["accepted"] += 1


def found_by_name(case, names):
    """Each printed name finds its own node."""
    for node, name in names.items():
        rest = json.loads(case.run("convert", "fabric.json", "--remove", name, "--to", "json"))
        gone = set(names) - {other["id"] for other in rest["nodes"]}
        case.equal(gone, {node}, "node of a name")


def scan(case, text, what, gone=None):
    """No repeated name without an id, other than in the finding that says so. `gone`: a node that was removed; its name
    identifies the only other node that has it."""
    ids = "|".join(re.escape(node) for node in case.fabric.nodes)
    # Not "node-..." nor "both" in sentences of verbs.
    for name in REPEATED[:1] + REPEATED[2:3]:
        described = [n for n, node in case.fabric.nodes.items() if node["description"] == name and n != gone]
        if len(described) < 2:
            continue
        for found in re.finditer(re.escape(name), text):
            rest = text[found.end():]
            if re.match(rf"\s*\((?:{ids})\)", rest) or re.match(r'\\?": ', rest):
                case.checked["ids"] += 1
                continue
            raise claims.Wrong(f"{what} prints {text[max(0, found.start() - 60):found.end() + 40]!r}")


def outputs(case):
    engine = case.rng.choice(ENGINES)
    other = case.rng.choice(ENGINES)
    switch = case.rng.choice(case.fabric.switches())
    case.run("route", "fabric.json", engine, "-o", "tables", codes=(0, 1))
    case.run("route", "fabric.json", other, "-o", "others", codes=(0, 1))
    commands = [("show", "--all"), ("check",), ("check", "tables"), ("verify", "minhop"), ("verify", engine),
                ("verify", "tables", "--remove", switch), ("load", engine, "--traffic", "alltoall"),
                ("load", engine, "--traffic", "shift:1"), ("worst", engine), ("whatif", engine), ("compare",),
                ("permutations", engine, "--samples", "3"), ("repair", "tables", "--remove", switch),
                ("transition", "tables", "others"), ("job", engine, "--hosts", "all", "--collective", "alltoall"),
                ("sim", engine, "--load", "0.3", "--cycles", "200"), ("route", other), ("diff", "ft(4,2)")]
    for verb, *arguments in commands:
        for form in ([], ["--json"], ["--csv"]):
            if form == ["--csv"] and verb != "whatif":
                continue
            try:
                text = case.run(verb, "fabric.json", *arguments, *form, codes=(0, 1, 3)) + case.errors
            except claims.Refused as refused:
                text = str(refused)
            yield verb, text, switch if "--remove" in arguments else None


def page_names(case):
    """The names in the data of the page. Its texts are scanned like the output of a verb."""
    case.run("report", "fabric.json", "-o", "page.html", codes=(0, 1))
    page = (case.folder / "page.html").read_text(encoding="utf-8")
    scan(case, page, "the page")
    packed = re.search(r'"names": ?"([A-Za-z0-9+/=]+)"', page)
    return zlib.decompress(base64.b64decode(packed[1])).decode().splitlines()


def feed_back(case, names):
    """Printed names of nodes, ports and cables, to the verbs that take names."""
    fabric, rng, file = case.fabric, case.rng, case.folder / "list"
    switches, adapters = fabric.switches(), [a for a in fabric.adapters() if any(a == c[0] or a == c[2] for c in fabric.cables)]
    for node in rng.sample(switches, min(3, len(switches))):
        accepted(case, names[node], "whatif", "fabric.json", "updn", "--lose", names[node])
        accepted(case, names[node], "trace", "fabric.json", "updn", "--from", names[node], "--to", names[switches[0]])
        accepted(case, names[node], "trace", "fabric.json", "updn", "--from", names[node] + "[0]", "--to", names[node])
        file.write_text(names[node] + "\n", encoding="utf-8")
        accepted(case, names[node], "show", "fabric.json", "--roots", "list")
    for node in rng.sample(adapters, min(3, len(adapters))):
        port = next(p for c in fabric.cables for n, p in ((c[0], c[1]), (c[2], c[3])) if n == node)
        accepted(case, names[node], "trace", "fabric.json", "updn", "--from", f"{names[node]}[{port}]", "--to", names[switches[0]])
        file.write_text(names[node] + "\n", encoding="utf-8")
        for option in ("--compute", "--uncounted", "--io", "--order"):
            accepted(case, names[node], "route", "fabric.json", "updn", option, "list")
        if claims.AGGREGATION not in fabric.nodes[node]["description"]:
            accepted(case, names[node], "load", "fabric.json", "updn", "--traffic", "alltoall", "--among", "list")
    if len(adapters) > 1:
        pair = [names[a] for a in rng.sample(adapters, 2)]
        file.write_text(f'"{pair[0]}" "{pair[1]}" 1\n', encoding="utf-8")
        if not any(claims.AGGREGATION in name for name in pair):
            accepted(case, pair, "load", "fabric.json", "updn", "--traffic", "file:list")
            accepted(case, pair, "job", "fabric.json", "updn", "--hosts", ",".join(pair))
    for a, p, b, q, _ in rng.sample(fabric.cables, min(4, len(fabric.cables))):
        near, far = f"{names[a]}[{p}]", f"{names[b]}[{q}]"
        for name in (near, far, f"{near} - {far}", f"{far} -> {near}", f"{near} > {far}", f"{near} on {far}"):
            rest = json.loads(case.run("convert", "fabric.json", "--cut", name, "--to", "json"))
            case.equal(len(rest["links"]), len(fabric.cables) - 1, "cables left")
        accepted(case, near, "whatif", "fabric.json", "updn", "--lose", f"{near} - {far}")
        file.write_text(f'"{near}" 8\n', encoding="utf-8")
        accepted(case, near, "sim", "fabric.json", "updn", "--load", "0.1", "--cycles", "100", "--links", "list")


def check(case):
    misname(case)
    names = printed_names(case)
    case.equal(set(names), set(case.fabric.nodes), "nodes")
    case.equal(len(set(names.values())), len(names), "different names")
    found_by_name(case, names)
    for verb, text, gone in outputs(case):
        scan(case, text, verb, gone)
    case.equal(sorted(page_names(case)), sorted(name for name in names.values()), "names of the page")
    feed_back(case, names)
