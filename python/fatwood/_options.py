# SPDX-License-Identifier: BSD-3-Clause
"""Options that a call takes by name and hands on."""

from __future__ import annotations

from typing import Any, Mapping


def set_options(words: Any, options: Mapping[str, Any], others: tuple[str, ...] = ()) -> None:
    """Sets attributes of words; a TypeError names those that there are, but for others."""
    for name, value in options.items():
        if name.startswith("_") or name in others or not hasattr(words, name):
            known = ", ".join(n for n in dir(words) if not n.startswith("_") and n not in others)
            raise TypeError(f"no option {name}; there are {known}")
        setattr(words, name, value)
