# SPDX-License-Identifier: BSD-3-Clause
"""repair: entries by comparison of tables, entries that no repair can keep, the proof of the result by a graph of its
own, and mixtures of old and new tables."""
import collections
import json

import claims

SEEDS = 60


def answer(case, verb, *arguments):
    """The JSON of a command that may find something wrong (exit code 1). Refused without JSON: not like a tree."""
    text = case.run(verb, "fabric.json", *arguments, "--json", codes=(0, 1))
    if not text:
        raise claims.Refused(case.errors)
    return json.loads(text)


def old_tables(case):
    """Tables of some engine in the file "old": as values, and as text."""
    engine = case.rng.choice(("minhop", "updn+", "ftree", "sftree", "sftree", "even", "even"))
    tables = case.route(engine, "--lmc", case.rng.choice((0, 0, 1)), name="old")
    return tables, (case.folder / "old").read_text()


def damage(case):
    """The fabric after a loss, its options, and the names in them."""
    fabric = case.fabric
    after = fabric.copy()
    cables, switches = fabric.between_switches(), fabric.switches()
    if len(set(switches)) < 2 or not cables:
        raise claims.Refused("nothing to lose")
    if case.rng.random() < 0.3:
        name = case.rng.choice(switches)
        after.remove(name)
        return after, ["--remove", name], [name]
    lost = case.rng.sample(cables, min(len(cables), case.rng.choice((1, 1, 1, 2))))
    after.cables = [c for c in after.cables if c not in lost]
    words = [f"{c[0]}[{c[1]}]" for c in lost]
    ends = words + [f"{c[2]}[{c[3]}]" for c in lost]
    return after, [word for name in words for word in ("--cut", name)], ends if len(lost) == 1 else []


def dependencies(tables, mixed=None):
    """The graph of channels between switches that packets from any switch hold and want. `mixed`: tables that any switch
    may have instead: packets read either of the two."""
    graph = collections.defaultdict(set)
    peer, fabric = tables.peer, tables.fabric

    def hops(s, lid):
        found = {t.out[s].get(lid) for t in ([tables, mixed] if mixed else [tables])}
        return [(s, p) for p in found if p and (s, p) in peer and fabric.is_switch(peer[s, p][0])]
    for lid, owner in tables.owner.items():
        for s in fabric.switches():
            if (s, 0) == owner:
                continue
            for held in hops(s, lid):
                then = peer[held][0]
                if (then, 0) != owner:
                    graph[held].update(hops(then, lid))
    return graph


def mixture(old, new, written):
    """Tables in which these switches have their new entries."""
    mixed = claims.Tables.__new__(claims.Tables)
    mixed.fabric, mixed.peer, mixed.owner, mixed.lids = new.fabric, new.peer, new.owner, new.lids
    mixed.out = {s: (new if s in written else old).out[s] for s in new.fabric.switches()}
    return mixed


def check_mixtures(case, old, new, what):
    """No mixture of switches with old and new tables loops or deadlocks. None loses a packet to a LID that every switch
    reaches by the old and by the new tables; where an old entry is at a lost cable, packets end there until it is new."""
    switches = new.fabric.switches()
    starts = [(s, 0) for s in switches]
    both = [(s, lid) for lid in new.owner
            if all(t.path(s, lid) is not None for s in starts for t in (old, new)) for s in starts]
    for _ in range(4):
        mixed = mixture(old, new, set(case.rng.sample(switches, case.rng.randint(0, len(switches)))))
        case.expect(claims.cycle_free(dependencies(mixed)), f"{what}: a mixture has a cycle of dependencies")
        case.expect(all(mixed.path(s, lid) is not None for s, lid in both), f"{what}: a mixture loses a pair")
        case.checked[what] += 1


def check(case):
    old, text = old_tables(case)
    after, arguments, _ = damage(case)
    extra = case.rng.choice(([], ["--forced-only"]))
    printed = answer(case, "repair", *arguments, "old", "-o", "new", *extra)
    new = claims.Tables(after, (case.folder / "new").read_text())
    was = claims.Tables(after, text) if not any(w == "--remove" for w in arguments) else None
    number = claims.components(after)
    peer = after.peers()
    old.fabric, old.peer = after, peer
    changed = least = 0
    for lid, owner in new.owner.items():
        home = owner[0] if owner[1] == 0 else peer.get(owner, (None,))[0]
        for s in after.switches():
            before, now = old.out[s].get(lid, 255), new.out[s].get(lid, 255)
            changed += before != now
            gone = before != 255 and not ((s, before) in peer and after.is_switch(peer[s, before][0]))
            if home is not None and after.is_switch(home) and s != home and number[s] == number[home]:
                least += gone
            elif s == home:
                least += before != (0 if owner[1] == 0 else peer[owner][1])
    case.equal(printed["entries_changed"], changed, "entries changed")
    case.equal(printed["entries_least"], least, "entries that no repair can keep")
    case.at_most(printed["entries_least"], printed["entries_forced"], "entries_least and entries_forced")
    case.equal(printed["deadlock_free"], claims.cycle_free(dependencies(new)), "free of deadlock")
    ports = [end for ends in claims.terminals(after).values() for end in ends]
    unreachable = sum(new.path(s, lid) is None for s in ports for d in ports if s != d for lid in new.lids[d])
    case.equal(printed["unreachable"]["terminal_terminal"], unreachable, "unreachable")
    if printed["deadlock_free"] and printed["loops"] == 0:
        joined = sum(number[s] == number[d] for s in ports for d in ports if s != d for _ in new.lids[d])
        total = sum(1 for s in ports for d in ports if s != d for _ in new.lids[d])
        case.equal(unreachable, total - joined, "pairs that cables connect have a route")
    if printed["transition"] == "any order" and was is not None:
        case.expect(claims.cycle_free(dependencies(was, new)), "any order: old and new together have a cycle")
        check_mixtures(case, was, new, "any order")
