# SPDX-License-Identifier: BSD-3-Clause
"""Routings: forwarding tables of an engine, a file, an array, or a function of one's own."""

from __future__ import annotations

import html
from functools import cached_property
from typing import Any, Callable, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError, call, file_name, listed
from ._fabric import Fabric, core_of
from ._progress import OptionalProgress
from ._result import Result

NO_ROUTE = 255  # in tables

Tables = npt.NDArray[np.uint8]
PythonEngine = Callable[[Fabric], Any]  # gives an array of tables
AnyRouting = Union[str, "Routing", PythonEngine, npt.NDArray[Any]]


class Engine(NamedTuple):
    name: str
    summary: str
    needs: str
    deadlock_free: bool
    lmc: bool


def engines() -> Sequence[Engine]:
    """The engines that are built in."""
    return tuple(Engine(**row) for row in _core.engines())


class Routing:
    """Routes of a fabric. Made by ``route``, ``Routing.load`` or ``Routing.from_tables``."""

    def __init__(self, fabric: Fabric, core: _core.Routing) -> None:
        self._fabric = fabric
        self._core = core

    @classmethod
    def load(cls, fabric: Fabric, path: str, *, sl: str = "", sl2vl: str = "") -> Routing:
        """From a file of tables (dump_lfts, lfts.dump, ibdiagnet.fdbs, .far), with the service level of
        each path and OpenSM's dump of SL2VL tables if there are any."""
        if sl2vl and not sl:
            raise InputError("sl2vl has no effect without sl")
        return cls(fabric, call(_core.load_tables, core_of(fabric), *map(file_name, (path, sl, sl2vl))))

    @classmethod
    def from_tables(cls, fabric: Fabric, tables: Any, name: str = "tables") -> Routing:
        """Of any array [target, switch] of ports; 255 is none, and 0 a switch's own entry. Targets are the
        terminals, 2^lmc rows each, then the switches. The array is copied."""
        array = np.asarray(tables)
        if array.dtype != np.uint8:
            if array.dtype.kind not in "iu" or array.size and (array.min() < 0 or array.max() > 255):
                raise InputError(f"tables of {array.dtype}: expected whole numbers from 0 to 255")
            array = array.astype(np.uint8)
        return cls(fabric, call(_core.routing_from_array, core_of(fabric), np.ascontiguousarray(array), name=name))

    @property
    def fabric(self) -> Fabric:
        return self._fabric

    @property
    def engine(self) -> str:
        return self._core.engine

    @property
    def lmc(self) -> int:
        return self._core.lmc

    @property
    def num_lanes(self) -> int:
        return self._core.num_lanes

    @property
    def adaptive(self) -> bool:
        """Whether some entry can take several ports."""
        return self._core.adaptive

    @property
    def warnings(self) -> Sequence[str]:
        return tuple(self._core.warnings)

    @cached_property
    def tables(self) -> Tables:
        """Ports, [target, switch], over the library's memory: no copy, and it can't be written."""
        return _core.tables(self._core)

    @cached_property
    def lanes(self) -> Tables:
        """Service levels, [target, source switch]; made when first asked for."""
        return self._core.levels()

    def sets(self, target: int, switch: int) -> Sequence[int]:
        """All ports that a switch can send to a target by: one, or those of an adaptive entry."""
        return tuple(call(self._core.ports, target=target, switch=switch))

    def paths(self, source: Union[int, str], destination: Union[int, str]) -> Sequence[Sequence[str]]:
        """The channels of each path between two hosts, by number or name.

        >>> import fatwood
        >>> fatwood.route(fatwood.Fabric("ft(4,2)"), "sftree").paths("H0", "H1")
        (('H0[1]', 'S1_0[4]'),)
        """
        pair = [self._fabric._host(end) for end in (source, destination)]
        name = self._fabric.channel_name
        found = call(_core.paths, self._fabric._core, self._core, *pair)
        return tuple(tuple(name(channel) for channel in path) for path in found)

    def summary(self, *, threads: int = 0) -> Result:
        """What `fatwood route` prints."""
        return Result(call(_core.summary, self._core, threads=threads))

    def save(self, path: str, *, force: bool = False) -> None:
        """A file as `opensm -R file -U FILE` reads it. It appears whole or not at all. A file that does not
        look like tables is replaced only by ``force``."""
        call(_core.check_output, "path", file_name(path), "tables", force=force)
        call(self._core.save, file_name(path))

    def __repr__(self) -> str:
        lanes = "lane" if self.num_lanes == 1 else "lanes"
        return f"<Routing {self.engine} of {self._fabric.name}: {self.num_lanes} {lanes}, lmc {self.lmc}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.summary().text)}</pre>"


def route(
    fabric: Fabric,
    engine: Union[str, PythonEngine],
    *,
    seed: int = 1,
    threads: int = 0,
    progress: OptionalProgress = None,
    **options: Any,
) -> Routing:
    """Routes a fabric: by an engine ("sftree"), an algebraic routing of complete trees ("disjoint:4"), or a
    function that takes the fabric and gives an array of tables. ``options`` are those of engines on the
    command line: ``lmc``, ``lanes``, ``order`` (names), ``manager``, ``effort`` and others.

    >>> route(Fabric("ft(4,2)"), "updn+").tables.shape
    (14, 6)
    """
    if callable(engine):
        return own(fabric, engine)
    core = core_of(fabric)
    if not isinstance(engine, str):
        raise InputError(f"expected the name of an engine or a function, not {engine!r}")
    return Routing(fabric, call(_core.route, core, engine, options, seed=seed, threads=threads, progress=progress))


def own(fabric: Fabric, engine: PythonEngine) -> Routing:
    """The routing that a function gives."""
    made = engine(fabric)
    if isinstance(made, Routing):
        return made
    return Routing.from_tables(fabric, made, getattr(engine, "__name__", "function"))


def resolved(fabric: Fabric, routing: AnyRouting) -> Union[str, _core.Routing]:
    """What the library takes: a name, or routes."""
    if isinstance(routing, str):
        return routing
    if isinstance(routing, Routing):
        if not routing._core.of_same_fabric(core_of(fabric)):
            raise InputError(f"{routing!r} is of another fabric than {fabric!r}")
        return routing._core
    if callable(routing):
        return own(fabric, routing)._core
    return Routing.from_tables(fabric, routing)._core


def tables_of(routing: Any) -> _core.Routing:
    """What the library takes for routes that are made already."""
    if not isinstance(routing, Routing):
        raise InputError(f"expected a Routing, not {routing!r}")
    return routing._core


def pair(fabric: Union[Fabric, Routing], routing: Optional[AnyRouting]) -> tuple[Fabric, AnyRouting]:
    """(fabric, routing), or the fabric of a routing given alone."""
    if isinstance(fabric, Routing):
        if routing is not None:
            raise TypeError("expected a Routing alone, or a Fabric and a routing")
        return fabric.fabric, fabric
    if routing is None:
        raise TypeError("expected a Routing, or a Fabric and a routing")
    return fabric, routing
