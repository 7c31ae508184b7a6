# SPDX-License-Identifier: BSD-3-Clause
"""The requests of the golden tests (tests/golden/commands), as other front ends ask them."""

import importlib.machinery
import importlib.util
import re
import shlex
from pathlib import Path

import fatwood

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
FLAGS = set(
    "all bisections count_aggregation count_flows flits hashed keep_connected lenient no_pxn permutation rates "
    "rechoose same_hash shifts terminals_only".split()
)
OF_FABRIC = set(
    "node_name_map lenient ibnl cut remove faults fault_seed keep_connected roots compute io uncounted "
    "count_aggregation count_flows".split()
)
NODE_LISTS = {"roots", "compute", "io", "uncounted", "order"}  # a file for the command line, names in Python
OF_ENGINE = set("lmc lanes order manager choice groups for effort longest".split())
OF_TABLES = {"sl", "sl2vl"}
REPEATED = {"cut", "remove", "faults", "add", "lose"}
NUMBERS = set(
    "adapters at_most channels cross_nic data expert fault_seed lmc lanes pick pipeline permutations queue_pairs "
    "ranks_per_host root samples seed seeds sets tensor threads top tries weight width window".split()
)
OF_THE_COMMAND_LINE = set(
    "o output engines csv plot svg whole_sl certificate check hostfile rankfile machinefile slurm_hostfile bound "
    "check_bound from from_sl distribution improve_cabling color".split()
)
VERBS = {"show", "verify", "load", "worst", "permutations", "compare", "whatif", "job"}


class Unasked(Exception):
    """What other front ends do not ask."""


def commands():
    """Every command that stands alone, as words."""
    loader = importlib.machinery.SourceFileLoader("golden_run", str(GOLDEN / "run"))
    run = importlib.util.module_from_spec(importlib.util.spec_from_loader("golden_run", loader))
    loader.exec_module(run)
    for path in sorted((GOLDEN / "commands").glob("*.txt")):
        if path.stem == "errors":
            continue
        for block in run.read_list(path):
            if len(block) == 1 and ": " not in block[0].split("'")[0]:
                yield shlex.split(block[0])


def number(name, text):
    if name not in NUMBERS or (name == "queue_pairs" and "," in text):
        return text
    return float(text) if name in ("width", "at_most") else int(text)


def parsed(words):
    """(verb, positional words, {parameter: value})"""
    if words[0] not in VERBS:
        raise Unasked
    places, options, rest = [], {}, list(words[1:])
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            places.append(word)
            continue
        name = word.lstrip("-").replace("-", "_")
        if name not in FLAGS and not rest:  # a flag of the command line alone
            raise Unasked
        value = True if name in FLAGS else number(name, rest.pop(0))
        if name in REPEATED:
            options.setdefault(name, []).append(value)
        else:
            options[name] = value
    return words[0], places, options


def taken(options, names):
    found = {name: options.pop(name) for name in list(options) if name in names}
    for name in NODE_LISTS & set(found):
        lines = [line.split("#")[0].strip() for line in Path(found[name]).read_text().splitlines()]
        found[name] = [line for line in lines if line]
    return found


def in_python(words):
    """The result of a command's call. Unasked if Python has no such call; errors of the call pass through."""
    verb, places, options = parsed(words)
    if options.keys() & OF_THE_COMMAND_LINE:
        raise Unasked
    fabric = fatwood.Fabric(places.pop(0), **taken(options, OF_FABRIC))
    if verb == "show" and options:
        raise Unasked
    if verb == "show":
        return fabric.show()
    own = {"groups"} if verb == "job" else set()
    engine, tables = taken(options, OF_ENGINE - own), taken(options, OF_TABLES)

    def routing(name):
        if Path(name).exists():
            return fatwood.Routing.load(fabric, name, **tables)
        return fatwood.route(fabric, name, seed=options.get("seed", 1), **engine) if engine else name

    if verb == "compare":
        if places or not options.pop("all", False):
            raise Unasked
        return fatwood.compare(fabric, **options)
    if verb == "permutations":
        if any(re.search(r":.*[-,]", name) for name in places) or not places:
            raise Unasked
        return fatwood.permutations(fabric, [routing(name) for name in places], **options)
    if len(places) != 1:
        raise Unasked
    return getattr(fatwood, verb)(fabric, routing(places[0]), **options)


def in_http(words):
    """(fabric, routing, path and query) for the server. Unasked if it has no such request."""
    verb, places, options = parsed(words)
    unknown = OF_FABRIC | OF_TABLES | OF_THE_COMMAND_LINE | {"rate"} | (OF_ENGINE - {"groups"})
    if len(places) != 2 or verb == "compare" or options.keys() & unknown:
        raise Unasked
    if "/" in "".join(map(str, (*places, *options.values()))):
        raise Unasked
    query = {name: value[0] if isinstance(value, list) else "1" if value is True else value for name, value in options.items()}
    return places[0], places[1], verb, query
