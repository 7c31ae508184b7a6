# SPDX-License-Identifier: BSD-3-Clause
"""What losses cost, and what jobs get."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from . import _core, _plot
from ._errors import call, listed
from ._fabric import Fabric, core_of
from ._progress import OptionalProgress
from ._result import Result
from ._routing import AnyRouting, Routing, pair, resolved, route


def whatif(
    fabric: Union[Fabric, Routing],
    routing: Optional[AnyRouting] = None,
    *,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> Result:
    """What the loss of each cable and switch costs, worst first, and which missing cable to put
    back first. ``to_pandas()`` has a row for each loss.

    Options: only ("cables" or "switches"), sets (random sets of so many cables instead), samples of
    them, permutations, add, lose (one loss in all stages), among, host_order, top, keep; as
    `fatwood whatif` has them.

    >>> result = whatif(Fabric("ft(4,2)"), "sftree", only="cables")
    >>> len(result.faults), result.faults[0]["pairs_lost"]
    (8, 0)
    """
    of, chosen = pair(fabric, routing)
    if isinstance(chosen, str):
        chosen = route(of, chosen, threads=threads)
    core = resolved(of, chosen)
    result = call(_core.whatif, core_of(of), core, options, seed=seed, threads=threads, progress=progress)
    if options.get("lose"):
        return Result(result)
    return Result(result, "faults", _plot.faults)


def job(
    fabric: Union[Fabric, Routing],
    routing: Optional[AnyRouting] = None,
    *,
    hosts: Union[None, str, Sequence[str]] = None,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> Result:
    """What a job on these hosts gets: a host list like "n[01-64]", names in the order of ranks,
    "@FILE", or "all" (the default, but for a trace or with pick).

    Options: collective, message_size, trace, ranks_per_host, adapters, rate, beside, weight,
    channels, cross_nic, no_pxn, window, root, latency, groups, tensor, data, pipeline, expert,
    among, flits, hashed, queue_pairs, improve ("order", "placement" or "both"), pick (so many
    hosts of free, instead of hosts), free, tries, candidates; as `fatwood job` has them.

    >>> result = job(Fabric("ft(4,2)"), "dmodk", collective="alltoall", message_size="1M", rate="4xHDR")
    >>> result.hosts, result.busbw > 0
    (8, True)
    """
    of, chosen = pair(fabric, routing)
    if hosts is None and not options.get("pick") and not options.get("trace"):
        hosts = "all"
    if hosts is not None:
        options["hosts"] = hosts if isinstance(hosts, str) else ",".join(map(str, listed(hosts, "a host list")))
    result = call(
        _core.job, core_of(of), resolved(of, chosen), options, seed=seed, threads=threads, progress=progress
    )
    return Result(result, "jobs", _plot.jobs)
