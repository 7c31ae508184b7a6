# SPDX-License-Identifier: BSD-3-Clause
"""check: whether given tables are safe, the rates of pairs, and what jobs get."""
import itertools
import re

import claims
import verbs.verify as verify

SEEDS = 80


def check(case):
    fabric = case.fabric
    engine = case.rng.choice(claims.TABLE_ENGINES)
    lmc = ["--lmc", case.rng.choice((0, 0, 1))] if engine[:4] not in ("bfot", "lash", "dmod") else []
    tables = case.route(engine, *lmc)
    if case.rng.random() < 0.3:
        tables = verify.damage(case, tables)
    printed = case.json("check", "tables", codes=(0, 1))
    _, lost, apart, _, _, depends = verify.walk(tables, verify.KINDS)
    case.equal(printed["deadlock_free"], claims.cycle_free(depends), "deadlock free")
    if printed["safe"]:
        case.equal(claims.cycle_free(depends) and lost["terminal_terminal"] == apart["terminal_terminal"], True, "safe")
    else:
        case.equal(claims.cycle_free(depends) and not lost, False, "not safe")
    speed = printed["speed"]
    rates = claims.pair_rates(tables)
    if speed and rates and lost["terminal_terminal"] == apart["terminal_terminal"] and speed["among"]["adapters"] == len(claims.hosts(fabric)):
        case.close(speed["worst_gbps"], min(rates.values()), "worst_gbps", 1e-9)
        case.close(speed["median_gbps"], claims.percentile(rates.values(), 50), "median_gbps", 1e-9)
        if speed["of_possible"] is not None and not lost["terminal_terminal"]:
            others = other_rates(case, lmc)
            if len(others) == len(rates):  # no other tables serve their worst pair better than what is called possible
                case.at_most(speed["of_possible"] * float(min(others.values())), speed["worst_gbps"] + 1e-6, "of_possible")
    if printed["jobs"]:
        check_jobs(case, tables, printed["jobs"])


def check_jobs(case, tables, jobs):
    """No job exceeds what the cables allow; the worst job, pair by pair."""
    for row in [jobs, *jobs["sizes"]]:
        for part in (row, row["direct"], row["phases"], row["ring"]):
            if part:
                case.at_most(part["mean"], part["ideal_mean"] + 1e-9, "job efficiency against its bound")
                case.at_most(part["worst"], part["mean"] + 1e-9, "the worst job against the mean")
                case.at_most(part["ideal_mean"], 1, "the bound of jobs")
    case.close(jobs["worst"], min(row["worst"] for row in jobs["sizes"]), "the worst job of all sizes", 1e-9)
    case.close(jobs["worst"], jobs["worst_job"]["efficiency"], "the efficiency of the worst job", 1e-9)
    adapters = adapters_by_host(case.fabric)
    names = expanded(jobs["worst_job"]["hosts"])
    case.equal(len(names), jobs["worst_job"]["size"], "hosts of the worst job")
    if any(len(adapters.get(name, [])) != 1 for name in names):
        return  # several adapters, or names that are not those of adapters: rails decide who sends
    load = claims.loads(tables, {pair: 1 for pair in itertools.permutations([adapters[n][0] for n in names], 2)})
    if load is None:
        return
    weighed, peers = claims.weighed(case.fabric, load), case.fabric.peers()
    own = max(value for (node, port), value in weighed.items()
              if not case.fabric.is_switch(node) or not case.fabric.is_switch(peers[node, port][0]))
    case.close(jobs["worst"], own / max(weighed.values()), "the worst job by its pairs", 1e-9)


def adapters_by_host(fabric):
    result = {}
    for name in claims.hosts(fabric):
        result.setdefault((fabric.nodes[name]["description"] or name).split(" ")[0], []).append(name)
    return result


def expanded(hosts):
    """The names of a host list: "a[1-2,05],b" is a1 a2 a05 b."""
    names = []
    for prefix, ranges, suffix in re.findall(r"([^,\[\]]*)(?:\[([^\]]*)\])?([^,\[\]]*)(?:,|$)", hosts):
        if not ranges:
            names += [prefix + suffix] if prefix + suffix else []
            continue
        for part in ranges.split(","):
            low, _, high = part.partition("-")
            names += [f"{prefix}{n:0{len(low)}d}{suffix}" for n in range(int(low), int(high or low) + 1)]
    return names


def other_rates(case, lmc):
    """Rates with the tables of another engine; none if it refuses."""
    try:
        return claims.pair_rates(case.route(case.rng.choice(claims.TABLE_ENGINES), *lmc, name="other"))
    except claims.Refused:
        return {}
