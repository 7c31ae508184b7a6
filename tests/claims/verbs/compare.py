# SPDX-License-Identifier: BSD-3-Clause
"""compare: the figures of each engine, and its order by the worst pair."""
import claims
import verbs.verify as verify

SEEDS = 25


def check(case):
    printed = case.json("compare", codes=(0, 1))
    for engine in printed["engines"]:
        name = engine["name"]
        if engine.get("refused") or name not in claims.TABLE_ENGINES or case.rng.random() < 0.6:
            continue
        tables = case.route(name)
        _, lost, apart, hops, _, depends = verify.walk(tables, verify.KINDS)
        for kind in verify.KINDS:
            case.equal(engine["unreachable"][kind], lost[kind], f"unreachable {kind}")
            case.equal(engine["apart"][kind], apart[kind], f"apart {kind}")
        if engine["lanes"] == 1:
            case.equal(engine["deadlock_free"], claims.cycle_free(depends), "deadlock free")
        if hops:
            case.equal(engine["hops"]["longest"], max(hops), "longest")
        rates = claims.pair_rates(tables)
        if rates and printed["among"]["adapters"] == len(claims.hosts(case.fabric)):
            case.close(engine["worst_gbps"], min(rates.values()), "worst_gbps", 1e-9)
            case.close(engine["median_gbps"], claims.percentile(rates.values(), 50), "median_gbps", 1e-9)
