# SPDX-License-Identifier: BSD-3-Clause
"""show: counts; and a formula that is printed without a reserve is the fabric, cable by cable."""
import re

import claims
import fabrics

SEEDS = 300


def canonical(fabric):
    """A fabric up to names: sorted signatures after some rounds of colour refinement."""
    peers = fabric.peers()
    colour = {name: fabric.nodes[name]["kind"] for name in fabric.nodes}
    for _ in range(6):
        ends = {name: [] for name in fabric.nodes}
        for (node, _port), (other, _other) in peers.items():
            ends[node].append(colour[other])
        colour = {name: hash((colour[name], tuple(sorted(ends[name], key=str)))) for name in fabric.nodes}
    return sorted(colour.values())


def formula(text):
    """The fabric of xgft(...) or pgft(...)."""
    numbers = [[int(n) for n in part.split(",")] for part in re.search(r"\((.*)\)", text)[1].split(";")]
    made = fabrics.Fabric(None)
    fabrics.add_tree(made, numbers[1], numbers[2], numbers[3] if len(numbers) > 3 else [1] * numbers[0][0])
    return made


def check(case):
    fabric, printed = case.fabric, case.json("show")
    case.equal(printed["switches"], len(fabric.switches()), "switches")
    case.equal(printed["adapters"], len(fabric.adapters()), "adapters")
    case.equal(printed["terminals"], sum(map(len, claims.terminals(fabric).values())), "terminals")
    case.equal(printed["links"], len(fabric.cables), "links")
    case.equal(sum(level["switches"] for level in printed["levels"]) if printed["levels"] else len(fabric.switches()),
               len(fabric.switches()), "switches of levels")
    text = case.run("show", "fabric.json")
    for odd in ("()", " 0 spine", " 0 core", "under 0 "):
        case.expect(odd not in text, f"empty phrase: {odd!r} in {text}")
    if printed["whole"]:
        trees = re.match(r"These are (\d+)", printed["summary"])
        made = canonical(formula(printed["shape"])) * (int(trees[1]) if trees else 1)
        case.checked["whole"] += 1
        case.expect(sorted(made) == canonical(connected(fabric)), f"whole: {printed['summary']}")


def connected(fabric):
    """Ports that are connected: a shape counts each cable of an adapter, and no aggregation nodes."""
    rest = fabric.copy()
    for name in fabric.adapters():
        rest.remove(name)
        if claims.AGGREGATION not in fabric.nodes[name]["description"]:
            for cable in fabric.cables:
                if name in (cable[0], cable[2]):
                    rest.add("adapter", f"{name}[{cable[1]}]")
                    rest.cables.append([f"{name}[{cable[1]}]", *cable[1:]])
    return rest
