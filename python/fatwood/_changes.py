# SPDX-License-Identifier: BSD-3-Clause
"""Tables that follow a fabric as it changes."""

from __future__ import annotations

from typing import Optional

from . import _core
from ._errors import InputError, call
from ._fabric import Fabric, core_of
from ._result import Result
from ._routing import Routing, tables_of


def repair(
    fabric: Fabric,
    old: Routing,
    *,
    forced_only: bool = False,
    spare_blocks: int = 0,
    blocks: Optional[int] = None,
    lanes: int = 8,
    engine: str = "",
    among: str = "",
    host_order: str = "",
    threads: int = 0,
) -> tuple[Routing, Result]:
    """Tables for a fabric as it is now that keep every entry of old ones that can stay, as
    `fatwood repair` makes them. More blocks are sent so that jobs and the slowest pair get back what
    they lost: as many as are worth it, or blocks in all, or spare_blocks more than must be sent, or
    none (forced_only). lanes: at most this many VLs. engine: of the fresh tables that the repair is
    compared with. among: all, compute, storage, service or a file of hosts. host_order: a file with
    the order in which jobs get hosts.

    >>> from fatwood import route
    >>> whole = Fabric("ft(4,2)")
    >>> now = whole.without(cut="S1_0[1]")
    >>> tables, result = repair(now, route(whole, "updn+"))
    >>> result.deadlock_free
    True
    """
    printed, core = call(
        _core.repair,
        core_of(fabric),
        tables_of(old),
        forced_only=forced_only,
        spare_blocks=spare_blocks,
        blocks=blocks,
        lanes=lanes,
        engine=engine,
        among=among,
        host_order=host_order,
        threads=threads,
    )
    return Routing(fabric, core), Result(printed)


def diff(
    before: Fabric,
    after: Fabric,
    tables: Optional[tuple[Routing, Routing]] = None,
    *,
    threads: int = 0,
) -> Result:
    """What differs between two fabrics, and between their tables, old and new.

    >>> diff(Fabric("ft(4,2)"), Fabric("ft(4,2)")).same
    True
    """
    if tables is not None and (not isinstance(tables, (tuple, list)) or len(tables) != 2):
        raise InputError(f"expected a pair of tables, old and new, not {tables!r}")
    old, now = (None, None) if tables is None else map(tables_of, tables)
    return Result(call(_core.diff, core_of(before), core_of(after), old, now, threads=threads))


def transition(fabric: Fabric, old: Routing, new: Routing, *, threads: int = 0) -> Result:
    """Whether old and new tables may be mixed while switches are rewritten, and in which order."""
    return Result(call(_core.transition, core_of(fabric), tables_of(old), tables_of(new), threads=threads))
