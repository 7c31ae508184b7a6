# SPDX-License-Identifier: BSD-3-Clause
"""worst: the ratio by a linear program for each channel over all traffic that some routing carries with a load of 1; the
largest load of permutations likewise; and the load of the printed traffic."""
import itertools

import claims
from claims import Fraction

SEEDS = 60
MOST_VARIABLES = 700  # of a linear program: about 0.2 s


def shares_by_channel(tables, pairs):
    """{channel: {pair: share}} of the pairs that have a route."""
    shares = {}
    for pair in pairs:
        paths = claims.pair_paths(tables, *pair)
        for path in paths or ():
            for channel in path:
                there = shares.setdefault(channel, {})
                there[pair] = there.get(pair, 0) + Fraction(1, len(paths))
    return shares


def worst_load(fabric, shares, pairs, channel, permutation):
    """The largest weighted load of a channel over the traffic of the class."""
    rates, usual = fabric.rates(), claims.usual_rate(fabric)
    names = {pair: f"t{i}" for i, pair in enumerate(pairs)}
    if permutation:
        rows = []
        for side in (0, 1):
            for name in claims.hosts(fabric):
                rows.append(({names[pair]: 1 for pair in pairs if pair[side] == name}, "<=", 1))
    else:
        rows, use = claims.flow_rows(fabric, {pair: {names[pair]: 1} for pair in pairs})
        for end, variables in use.items():
            rows.append((variables, "<=", Fraction(rates[end]) / usual))
    weight = Fraction(usual) / rates[channel]
    return claims.solve({names[pair]: share * weight for pair, share in shares[channel].items()}, rows, "Maximize")


def check(case):
    fabric = case.fabric
    engine = case.rng.choice(claims.TABLE_ENGINES)
    lmc = ["--lmc", case.rng.choice((0, 0, 1))] if engine[:4] not in ("bfot", "lash", "dmod") else []
    tables = case.route(engine, *lmc)
    permutation = case.rng.random() < 0.4
    routing = engine if engine == "dmodk" and case.rng.random() < 0.5 else "tables"
    printed = case.json("worst", routing, *(["--permutation"] if permutation else []))
    key = "load" if permutation else "ratio"
    pairs = [pair for pair in itertools.permutations(sorted(claims.hosts(fabric)), 2) if claims.pair_paths(tables, *pair)]
    shares = shares_by_channel(tables, pairs)
    repeated = any(node["description"] for node in fabric.nodes.values())
    if not repeated and printed["traffic"]:
        flows = {(a, b): Fraction(amount) for a, b, amount in printed["traffic"]}
        load = max(claims.weighed(fabric, claims.loads(tables, flows)).values())
        best = claims.best_load(fabric, flows)
        if permutation:
            case.expect(all(sum(v for pair, v in flows.items() if pair[side] == name) <= 1
                            for side in (0, 1) for name in claims.hosts(fabric)), "the traffic is not a permutation")
            if printed.get(key) is not None:
                case.equal(Fraction(printed[key]), load, "load of the printed permutation")
        elif printed.get("ratio_at_least") is not None:
            case.at_most(printed["ratio_at_least"], float(load / best) + 1e-9, "ratio_at_least")
            case.at_most(float(best), printed["oload_at_most"] + 1e-9, "oload_at_most")
        elif printed["ratio"] is not None:
            case.equal(Fraction(printed["ratio"]), load / best, "ratio of the printed traffic")
    links = len(fabric.cables) * 2 * len(claims.hosts(fabric))
    if not permutation and links > MOST_VARIABLES:
        return
    channels = sorted(shares, key=lambda c: (-len(shares[c]), c))
    for channel in channels[:3] + case.rng.sample(channels, min(2, len(channels))):
        value = worst_load(fabric, shares, pairs, channel, permutation)
        if printed.get(key) is not None:
            case.at_most(value, Fraction(printed[key]), f"{key} of a channel")
        if printed.get(key + "_at_most") is not None:
            case.at_most(float(value), float(Fraction(printed[key + "_at_most"])) + 1e-9, f"{key}_at_most")
