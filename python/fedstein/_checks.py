# SPDX-License-Identifier: Apache-2.0
"""Arguments that many functions take. A refusal names the argument, its value and what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fedstein.errors import InvalidArgument

PRECISIONS = ("float32", "float64")


def one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    raise InvalidArgument(f"{name} is {value!r}; allowed: {', '.join(repr(word) for word in allowed)}")


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number, written as an int or as NumPy's."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    if is_whole and value >= least and (most is None or value <= most):
        return int(value)
    limit = f" and at most {most}" if most is not None else ""
    raise InvalidArgument(f"{name} is {value!r}; allowed: a whole number of at least {least}{limit}")


def number(name: str, value: Any, above: float | None = None, below: float | None = None) -> float:
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))
    good = is_number and np.isfinite(value) and (above is None or value > above) and (below is None or value < below)
    if good:
        return float(value)
    limits = [f"above {above}"] if above is not None else []
    limits += [f"below {below}"] if below is not None else []
    raise InvalidArgument(f"{name} is {value!r}; allowed: a number {' and '.join(limits) or 'that is finite'}")


def precision(value: Any) -> str:
    """ "float32" or "float64", also where NumPy's own names are given."""
    try:
        name = value if isinstance(value, str) else np.dtype(value).name
    except TypeError:
        name = value
    return one_of("dtype", name, PRECISIONS)


def seed(value: Any) -> int:
    return whole("seed", value, 0, 2**64 - 1)


def matrix(name: str, value: Any, columns: int | None = None) -> np.ndarray:
    """Rows and columns of finite numbers; a data frame of numbers is one too."""
    if np.iscomplexobj(value):
        raise InvalidArgument(f"{name} holds complex numbers; numbers must be real")
    try:
        out = np.asarray(value, dtype=np.float64) if not _is_real(value) else np.asarray(value)
    except (TypeError, ValueError) as problem:
        raise InvalidArgument(f"{name} holds something other than numbers ({problem})") from None
    if out.ndim != 2 or (columns is not None and out.shape[1] != columns):
        wanted = "rows and columns" if columns is None else f"rows of {columns} columns"
        raise InvalidArgument(f"{name} has shape {out.shape}; expected {wanted}")
    return out


def vector(name: str, value: Any, length: int | None = None) -> np.ndarray:
    try:
        out = np.asarray(value)
    except (TypeError, ValueError) as problem:
        raise InvalidArgument(f"{name} is no array ({problem})") from None
    if out.ndim != 1 or (length is not None and len(out) != length):
        wanted = "one dimension" if length is None else f"{length} entries, one for each row of X"
        raise InvalidArgument(f"{name} has shape {out.shape}; expected {wanted}")
    return out


def _is_real(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fiub"


def function(name: str, value: Any) -> Any:
    if callable(value):
        return value
    raise InvalidArgument(f"{name} is {value!r}; allowed: a function")
