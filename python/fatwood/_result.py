# SPDX-License-Identifier: BSD-3-Clause
"""What calls give: the object that the command line prints with --json, and its text."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Sequence

import numpy as np
import numpy.typing as npt

from . import _core, _plot
from ._errors import missing

if TYPE_CHECKING:
    from ._fabric import Fabric


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _exact(value, key, part) for key, part in value.items()})
    if isinstance(value, list):
        return tuple(_frozen(part) for part in value)
    return value


def _exact(siblings: dict[str, Any], key: str, value: Any) -> Any:
    # "ratio": "4/3" has its value next to it, in "ratio_value".
    if key + "_value" in siblings and isinstance(value, (str, int)) and not isinstance(value, bool):
        return Fraction(value)
    return _frozen(value)


class Result(Mapping[str, Any]):
    """An immutable object of the command line's JSON: ``result["hops"]`` or ``result.hops``.

    Fractions are ``fractions.Fraction``. ``text`` is what the command line prints.
    """

    __slots__ = ("_data", "text", "_table", "_picture")
    text: str

    def __init__(
        self,
        printed: _core.Printed,
        table: Optional[str] = None,
        picture: Optional[Callable[[Any, Any], None]] = None,
    ) -> None:
        object.__setattr__(self, "_data", _frozen(json.loads(printed.json)))
        object.__setattr__(self, "text", printed.text)
        object.__setattr__(self, "_table", table)
        object.__setattr__(self, "_picture", picture)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a result can't be changed: {name}")

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError(f"no {name}; there are {', '.join(self._data)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(_short(key, part) for key, part in self._data.items())}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """The data as dicts and lists of one's own."""

        def thawed(value: Any) -> Any:
            if isinstance(value, Mapping):
                return {key: thawed(part) for key, part in value.items()}
            if isinstance(value, tuple):
                return [thawed(part) for part in value]
            return value

        return {key: thawed(part) for key, part in self.items()}

    def plot(self, ax: Any = None) -> Any:
        """A picture on these matplotlib axes, or on new ones, which are returned."""
        if self._picture is None:
            raise TypeError("this result has no picture")
        ax = _plot.axes(ax)
        self._picture(ax, self)
        return ax

    def to_pandas(self) -> Any:
        """The result's table (engines, points, levels ..) as a pandas.DataFrame."""
        if self._table is None:
            raise TypeError("this result has no table")
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            raise missing("pandas", "a table") from None
        return pandas.json_normalize([_plain(row) for row in self._data[self._table]])


def _short(key: str, value: Any) -> str:
    """One value of a result in its repr: texts and numbers as they are, the size of the rest."""
    if isinstance(value, Mapping):
        return f"{key}={{{len(value)}}}"
    if isinstance(value, tuple):
        return f"{key}=[{len(value)}]"
    return f"{key}={value}"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items() if key not in ("series", "busiest")}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return float(value) if isinstance(value, Fraction) else value


def heat_map(fabric: Fabric, value: npt.NDArray[Any], title: str) -> str:
    """An SVG of the switches' ports as cells: the darker the fuller."""
    cell, left, top = 9, 90, 22
    most = float(value.max()) if value.size else 0.0
    first = fabric.owner.searchsorted(np.arange(fabric.num_adapters, fabric.num_nodes), side="left")
    rows, width = [], 0
    for row, (name, begin) in enumerate(zip(fabric.switches, first)):
        ports = int(fabric.ports[fabric.num_adapters + row])
        width = max(width, ports)
        y = top + row * cell
        if len(fabric.switches) <= 200:
            rows.append(f'<text x="{left - 4}" y="{y + 8}" text-anchor="end">{html.escape(name)}</text>')
        for port in range(1, ports + 1):
            channel = int(begin) + port
            if fabric.peer[channel] == fabric.NONE:
                continue
            shade = float(value[channel]) / most if most else 0.0
            rows.append(
                f'<rect x="{left + (port - 1) * cell}" y="{y}" width="{cell - 1}" height="{cell - 1}" '
                f'fill="rgb({255 - int(55 * shade)},{245 - int(205 * shade)},{235 - int(200 * shade)})">'
                f"<title>{html.escape(name)}[{port}]: {float(value[channel]):.4g}</title></rect>"
            )
    size = f'width="{left + width * cell + 8}" height="{top + len(fabric.switches) * cell + 8}"'
    head = f'<text x="4" y="14" font-weight="bold">{html.escape(title)}, at most {most:.4g}</text>'
    style = 'font-family="sans-serif" font-size="9"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{head}{"".join(rows)}</svg>'


class LoadResult(Result):
    """What a traffic puts on the channels. ``units / units_in_one`` is the load of each channel."""

    __slots__ = ("_fabric", "units", "units_in_one")
    units: npt.NDArray[np.int64]
    units_in_one: int

    def __init__(self, fabric: Fabric, printed: _core.Printed, units: npt.NDArray[np.int64], one: int) -> None:
        super().__init__(printed, "channels", _plot.channels)
        object.__setattr__(self, "_fabric", fabric)
        object.__setattr__(self, "units", units)
        object.__setattr__(self, "units_in_one", one)

    def svg(self) -> str:
        """A picture: switches by ports, the darker the fuller."""
        return heat_map(self._fabric, self.units / self.units_in_one, "load of each channel")

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.svg()


class WorstResult(Result):
    """The worst traffic: flows ``sources[i]`` to ``destinations[i]``, of ``units[i] / units_in_one``."""

    __slots__ = ("sources", "destinations", "units", "units_in_one")
    sources: npt.NDArray[np.uint32]
    destinations: npt.NDArray[np.uint32]
    units: npt.NDArray[np.int64]
    units_in_one: int

    def __init__(
        self,
        printed: _core.Printed,
        sources: npt.NDArray[np.uint32],
        destinations: npt.NDArray[np.uint32],
        units: npt.NDArray[np.int64],
        one: int,
    ) -> None:
        super().__init__(printed)
        object.__setattr__(self, "sources", sources)
        object.__setattr__(self, "destinations", destinations)
        object.__setattr__(self, "units", units)
        object.__setattr__(self, "units_in_one", one)

    @property
    def flows(self) -> list[tuple[int, int, Fraction]]:
        """As ``load(..., traffic=flows)`` takes them."""
        amounts = (Fraction(int(units), self.units_in_one) for units in self.units)
        return list(zip(map(int, self.sources), map(int, self.destinations), amounts))


class SimulationResult(Result):
    """Points of a simulation. ``use[i]`` is the share of time that each channel was busy at point i."""

    __slots__ = ("_svg", "use")
    use: Sequence[npt.NDArray[np.float64]]

    def __init__(self, printed: _core.Printed, svg: str, use: Sequence[npt.NDArray[np.float64]]) -> None:
        super().__init__(printed, "points", _plot.points)
        object.__setattr__(self, "_svg", svg)
        object.__setattr__(self, "use", tuple(use))

    def svg(self) -> str:
        """The curve of accepted load and latency."""
        return str(self._svg)

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.svg()
