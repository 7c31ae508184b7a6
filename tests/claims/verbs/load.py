# SPDX-License-Identifier: BSD-3-Clause
"""load: the load by following tables; the best possible load by a linear program."""
import claims
from claims import Fraction

SEEDS = 350


def choose_flows(case):
    """None for all-to-all, random flows, or flows between the hosts of two switches."""
    ports, peers = claims.hosts(case.fabric), case.fabric.peers()
    kind = case.rng.choice(("all", "all", "random", "two leaves", "two leaves"))
    leaf = {name: peers[ports[name][0]][0] for name in sorted(ports)}
    leaves = sorted(set(leaf.values()))
    if kind == "random" and len(ports) > 1:
        return {tuple(case.rng.sample(list(leaf), 2)): case.rng.randint(1, 4) for _ in range(case.rng.randint(1, 8))}
    if kind == "two leaves" and len(leaves) > 1:
        chosen = case.rng.sample(leaves, 2)
        return {(a, b): 1 for a in leaf for b in leaf if (leaf[a], leaf[b]) == tuple(chosen)}
    return None


def check(case):
    fabric = case.fabric
    engine = case.rng.choice(claims.TABLE_ENGINES)
    lmc = ["--lmc", case.rng.choice((0, 0, 1))] if engine[:4] != "bfot" else []
    tables = case.route(engine, *lmc)
    flows = choose_flows(case)
    if flows:
        lines = [f"{a} {b} {amount}" for (a, b), amount in flows.items()]
        (case.folder / "traffic").write_text("\n".join(lines) + "\n")
    traffic = "file:traffic" if flows else "alltoall"
    flows = flows or claims.all_to_all(fabric)
    load = claims.loads(tables, flows)
    try:
        printed = case.json("load", "tables", "--traffic", traffic)
    except claims.Refused as refused:
        if "has no path" in str(refused):
            case.equal(load, None, "the load of lost pairs")
        raise
    case.expect(load is not None, "a load is printed though a pair has no route")
    weighed = claims.weighed(fabric, load)
    most = max(weighed.values())
    case.equal(Fraction(printed["mload"]), most, "mload")
    case.equal(Fraction(printed["perf"]), Fraction(printed["mload"]) / Fraction(printed["oload"]), "perf")
    best = claims.best_load(fabric, flows)
    case.expect(best is not None, "a load is printed though cables do not join a pair")
    if printed["oload_is"] == "exact":
        case.close(Fraction(printed["oload"]), best, f"oload, {printed['oload_kind']}")
    else:
        case.at_most(Fraction(printed["oload"]), best, "oload, bound")
    if printed.get("tables_at_least") is not None:
        case.at_most(Fraction(printed["oload"]), Fraction(printed["tables_at_least"]), "tables_at_least")
        if engine not in ("dfsssp", "lash") and 1 not in lmc:
            case.at_most(Fraction(printed["tables_at_least"]), most, "tables_at_least of these tables")
    if traffic == "alltoall":
        check_rates(case, tables, lmc, printed)


def check_rates(case, tables, lmc, printed):
    """Rates of pairs, and bounds that are printed next to them."""
    rates = claims.pair_rates(tables)
    found = printed["rates"]
    case.equal(found["pairs"], len(rates), "pairs with rates")
    for key, value in (("worst", min(rates.values())), ("p1", claims.percentile(rates.values(), 1)),
                       ("p10", claims.percentile(rates.values(), 10)), ("median", claims.percentile(rates.values(), 50))):
        case.close(found[key + "_gbps"], value, f"{key}_gbps", 1e-9)
    bounds = [one["best_possible_gbps"] for one in printed["bottlenecks"] if one["best_possible_gbps"] is not None]
    for one in printed["bottlenecks"]:
        if one["best_possible_gbps"] is not None:
            case.at_most(one["gbps"], one["best_possible_gbps"] + 1e-6, "best_possible_gbps of these routes")
    # No other tables serve their worst pair better than any bound.
    for engine in case.rng.sample(claims.TABLE_ENGINES, 3):
        try:
            other = case.route(engine, *lmc, name="other")
        except claims.Refused:
            continue
        others = claims.pair_rates(other)
        if len(others) == len(rates):
            case.at_most(float(min(others.values())), min(bounds, default=1e9) + 1e-6, "best_possible_gbps of other tables")
