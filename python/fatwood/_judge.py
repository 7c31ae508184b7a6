# SPDX-License-Identifier: BSD-3-Clause
"""Proofs, loads, worst cases, simulations and comparisons."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Iterable, Optional, Sequence, Union

from . import _core, _plot
from ._errors import InputError, call, file_name, listed
from ._fabric import Fabric, core_of
from ._progress import OptionalProgress
from ._result import LoadResult, Result, SimulationResult, WorstResult
from ._routing import AnyRouting, Routing, engines, pair, resolved, route, tables_of

Flow = Union[tuple[Any, Any], tuple[Any, Any, Any]]


def verify(
    fabric: Union[Fabric, Routing],
    routing: Optional[AnyRouting] = None,
    *,
    terminals_only: bool = False,
    rechoose: bool = False,
    old: Optional[Routing] = None,
    certificate: str = "",
    force: bool = False,
    threads: int = 0,
) -> Result:
    """Proves or refutes what routes promise, with a witness: ``verify(routing)`` or
    ``verify(fabric, "updn+")``. ``certificate`` is a file to write the proof to; one that does not look
    like a certificate is replaced only by ``force``. ``rechoose``: adaptive tables whose waiting packets
    take whichever port frees first. ``old``: the tables in the switches; ``transition`` of the result says
    whether they can be replaced safely.

    >>> verify(Fabric("ft(4,2)"), "updn+").deadlock_free
    True
    """
    of, chosen = pair(fabric, routing)
    if certificate:
        call(_core.check_output, "certificate", file_name(certificate), "certificate", force=force)
    if isinstance(chosen, str):
        chosen = route(of, chosen, threads=threads)
    core = resolved(of, chosen)
    return Result(
        call(
            _core.verify,
            core_of(of),
            core,
            terminals_only=terminals_only,
            rechoose=rechoose,
            old=None if old is None else tables_of(old),
            certificate=file_name(certificate),
            threads=threads,
        )
    )


def worst(
    fabric: Union[Fabric, Routing],
    routing: Optional[AnyRouting] = None,
    *,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> WorstResult:
    """The traffic that a routing serves worst: exactly on complete trees, else bounds.

    Options: permutation (the worst one, instead of any traffic), among; as `fatwood worst` has them.

    >>> worst(Fabric("ft(4,2)"), "dmodk").ratio
    Fraction(2, 1)
    """
    of, chosen = pair(fabric, routing)
    return WorstResult(
        *call(
            _core.worst,
            core_of(of),
            resolved(of, chosen),
            options,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    )


def _amount(value: Any) -> Fraction:
    # 0.1 means one tenth, not the binary number closest to it.
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def _traffic(fabric: Fabric, traffic: Union[str, Iterable[Flow]]) -> Any:
    if isinstance(traffic, str):
        return traffic
    flows: list[Any] = listed(traffic, "a pattern or a list of flows")
    ends: list[tuple[int, int]] = []
    amounts = []
    for flow in flows:
        try:
            source, destination, *rest = flow
            (amount,) = rest or (1,)
            amounts.append(_amount(amount))
        except (ValueError, OverflowError, TypeError, ZeroDivisionError):
            raise InputError(f"flow {flow!r}: expected (source, destination) or with an amount") from None
        ends.append((fabric._host(source), fabric._host(destination)))
    one = math.lcm(*(amount.denominator for amount in amounts)) if amounts else 1
    if one >= 2**31:
        raise InputError("amounts of flows: expected fractions with a small common denominator")
    for flow, amount in zip(flows, amounts):
        if amount * one >= 2**63:
            raise InputError(f"flow {flow!r}: the amount is too large")
    return (
        [source for source, _ in ends],
        [destination for _, destination in ends],
        [int(amount * one) for amount in amounts],
        one,
    )


def load(
    fabric: Union[Fabric, Routing],
    routing: Optional[AnyRouting] = None,
    *,
    traffic: Union[str, Iterable[Flow]],
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> LoadResult:
    """What a traffic puts on the channels: a pattern ("shift:1"), or flows (source, destination) or
    (source, destination, amount) between hosts by number or name.

    Options: top, queue_pairs, at_most, seeds, same_hash, among, host_order; as `fatwood load` has them.

    >>> load(Fabric("ft(4,2)"), "dmodk", traffic=[("H0", "H4"), ("H1", "H6")]).mload
    Fraction(2, 1)
    """
    of, chosen = pair(fabric, routing)
    core = core_of(of)
    made = _traffic(of, traffic)
    found = call(
        _core.load, core, resolved(of, chosen), made, options, seed=seed, threads=threads, progress=progress
    )
    return LoadResult(of, *found)


def _list(fabric: Fabric, routings: Union[AnyRouting, Sequence[AnyRouting]]) -> list[Any]:
    if isinstance(routings, (list, tuple)):
        return [resolved(fabric, routing) for routing in routings]
    return [resolved(fabric, routings)]  # type: ignore[arg-type]


def permutations(
    fabric: Fabric,
    routings: Union[AnyRouting, Sequence[AnyRouting]],
    *,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> Result:
    """Mean largest load of random permutations, until the 99% interval is ``width`` percent wide.

    Options: samples (to begin with), width, rates (fair rates instead of loads), bisections, among; as
    `fatwood permutations` has them.

    >>> permutations(Fabric("ft(4,2)"), ["dmodk", "disjoint:2"]).results[1]["mean"]
    1.0
    """
    core = core_of(fabric)
    rows = _list(fabric, routings)
    found = call(_core.permutations, core, rows, options, seed=seed, threads=threads, progress=progress)
    return Result(found, "results", _plot.means)


def shifts(
    fabric: Fabric,
    routings: Union[AnyRouting, Sequence[AnyRouting]],
    *,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> Result:
    """All shifts s -> s + k, instead of random permutations. Option: among."""
    return permutations(
        fabric, routings, seed=seed, threads=threads, progress=progress, shifts=True, **options
    )


def simulate(
    fabric: Union[Fabric, Routing],
    routing: Optional[AnyRouting] = None,
    *,
    load: Union[str, float, Sequence[float]] = "saturation",
    adaptive: bool = False,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> SimulationResult:
    """What the fabric delivers, flit by flit, at loads (0.3, [0.1, 0.2], "0.1:1.0:0.1") or up to
    "saturation".

    Options: traffic, paths, cycles, message_flits, packet_flits, mtu, buffer_packets, lanes, queueing,
    receivers, crossbar, link_latency, switch_latency and others that describe switches, links and
    adapters; as `fatwood sim` has them.

    >>> simulate(Fabric("ft(4,2)"), "dmodk", load=0.2, cycles=2000).deadlock is None
    True
    """
    if isinstance(load, str):
        loads = [] if load == "saturation" else call(_core.parse_loads, load)
    else:
        try:
            loads = [float(x) for x in ([load] if isinstance(load, (int, float)) else load)]
        except (TypeError, ValueError):
            raise InputError(f"load={load!r}: expected numbers, or text like 0.1:1.0:0.1") from None
    more: dict[str, Any] = {"adaptive": adaptive, "seed": seed, "threads": threads, "progress": progress}
    if adaptive:
        if routing is not None or isinstance(fabric, Routing):
            raise TypeError("adaptive switches choose for themselves: expected a Fabric alone")
        return SimulationResult(*call(_core.simulate, core_of(fabric), "adaptive", loads, options, **more))
    of, chosen = pair(fabric, routing)
    return SimulationResult(*call(_core.simulate, core_of(of), resolved(of, chosen), loads, options, **more))


def _all_engines(routings: Optional[Sequence[AnyRouting]]) -> Sequence[AnyRouting]:
    return [engine.name for engine in engines()] if routings is None else listed(routings, "a list of routings")


def compare(
    fabric: Fabric,
    routings: Optional[Sequence[AnyRouting]] = None,
    *,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> Result:
    """Engines, routings, functions and arrays side by side. None: every engine.

    Options: among, host_order; as `fatwood compare` has them.

    >>> [row["kept"] for row in compare(Fabric("ft(4,2)"), ["updn+", "sftree"]).engines]
    [True, True]
    """
    core = core_of(fabric)
    rows = _list(fabric, _all_engines(routings))
    found = call(_core.compare, core, rows, options, seed=seed, threads=threads, progress=progress)
    return Result(found, "engines", _plot.engines)


def report(
    fabric: Fabric,
    path: str = "",
    routings: Optional[Sequence[AnyRouting]] = None,
    *,
    worst: Sequence[str] = ("sftree",),
    title: str = "",
    force: bool = False,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
) -> str:
    """A page that shows a fabric and its engines: the HTML, also written to ``path`` if given. A file
    that does not look like such a page is replaced only by ``force``."""
    core = core_of(fabric)
    name = file_name(path)
    if name:
        call(_core.check_output, "path", name, "page", force=force)
    page: str = call(
        _core.page,
        core,
        _list(fabric, _all_engines(routings)),
        worst=listed(worst, "a list of engines"),
        title=title or fabric.name,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    if name:
        call(_core.write, name, page)
    return page


def patterns() -> dict[str, str]:
    """The traffic that ``load`` and ``simulate`` know by name."""
    return dict(_core.patterns())
