# SPDX-License-Identifier: Apache-2.0
"""Arguments that many functions take. A refusal names the argument, its value and what is allowed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fedstein.errors import InvalidArgument

PRECISIONS = ("float32", "float64")


_MOST_SHOWN = 80
_LARGEST = 2**63 - 1  # that C++ takes


def shown(value: Any) -> str:
    """A value for a sentence: on one line, the first of it where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + " ..."


def counted(count: int, what: str) -> str:
    """ "1 row", "2 rows", "2 classes"."""
    return f"{count} {what}" + ("" if count == 1 else "es" if what.endswith("s") else "s")


def one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    raise InvalidArgument(f"{name} is {shown(value)}; allowed: {', '.join(repr(word) for word in allowed)}")


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number, written as an int or as NumPy's."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    if is_whole and least <= value <= (_LARGEST if most is None else most):
        return int(value)
    if most is None and is_whole and value > _LARGEST:
        most = _LARGEST
    limit = f" and at most {most}" if most is not None else ""
    raise InvalidArgument(f"{name} is {shown(value)}; allowed: a whole number of at least {least}{limit}")


def number(name: str, value: Any, above: float | None = None, below: float | None = None) -> float:
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))
    good = is_number and _is_finite(value) and (above is None or value > above) and (below is None or value < below)
    if good:
        return float(value)
    limits = [f"above {above}"] if above is not None else []
    limits += [f"below {below}"] if below is not None else []
    raise InvalidArgument(f"{name} is {shown(value)}; allowed: a number {' and '.join(limits) or 'that is finite'}")


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # of a whole number that no float can be
        return False


def flag(name: str, value: Any) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise InvalidArgument(f"{name} is {shown(value)}; allowed: True or False")


def precision(value: Any) -> str:
    """ "float32" or "float64", also where NumPy's own names are given."""
    try:
        name = value if isinstance(value, str) else np.dtype(value).name
    except (TypeError, ValueError):
        name = value
    return one_of("dtype", name, PRECISIONS)


def unused(name: str, value: Any, usual: Any, why: str) -> None:
    """Refuses a value other than the usual one where nothing looks at it."""
    if not _same(value, usual):
        raise InvalidArgument(f"{name} is {shown(value)}, which nothing would look at: {why}")


def _same(value: Any, usual: Any) -> bool:
    return value is usual or (isinstance(value, (int, float, str)) and bool(value == usual))


def seed(value: Any) -> int:
    return whole("seed", value, 0, 2**64 - 1)


def matrix(name: str, value: Any, columns: int | None = None) -> np.ndarray:
    """Rows and columns of finite numbers; a data frame of numbers is one too."""
    if np.iscomplexobj(value):
        raise InvalidArgument(f"{name} holds complex numbers; numbers must be real")
    try:
        out = np.asarray(value, dtype=np.float64) if not _is_real(value) else np.asarray(value)
    except ValueError as problem:
        raise InvalidArgument(f"{name} holds something other than numbers ({problem})") from None
    except TypeError:
        raise InvalidArgument(f"{name} is {shown(value)}; expected rows and columns of numbers") from None
    if out.ndim == 0:
        raise InvalidArgument(f"{name} is {shown(value)}; expected rows and columns of numbers")
    if out.ndim != 2 or (columns is not None and out.shape[1] != columns):
        wanted = "rows and columns" if columns is None else f"rows of {counted(columns, 'column')}"
        raise InvalidArgument(f"{name} has shape {out.shape}; expected {wanted}")
    return out


def vector(name: str, value: Any, length: int | None = None) -> np.ndarray:
    if isinstance(value, (str, bytes, Mapping)):
        raise InvalidArgument(f"{name} is {shown(value)}; expected a list or array of one dimension")
    try:
        out = np.asarray(value)
    except (TypeError, ValueError) as problem:
        raise InvalidArgument(f"{name} is no array ({problem})") from None
    if out.ndim != 1 or (length is not None and len(out) != length):
        wanted = "one dimension" if length is None else f"one value for each of the {counted(length, 'row')} of X"
        raise InvalidArgument(f"{name} has shape {out.shape}; expected {wanted}")
    return out


def _is_real(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fiub"


def function(name: str, value: Any) -> Any:
    if callable(value):
        return value
    raise InvalidArgument(f"{name} is {shown(value)}; allowed: a function")
