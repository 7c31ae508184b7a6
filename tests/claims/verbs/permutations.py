# SPDX-License-Identifier: BSD-3-Clause
"""permutations: all shifts, one by one; and the mean over all permutations of few hosts."""
import itertools
import math

import claims
from claims import Fraction

SEEDS = 60


def largest(tables, pairs):
    load = claims.loads(tables, {(a, b): 1 for a, b in pairs if a != b})
    return max(claims.weighed(tables.fabric, load).values(), default=Fraction(0))


def check(case):
    fabric = case.fabric
    engine = case.rng.choice(claims.TABLE_ENGINES)
    lmc = ["--lmc", case.rng.choice((0, 0, 1))] if engine[:4] not in ("bfot", "lash", "dmod") else []
    tables = case.route(engine, *lmc)
    names = sorted(claims.hosts(fabric), key=lambda name: min(tables.lids[end][0] for end in claims.hosts(fabric)[name]))
    printed = case.json("permutations", "tables", "--shifts")["results"][0]
    count = len(names)
    loads = [largest(tables, [(names[i], names[(i + k) % count]) for i in range(count)]) for k in range(1, count)]
    case.equal(Fraction(printed["worst"]), max(loads), "worst shift")
    case.equal(printed["worst_shift"], 1 + loads.index(max(loads)), "first worst shift")
    case.equal(printed["conflict_free"], sum(load <= 1 for load in loads), "shifts without conflict")
    case.close(printed["mean"], sum(loads) / len(loads), "mean of shifts")
    if count > 5:
        return
    printed = case.json("permutations", "tables", "--width", "4")["results"][0]
    exact = sum(largest(tables, zip(names, order)) for order in itertools.permutations(names)) / math.factorial(count)
    case.at_most(abs(printed["mean"] - exact), 3 * printed["half_width"] + 1e-9, "mean within three intervals")
