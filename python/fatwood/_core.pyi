# SPDX-License-Identifier: BSD-3-Clause
# The compiled layer (python/src), for mypy.
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

version: str

class CoreInputError(ValueError): ...
class CorePromiseError(RuntimeError): ...

class Printed:
    @property
    def json(self) -> str: ...
    @property
    def text(self) -> str: ...

class NodeInput:
    def __init__(self, name: str, is_switch: bool, ports: int, guid: int) -> None: ...

class CableInput:
    def __init__(self, a: int, port_a: int, b: int, port_b: int) -> None: ...

def check_output(option: str, path: str, form: str, force: bool) -> None: ...

class SimWords:
    loads: list[float]
    traffic: str
    adaptive: bool
    paths: str
    cycles: int
    message_flits: int
    packet_flits: int
    buffer_packets: int
    lanes: int
    queueing: str
    receivers: str
    crossbar: int
    link_latency: int
    switch_latency: int
    seed: int
    threads: int

class JobWords:
    hosts: str
    collective: str
    message_size: str
    trace: str
    ranks_per_host: int
    adapters: int
    rate: str
    beside: str
    weight: int
    channels: int
    cross_nic: int
    no_pxn: bool
    window: int
    root: int
    latency: str
    groups: str
    tensor: int
    data: int
    pipeline: int
    expert: int
    hashed: bool
    queue_pairs: int
    improve: str
    free: str
    tries: Optional[int]
    seed: int
    threads: int

class PlanWords:
    hosts: int
    rails: int
    adapter_ports: int
    rate: int
    radix: int
    spine_radix: str
    split: int
    catalogue: str
    oversubscription: str
    unit: int
    pod: int
    planes: int
    unit_spine: bool
    reserve: list[str]
    growth: str
    twin: bool
    prices: str
    layout: str
    cables: str
    figures: str
    engine: str
    choose: int
    threads: int

class Fabric:
    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    def counts(self) -> list[int]: ...
    def names(self, switches: bool) -> list[str]: ...
    def host_names(self) -> list[str]: ...
    def ports(self) -> npt.NDArray[np.uint32]: ...
    def guids(self) -> npt.NDArray[np.uint64]: ...
    def peer(self) -> npt.NDArray[np.uint32]: ...
    def owner(self) -> npt.NDArray[np.uint32]: ...
    def port(self) -> npt.NDArray[np.uint32]: ...
    def leaves(self) -> npt.NDArray[np.uint32]: ...
    def levels(self) -> npt.NDArray[np.uint16]: ...
    def same(self, other: Fabric) -> bool: ...

class Routing:
    @property
    def engine(self) -> str: ...
    @property
    def lmc(self) -> int: ...
    @property
    def num_lanes(self) -> int: ...
    @property
    def adaptive(self) -> bool: ...
    @property
    def warnings(self) -> list[str]: ...
    def levels(self) -> npt.NDArray[np.uint8]: ...
    def ports(self, target: int, switch: int) -> list[int]: ...
    def of_same_fabric(self, fabric: Fabric) -> bool: ...
    def save(self, path: str) -> None: ...

Routes = Union[str, Routing]
Flows = tuple[Sequence[int], Sequence[int], Sequence[int], int]
Tell = Optional[Callable[[float, str], None]]

def load_fabric(source: str, options: dict[str, Any]) -> Fabric: ...
def build_fabric(
    name: str, nodes: Sequence[NodeInput], cables: Sequence[CableInput]
) -> Fabric: ...
def damaged(fabric: Fabric, options: dict[str, Any]) -> Fabric: ...
def show(fabric: Fabric, all: bool) -> Printed: ...
def families() -> list[tuple[str, str]]: ...
def tables(routing: Routing) -> npt.NDArray[np.uint8]: ...
def route(
    fabric: Fabric, name: str, options: dict[str, Any], seed: int, threads: int, tell: Tell
) -> Routing: ...
def load_tables(fabric: Fabric, path: str, sl: str, sl2vl: str) -> Routing: ...
def routing_from_array(fabric: Fabric, array: npt.NDArray[np.uint8], name: str) -> Routing: ...
def paths(fabric: Fabric, routes: Routes, source: int, destination: int) -> list[list[int]]: ...
def summary(routing: Routing, threads: int) -> Printed: ...
def engines() -> list[dict[str, Any]]: ...
def verify(
    fabric: Fabric,
    routing: Routing,
    terminals_only: bool,
    rechoose: bool,
    old: Optional[Routing],
    certificate: str,
    threads: int,
) -> Printed: ...
def worst(
    fabric: Fabric, routes: Routes, permutation: bool, seed: int, threads: int, tell: Tell
) -> tuple[Printed, npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.int64], int]: ...
def load(
    fabric: Fabric,
    routes: Routes,
    traffic: Union[str, Flows],
    top: int,
    seed: int,
    threads: int,
    tell: Tell,
) -> tuple[Printed, npt.NDArray[np.int64], int]: ...
def permutations(
    fabric: Fabric,
    routings: Sequence[Routes],
    samples: int,
    width: float,
    seed: int,
    threads: int,
    tell: Tell,
) -> Printed: ...
def shifts(fabric: Fabric, routings: Sequence[Routes], seed: int, threads: int, tell: Tell) -> Printed: ...
def compare(fabric: Fabric, routings: Sequence[Routes], seed: int, threads: int, tell: Tell) -> Printed: ...
def page(
    fabric: Fabric,
    routings: Sequence[Routes],
    worst: Sequence[str],
    title: str,
    seed: int,
    threads: int,
    tell: Tell,
) -> str: ...
def write(path: str, text: str) -> None: ...
def patterns() -> list[tuple[str, str]]: ...
def repair(
    fabric: Fabric, old: Routing, forced_only: bool, spare_blocks: int, lanes: int, threads: int
) -> tuple[Printed, Routing]: ...
def diff(
    before: Fabric, after: Fabric, old: Optional[Routing], now: Optional[Routing], threads: int
) -> Printed: ...
def plan(words: PlanWords, tell: Tell) -> Printed: ...
def check_cabling(
    plan: Union[str, Fabric], found: Union[str, Fabric], earlier: Union[None, str, Fabric]
) -> Printed: ...
def transition(fabric: Fabric, old: Routing, now: Routing, threads: int) -> Printed: ...
def whatif(
    routing: Routing,
    only: str,
    sets: int,
    samples: int,
    permutations: int,
    seed: int,
    threads: int,
    tell: Tell,
) -> Printed: ...
def job(fabric: Fabric, routes: Routes, words: JobWords, tell: Tell) -> Printed: ...
def simulate(
    fabric: Fabric, routes: Routes, words: SimWords, tell: Tell
) -> tuple[Printed, str, list[npt.NDArray[np.float64]]]: ...
def parse_loads(text: str) -> list[float]: ...
