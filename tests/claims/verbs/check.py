# SPDX-License-Identifier: BSD-3-Clause
"""check: whether given tables are safe, and the rates of pairs."""
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


def other_rates(case, lmc):
    """Rates with the tables of another engine; none if it refuses."""
    try:
        return claims.pair_rates(case.route(case.rng.choice(claims.TABLE_ENGINES), *lmc, name="other"))
    except claims.Refused:
        return {}
