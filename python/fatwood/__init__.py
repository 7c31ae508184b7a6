# SPDX-License-Identifier: BSD-3-Clause
"""Fatwood routes lossless fat-tree fabrics, proves the routes and measures them.

>>> import fatwood
>>> fabric = fatwood.Fabric("ft(4,2)")
>>> fabric
<Fabric ft(4,2): 6 switches, 8 hosts, 16 cables>
>>> routing = fatwood.route(fabric, "sftree")
>>> fatwood.verify(routing).holds
True

Values are immutable; every result has what the command line prints: as text in ``.text``, as data by
item or attribute. Wrong input is an ``InputError``, a promise that a fabric does not allow a
``PromiseError``; both are an ``Error``. Long calls leave the interpreter free, end on Ctrl-C, and take ``progress=``.
"""

from ._changes import diff, repair, transition
from ._connect import Server, connect
from ._core import version as __version__
from ._errors import Error, InputError, PromiseError
from ._fabric import Fabric, families
from ._jobs import job, whatif
from ._judge import compare, load, patterns, permutations, report, shifts, simulate, verify, worst
from ._plan import check_cabling, plan
from ._progress import bar
from ._result import LoadResult, Result, SimulationResult, WorstResult
from ._routing import NO_ROUTE, Engine, Routing, engines, route

__all__ = [
    "Engine",
    "Error",
    "Fabric",
    "InputError",
    "LoadResult",
    "NO_ROUTE",
    "PromiseError",
    "Result",
    "Routing",
    "Server",
    "SimulationResult",
    "WorstResult",
    "__version__",
    "bar",
    "check_cabling",
    "compare",
    "connect",
    "diff",
    "engines",
    "families",
    "job",
    "load",
    "patterns",
    "permutations",
    "plan",
    "repair",
    "report",
    "route",
    "shifts",
    "simulate",
    "transition",
    "verify",
    "whatif",
    "worst",
]
