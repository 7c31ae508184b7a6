# SPDX-License-Identifier: BSD-3-Clause
"""Options that a call takes by name and hands on."""

from __future__ import annotations

from typing import Any, Mapping

from ._errors import InputError

_KINDS = {str: "text", bool: "True or False", int: "a whole number", float: "a number"}


def set_options(words: Any, options: Mapping[str, Any], others: tuple[str, ...] = ()) -> None:
    """Sets attributes of words; a TypeError names those that there are, but for others. A value of a
    wrong type or size is an InputError."""
    for name, value in options.items():
        if name.startswith("_") or name in others or not hasattr(words, name):
            known = ", ".join(n for n in dir(words) if not n.startswith("_") and n not in others)
            raise TypeError(f"no option {name}; there are {known}")
        kind = type(getattr(words, name))
        if kind is str and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # message_size=1048576
        try:
            setattr(words, name, value)
        except TypeError:
            expected = _KINDS.get(kind, "another value")
            if kind is int and isinstance(value, int):
                expected = "0 or more" if value < 0 else "a smaller number"
            raise InputError(f"{name}={value!r}: expected {expected}") from None
