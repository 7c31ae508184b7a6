# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong, as exceptions."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from . import _core

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? ", re.DOTALL)


class Error(Exception):
    """What Fatwood's calls raise: InputError or PromiseError."""


class InputError(Error, ValueError):
    """Input or usage that is wrong, and what was expected.

    ``file``, ``line`` and ``column`` (from 1) tell where, as far as that is known; else None.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.file: Optional[str] = None
        self.line: Optional[int] = None
        self.column: Optional[int] = None
        place = _PLACE.match(message)
        if place:
            self.file = place["file"]
            self.line = int(place["line"])
            self.column = int(place["column"]) if place["column"] else None
        else:
            start = message.split(": ", 1)[0]
            if os.path.exists(start):
                self.file = start


class PromiseError(Error, RuntimeError):
    """A property that was asked for and that this fabric does not allow: the message has the witness."""


def missing(package: str, purpose: str) -> ImportError:
    """The error of an optional package that is not there."""
    return ImportError(f"{purpose} needs {package}: install python3-{package} (Debian) or {package} (pip)")


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the library as errors of this package."""
    try:
        yield
    except _core.CoreInputError as error:
        raise InputError(str(error)) from None
    except _core.CorePromiseError as error:
        raise PromiseError(str(error)) from None


def call(function: Any, *arguments: Any) -> Any:
    """Calls the library. An argument of a wrong type or size is an InputError."""
    try:
        with translated():
            return function(*arguments)
    except TypeError as error:
        if "incompatible function arguments" not in str(error):
            raise
        given = ", ".join(repr(a) for a in arguments if isinstance(a, (str, int, float, type(None))))
        raise InputError(f"{function.__name__}: a value has the wrong type or is too large: {given}") from None
