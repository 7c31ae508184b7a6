# SPDX-License-Identifier: BSD-3-Clause
"""A fabric that does not exist yet, and one that is being built."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

from . import _core, _plot
from ._errors import call, file_name
from ._fabric import Fabric, core_of
from ._progress import OptionalProgress
from ._result import Result

Source = Union[str, "os.PathLike[str]", Fabric]


def plan(
    hosts: int,
    *,
    reserve: Union[None, Mapping[str, int], Sequence[str]] = None,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> Result:
    """Alternatives for so many hosts, fewest switches first: switches, cables, free ports, bisection,
    what hosts get, cost, and a formula for `Fabric`. ``to_pandas()`` has a row for each.

    reserve: links of other hosts, as {"storage": 16, "management": 4, "spare": 2}.
    Options: rails, adapter_ports, rate, radix, spine_radix, split, catalogue, oversubscription
    ("2:1,1:1"), unit, pod, planes, unit_spine, growth, twin, prices, layout, cables, figures ("none",
    "small" or "all"), engine, choose; as `fatwood plan` has them.

    >>> result = plan(32, rate=200, radix=16, figures="none")
    >>> [(one["name"], one["switches"]) for one in result.choices][0]
    ('two levels', (4, 2))
    >>> Fabric(result.choices[0]["formula"]).num_switches
    6
    """
    if isinstance(reserve, Mapping):
        reserve = [f"{name}={links}" for name, links in reserve.items()]
    words = {"hosts": hosts, "reserve": list(reserve or ()), **options}
    return Result(call(_core.plan, words, threads=threads, progress=progress), "choices", _plot.choices)


def check_cabling(plan: Source, found: Source, *, earlier: Optional[Source] = None) -> Result:
    """Whether a fabric is cabled as planned, as `fatwood diff PLAN FOUND` says: faults with what to
    do, the fewest moves, and progress. Files and formulas, or fabrics. earlier: a run of before, for links that
    went down since. ``to_pandas()`` has a row for each fault.

    >>> result = check_cabling("ft(4,3)", Fabric("ft(4,3)").without(cut="S1_0[1]"))
    >>> result.wrong, result.complete, [fault["kind"] for fault in result.faults]
    (False, False, ['missing_cable'])
    """

    def source(one: Source) -> Union[str, _core.Fabric]:
        return core_of(one) if isinstance(one, Fabric) else file_name(one)

    before = None if earlier is None else source(earlier)
    return Result(call(_core.check_cabling, source(plan), source(found), before), "faults")
