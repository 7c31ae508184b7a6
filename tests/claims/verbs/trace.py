# SPDX-License-Identifier: BSD-3-Clause
"""trace: each hop against the entries of the tables, to terminals (each address) and to switches."""
import claims

SEEDS = 60


def check(case):
    fabric, rng = case.fabric, case.rng
    engine = rng.choice(claims.TABLE_ENGINES)
    lmc = rng.choice((0, 0, 1)) if engine[:4] not in ("bfot", "lash", "dmod") else 0
    tables = case.route(engine, *(["--lmc", lmc] if lmc else []))
    ends = [end for ports in claims.hosts(fabric).values() for end in ports]
    if not ends or any(node["description"] for node in fabric.nodes.values()):
        raise claims.Refused("no hosts, or hops have other names than ids")
    for _ in range(4):
        source = rng.choice(ends)
        to = (rng.choice(fabric.switches()), 0) if rng.random() < 0.3 else rng.choice(ends)
        if source == to or to not in tables.lids:
            continue
        offset = rng.randrange(len(tables.lids[to]))
        words = [f"{name}[{port}]" if port else name for name, port in (source, to)]
        printed = case.json("trace", "tables", "--from", words[0], "--to", words[1], "--offset", offset, codes=(0, 1))
        channels, arrives = tables.trace(source, tables.lids[to][offset])
        case.equal(printed["reached"], arrives, "reached")
        if arrives:
            case.equal([(hop["from"], hop["out"]) for hop in printed["hops"]], channels, "hops")
