# SPDX-License-Identifier: BSD-3-Clause
"""Progress of long calls: any function of (fraction, text) will do; ``bar`` makes one."""

from __future__ import annotations

import sys
from typing import Callable, Optional

Progress = Callable[[float, str], None]


def bar(label: str = "") -> Progress:
    """A line that is written over, on stderr: for ``progress=`` in a terminal or a notebook."""

    def tell(fraction: float, text: str) -> None:
        filled = "#" * int(fraction * 24)
        print(f"\r{label} [{filled:-<24}] {fraction:4.0%} {text:<40}", end="", file=sys.stderr, flush=True)

    return tell


OptionalProgress = Optional[Progress]
