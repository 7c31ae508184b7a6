# SPDX-License-Identifier: BSD-3-Clause
"""Fabrics: switches, adapters and the cables between their ports."""

from __future__ import annotations

import html
import operator
from collections import Counter
from functools import cached_property
from typing import Any, ClassVar, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError, call, file_name, listed, missing
from ._result import Result

_HINTS = ("roots", "compute", "io", "uncounted", "count_aggregation")
Edge = Sequence[Any]  # (a, b), or (a, port, b, port)


class Fabric:
    """A fabric by formula, from a file of any format that Fatwood reads, or of one's own edges.

    >>> Fabric("xgft(2;4,4;1,2)").num_switches
    6
    >>> Fabric("ft(4,2)", cut="S1_0[3]").num_cables
    15

    Nodes are numbered adapters first, then switches; a channel is one direction of a cable and has
    the number of the port that it leaves by. Arrays can't be written.
    """

    NONE: ClassVar[int] = 0xFFFFFFFF  # in ``peer``: no cable; in ``leaves``: no switch

    def __init__(self, source: str, **options: Any) -> None:
        """``options`` are those of FABRIC on the command line, with underscores: ``cut``, ``remove``,
        ``fault_seed``, ``keep_connected``, ``roots``, ``compute``, ``node_name_map`` and others. Where the
        command line takes a file of nodes, they are names."""
        self._hints = {name: value for name, value in options.items() if name in _HINTS}
        self._core: _core.Fabric = call(_core.load_fabric, file_name(source), options)

    @classmethod
    def _of(cls, core: _core.Fabric, hints: Optional[Mapping[str, Any]] = None) -> Fabric:
        fabric = cls.__new__(cls)
        fabric._core = core
        fabric._hints = dict(hints or {})
        return fabric

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Edge],
        hosts: Optional[Iterable[str]] = None,
        *,
        ports: Optional[Mapping[str, int]] = None,
        name: str = "edges",
    ) -> Fabric:
        """Of cables (a, b), or (a, port, b, port), between nodes that have names.

        ``hosts`` are the adapters; without it, all nodes with one cable. Ports that are not given are
        taken in order; ``ports`` says how many a node has (default: as many as it needs).

        >>> Fabric.from_edges([("h0", "s0"), ("h1", "s1"), ("s0", "s1"), ("s0", "s1")])
        <Fabric edges: 2 switches, 2 hosts, 4 cables>
        """
        ends: list[tuple[str, Optional[int], str, Optional[int]]] = []
        for i, edge in enumerate(listed(edges, "a list of edges")):
            try:
                if len(edge) == 2:
                    ends.append((str(edge[0]), None, str(edge[1]), None))
                else:
                    a, port_a, b, port_b = edge
                    ends.append((str(a), operator.index(port_a), str(b), operator.index(port_b)))
                    if not (1 <= port_a <= 255 and 1 <= port_b <= 255):
                        raise ValueError
            except (TypeError, ValueError):
                raise InputError(
                    f"edge {i}: expected (a, b) or (a, port, b, port) with ports from 1 to 255, not {edge!r}"
                ) from None
        degree = Counter(name for a, _, b, _ in ends for name in (a, b))
        adapters = {n for n in degree if degree[n] == 1} if hosts is None else {str(n) for n in hosts}
        for unknown in sorted(adapters - degree.keys()):
            raise InputError(f"host {unknown} has no cable")
        taken: dict[str, set[int]] = {n: set() for n in degree}
        for a, port_a, b, port_b in ends:
            for node, port in ((a, port_a), (b, port_b)):
                if port is not None:
                    taken[node].add(port)

        def numbered(node: str, port: Optional[int]) -> int:
            if port is None:
                port = next((p for p in range(1, 256) if p not in taken[node]), None)
                if port is None:
                    raise InputError(f"{node} has more than 255 cables: ports are 1 to 255")
                taken[node].add(port)
            return port

        place = {n: i for i, n in enumerate(degree)}
        cables = [
            _core.CableInput(place[a], numbered(a, port_a), place[b], numbered(b, port_b))
            for a, port_a, b, port_b in ends
        ]
        most = {n: max(taken[n]) for n in degree} | dict(ports or {})
        nodes = [_core.NodeInput(n, n not in adapters, most[n], 0) for n in degree]
        return cls._of(call(_core.build_fabric, name, nodes, cables))

    @classmethod
    def from_networkx(cls, graph: Any, *, name: str = "graph") -> Fabric:
        """Of a networkx graph. Nodes with kind="adapter" are hosts; if no node has a kind, those with
        one edge. Edges may have ``ports``: {node: port}, as ``to_networkx`` does."""
        kinds = {str(n): data.get("kind") for n, data in graph.nodes(data=True)}
        hosts = [n for n, kind in kinds.items() if kind == "adapter"] if any(kinds.values()) else None
        edges: list[Edge] = []
        for a, b, data in graph.edges(data=True):
            at = data.get("ports")
            edges.append((str(a), at[a], str(b), at[b]) if at else (str(a), str(b)))
        ports = {str(n): data["ports"] for n, data in graph.nodes(data=True) if "ports" in data}
        return cls.from_edges(edges, hosts, ports=ports, name=name)

    def without(self, **options: Any) -> Fabric:
        """The same less cables and nodes: ``cut="2%"``, ``cut=["S1_0[3]"]``, ``remove="S2_1"``; also
        ``fault_seed`` and ``keep_connected``."""
        return self._of(call(_core.damaged, self._core, {**self._hints, **options}), self._hints)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def format(self) -> str:
        """"spec", "ibnetdiscover", "edges" ..: what it was read from."""
        return self._core.format

    @property
    def warnings(self) -> Sequence[str]:
        """What the file has wrong, though it can be read."""
        return tuple(self._core.warnings)

    @cached_property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self._core.counts())

    @property
    def num_switches(self) -> int:
        return self._counts[0]

    @property
    def num_adapters(self) -> int:
        return self._counts[1]

    @property
    def num_nodes(self) -> int:
        return self._counts[0] + self._counts[1]

    @property
    def num_terminals(self) -> int:
        """Connected adapter ports: the first targets of forwarding tables."""
        return self._counts[2]

    @property
    def num_hosts(self) -> int:
        """Senders and receivers of traffic: adapters that count."""
        return self._counts[3]

    @property
    def num_cables(self) -> int:
        return self._counts[4]

    @property
    def num_channels(self) -> int:
        """Port slots, connected or not."""
        return self._counts[5]

    @cached_property
    def switches(self) -> Sequence[str]:
        """Names, by number."""
        return tuple(self._core.names(True))

    @cached_property
    def adapters(self) -> Sequence[str]:
        return tuple(self._core.names(False))

    @cached_property
    def hosts(self) -> Sequence[str]:
        return tuple(self._core.host_names())

    @cached_property
    def ports(self) -> npt.NDArray[np.uint32]:
        """By node: its highest port number."""
        return self._core.ports()

    @cached_property
    def guids(self) -> npt.NDArray[np.uint64]:
        """By node."""
        return self._core.guids()

    @cached_property
    def peer(self) -> npt.NDArray[np.uint32]:
        """By channel: the other direction; NONE where there is no cable."""
        return self._core.peer()

    @cached_property
    def owner(self) -> npt.NDArray[np.uint32]:
        """By channel: the node that it leaves."""
        return self._core.owner()

    @cached_property
    def port(self) -> npt.NDArray[np.uint32]:
        """By channel: the number of its port on its node."""
        return self._core.port()

    @cached_property
    def leaves(self) -> npt.NDArray[np.uint32]:
        """By terminal: the switch that it hangs on."""
        return self._core.leaves()

    @cached_property
    def levels(self) -> npt.NDArray[np.uint16]:
        """By switch: 1 for leaves, more above."""
        return self._core.levels()

    def channel_name(self, channel: int) -> str:
        """"S1_0[3]"

        >>> fabric = Fabric("ft(4,2)")
        >>> fabric.channel_name(int(fabric.peer[1]))
        'S1_0[3]'
        """
        if not hasattr(channel, "__index__") or not 0 <= operator.index(channel) < self.num_channels:
            raise InputError(f"no channel {channel!r}: expected 0 to {self.num_channels - 1}")
        node = int(self.owner[channel])
        name = self.adapters[node] if node < self.num_adapters else self.switches[node - self.num_adapters]
        return f"{name}[{int(self.port[channel])}]"

    @cached_property
    def _host_numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.hosts)}

    def _host(self, host: Any) -> int:
        """The number of a host that is given by name or number."""
        number: Any = self._host_numbers.get(host) if isinstance(host, str) else host
        if hasattr(number, "__index__") and 0 <= operator.index(number) < self.num_hosts:
            return operator.index(number)
        raise InputError(f"no host {host!r}: expected a name, or a number from 0 to {self.num_hosts - 1}")

    def show(self, *, all: bool = False) -> Result:
        """Description and findings, as `fatwood show` prints them."""
        return Result(call(_core.show, self._core, all), "levels")

    def to_networkx(self) -> Any:
        """A networkx.MultiGraph: nodes by name with kind, level and ports; edges with their ports."""
        try:
            import networkx  # type: ignore[import]
        except ImportError:
            raise missing("networkx", "to_networkx") from None
        names = list(self.adapters) + list(self.switches)
        if len(set(names)) != len(names):
            names = [f"{name} {guid:#x}" for name, guid in zip(names, map(int, self.guids))]
        graph = networkx.MultiGraph(name=self.name)
        for node, name in enumerate(names):
            if node < self.num_adapters:
                graph.add_node(name, kind="adapter", ports=int(self.ports[node]))
            else:
                level = int(self.levels[node - self.num_adapters])
                graph.add_node(name, kind="switch", level=level, ports=int(self.ports[node]))
        for channel in map(int, np.flatnonzero(self.peer != self.NONE)):
            other = int(self.peer[channel])
            if channel < other:
                a, b = names[self.owner[channel]], names[self.owner[other]]
                graph.add_edge(a, b, ports={a: int(self.port[channel]), b: int(self.port[other])})
        return graph

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fabric) and self._core.same(other._core)

    def __hash__(self) -> int:
        return hash(self._counts)

    def __repr__(self) -> str:
        return (
            f"<Fabric {self.name}: {self.num_switches} switches, {self.num_hosts} hosts, {self.num_cables} cables>"
        )

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.show().text)}</pre>"


def core_of(fabric: Any) -> _core.Fabric:
    """What the library takes for a fabric."""
    if not isinstance(fabric, Fabric):
        raise InputError(f"expected a Fabric, not {fabric!r}")
    return fabric._core


def families() -> dict[str, str]:
    """The formulas there are, and what each makes."""
    return dict(_core.families())
