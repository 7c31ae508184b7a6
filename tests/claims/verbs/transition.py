# SPDX-License-Identifier: BSD-3-Clause
"""transition: mixtures of old and new tables in any order, and in each round."""
import claims
from verbs import repair

SEEDS = 60


def rewritten(tables, new, entries, to=None):
    """The tables with entries [switch, lid] set to those of `new`, or to one port."""
    if any(switch not in tables.out for switch, _ in entries):
        raise claims.Refused("switches have other names than ids")
    changed = repair.mixture(tables, tables, ())
    changed.out = {s: dict(row) for s, row in changed.out.items()}
    for switch, lid in entries:
        changed.out[switch][lid] = new.out[switch].get(lid, 255) if to is None else to
    return changed


def check(case):
    engines = ("minhop", "updn+", "ftree", "sftree", "even")
    lmc = ("--lmc", case.rng.choice((0, 0, 1)))
    old = case.route(case.rng.choice(engines), *lmc, name="old")
    new = case.route(case.rng.choice(engines), *lmc, name="new")
    printed = repair.answer(case, "transition", "old", "new")
    if printed["safe"] == "none":
        free = [claims.cycle_free(repair.dependencies(t)) for t in (old, new)]
        case.expect(not all(free), "no safe order, though old and new tables are free of deadlock")
        case.checked["none"] += 1
    elif printed["safe"] == "any order":
        case.expect(claims.cycle_free(repair.dependencies(old, new)), "any order: old and new together have a cycle")
        repair.check_mixtures(case, old, new, "any order")
    else:
        now = old
        for i, one in enumerate(printed["rounds"]):
            then = rewritten(rewritten(now, new, one["write"]), new, one["clear"], 255)
            if one["order"]:
                for k in range(len(one["order"]) + 1):
                    mixed = repair.mixture(now, then, set(one["order"][:k]))
                    case.expect(claims.cycle_free(repair.dependencies(mixed)), f"round {i + 1}: cycle")
                case.checked["rounds in order"] += 1
            else:
                switches = case.fabric.switches()
                for _ in range(4):
                    written = set(case.rng.sample(switches, case.rng.randint(0, len(switches))))
                    mixed = repair.mixture(now, then, written)
                    case.expect(claims.cycle_free(repair.dependencies(mixed)), f"round {i + 1}: cycle")
                case.checked["rounds"] += 1
            now = then
        same = all(now.out[s].get(lid, 255) == new.out[s].get(lid, 255)
                   for s in case.fabric.switches() for lid in new.owner)
        case.equal(same, True, "the rounds end with the new tables")
