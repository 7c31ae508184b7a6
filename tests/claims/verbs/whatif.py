# SPDX-License-Identifier: BSD-3-Clause
"""whatif: lost pairs and rates, before a loss, unrepaired, repaired and of every single loss."""
import itertools

import claims
from verbs import repair

SEEDS = 60


def pairs_of(fabric):
    """Ordered pairs of end ports that send to each other."""
    return [pair for a, b in itertools.permutations(claims.hosts(fabric), 2)
            for pair in claims.port_pairs(fabric, a, b)]


def lost(tables, pairs):
    """Pairs that lose packets to some address."""
    def arrive(source, destination):
        return source in tables.peer and destination in tables.peer and all(
            tables.path(source, lid) is not None for lid in tables.lids[destination])
    return sum(not arrive(*pair) for pair in pairs)


def fastest(fabric):
    """What the ports of the fastest adapter carry."""
    rates = fabric.rates()
    return max(sum(rates[end] for end in ports) for ports in claims.hosts(fabric).values())


def check(case):
    fabric = case.fabric
    tables, _ = repair.old_tables(case)
    pairs, speed = pairs_of(fabric), fastest(fabric)
    if len(claims.hosts(fabric)) < 2:
        raise claims.Refused("fewer than two hosts")
    among = ("--among", "all")
    every = repair.answer(case, "whatif", "old", *among, "--top", 0, "--permutations", 0)
    case.equal(every["now"]["pairs_lost"], lost(tables, pairs), "pairs lost now")
    for figures in [every["now"], *every["faults"], *every["put_back"]]:
        case.at_most(figures["gigabits_per_second"] or 0, speed * (1 + 1e-6), "Gb/s and the speed of an adapter")
    after, arguments, words = repair.damage(case)
    losing = [word.replace("--cut", "--lose").replace("--remove", "--lose") for word in arguments]
    printed = repair.answer(case, "whatif", "old", *among, *losing)
    case.equal(printed["before"]["pairs_lost"], every["now"]["pairs_lost"], "pairs lost before")
    tables.fabric, tables.peer = after, after.peers()  # the same entries
    unrepaired = lost(tables, pairs)
    case.equal(printed["unrepaired"]["pairs_lost"], unrepaired, "pairs lost unrepaired")
    for stage in ("before", "unrepaired", "repaired", "rerouted"):
        for rate in ("worst_gbps", "p1_gbps", "median_gbps"):
            if printed[stage]:
                case.at_most(printed[stage][rate] or 0, speed * (1 + 1e-6), "rates and the speed of an adapter")
    if printed["repaired"]:
        repair.answer(case, "repair", *arguments, "old", "-o", "new")
        now = lost(claims.Tables(after, (case.folder / "new").read_text()), pairs)
        case.equal(printed["repaired"]["pairs_lost"], now, "pairs lost repaired")
        for fault in every["faults"]:
            if fault.get("cut") in words or fault.get("remove") in words:
                case.at_most(fault["pairs_lost"], unrepaired, "pairs lost by a repair by levels")
                case.at_most(now, fault["pairs_lost"], "pairs lost by the repair, and by levels")
