# SPDX-License-Identifier: BSD-3-Clause
"""route: the figures that are printed with tables, and what the list of engines promises."""
import claims
import verbs.verify as verify

SEEDS = 120


def check(case):
    engine = case.rng.choice(claims.TABLE_ENGINES)
    lmc = ["--lmc", case.rng.choice((0, 0, 1))] if engine[:4] not in ("bfot", "lash", "dmod") else []
    printed = case.json("route", engine, "-o", "tables", *lmc)
    tables = claims.Tables(case.fabric, (case.folder / "tables").read_text())
    _, lost, apart, hops, longer, depends = verify.walk(tables, verify.KINDS)
    case.equal(printed["terminals"], sum(map(len, claims.terminals(case.fabric).values())), "terminals")
    if hops:
        case.equal(printed["hops"]["longest"], max(hops), "longest")
        case.close(printed["hops"]["mean"], sum(hops) / len(hops), "mean hops")
    case.equal(printed["hops"]["longer_pairs"], longer["terminal_terminal"], "longer_pairs")
    if printed["lanes"] == 1 and engine not in ("minhop", "sssp", "updn", "dnup"):
        case.equal(claims.cycle_free(depends), True, f"{engine} has no cycle of dependencies")
    if engine in ("minhop", "sssp", "dfsssp", "lash"):
        case.equal(sum(longer.values()), 0, f"{engine} has shortest paths only")
    if engine not in ("ftree", "dmodk", "updn", "dnup"):  # the list of engines promises all pairs
        case.equal(lost, apart, f"{engine} serves all pairs that cables join")
    else:
        if engine in ("updn", "dnup"):  # OpenSM's, which promise nothing
            return
        case.equal(lost["terminal_terminal"], apart["terminal_terminal"], f"{engine} serves all pairs of hosts")
