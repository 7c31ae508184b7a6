# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong, as exceptions."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from . import _core

class Error(Exception):
    """What Fatwood's calls raise: InputError or PromiseError."""


class InputError(Error, ValueError):
    """Input or usage that is wrong, and what was expected.

    ``file``, ``line`` and ``column`` (from 1) tell where, ``parameter`` is the argument that it is about;
    None where not known. ``cut_short``: a file that has lost its end.
    """

    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    parameter: Optional[str] = None
    cut_short: bool = False


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
        raised = InputError(str(error))
        raised.__dict__.update(error.__dict__)
        raise raised from None
    except _core.CorePromiseError as error:
        raise PromiseError(str(error)) from None
    except OverflowError as error:  # numbers that do not fit, in exact arithmetic
        raise InputError(str(error)) from None


def call(function: Any, *arguments: Any, **options: Any) -> Any:
    """Calls the library with the arguments, then the values of the options in their order. One of a wrong
    type or size is an InputError that names them."""
    try:
        with translated():
            return function(*arguments, *options.values())
    except TypeError as error:
        if "incompatible" not in str(error):  # pybind11's word; functions of the caller raise others
            raise
        given = ", ".join(f"{name}={value!r}" for name, value in options.items())
        raise InputError(f"a value has the wrong type, or is negative or too large: {given}") from None


def file_name(value: Any) -> str:
    """A path as text. InputError for what is none."""
    try:
        return os.fsdecode(value)
    except TypeError:
        raise InputError(f"expected the name of a file, not {value!r}") from None


def listed(values: Any, what: str) -> list[Any]:
    """The values as a list. InputError for what has none."""
    try:
        return list(values)
    except TypeError:
        raise InputError(f"expected {what}, not {values!r}") from None
