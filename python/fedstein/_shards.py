# SPDX-License-Identifier: Apache-2.0
"""The rows that a federation in this process is given: pairs (X, y) or data frames, whose columns are found by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fedstein import _checks
from fedstein._columns import is_frame, listed
from fedstein.errors import InvalidArgument

Shard = tuple[np.ndarray, np.ndarray]


class ShardReader:
    """Turns what users give into matrices. The first data frame with named columns says what they are and in which order."""

    def __init__(self, label: str | None) -> None:
        self._label = label
        #: Of the columns; None where no shard is a data frame with names.
        self.names: list[str] | None = None
        self._named_by = ""
        self._columns: int | None = None

    def shards(self, given: Sequence[Any]) -> list[Shard]:
        try:
            several = list(given)
        except TypeError:
            raise InvalidArgument(f"shards is {_checks.shown(given)}; expected a list of pairs (X, y)") from None
        rows = [self.pair(shard, f"shard {k}") for k, shard in enumerate(several)]
        self._columns = rows[0][0].shape[1] if rows else 0
        return rows

    def pair(self, shard: Any, name: str) -> Shard:
        if is_frame(shard):
            x, y = self._without_label(shard, name)
        else:
            try:
                x, y = shard
            except (TypeError, ValueError):
                raise InvalidArgument(f"{name} is {_checks.shown(shard)}; expected a pair (X, y) or a data frame") from None
        x = self.matrix(x, f"X of {name}", name)
        if x.shape[1] == 0:
            raise InvalidArgument(f"X of {name} has no column; at least one is needed")
        return x, _checks.vector(f"y of {name}", y, len(x))

    def matrix(self, x: Any, name: str, owner: str) -> np.ndarray:
        """Rows without labels. A data frame's columns come in the order of the first data frame's."""
        if is_frame(x):
            x = self._in_order(x, owner)
            _check_numbers(x, name)
        return _checks.matrix(name, x, self._columns)

    def _without_label(self, frame: Any, name: str) -> tuple[Any, Any]:
        if self._label is None or self._label not in frame.columns:
            raise InvalidArgument(
                f"label is {_checks.shown(self._label)}; allowed: the column of {name} that is to be predicted, one of "
                f"{listed([str(column) for column in frame.columns])}"
            )
        y = frame[self._label]
        if y.ndim != 1:
            raise InvalidArgument(f"{name}: two columns are called '{self._label}'; names must differ")
        return frame.drop(columns=self._label), y

    def _in_order(self, frame: Any, owner: str) -> Any:
        names = list(frame.columns)
        if not all(isinstance(name, str) for name in names):
            return frame  # numbers count columns: these are taken by their place
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidArgument(f"{owner}: two columns are called '{twice}'; names must differ")
        if self.names is None and self._columns is not None:
            return frame  # the shards have no names
        if self.names is None:
            self.names, self._named_by = names, owner
        for name in self.names:
            if name not in names:
                raise InvalidArgument(f"{owner} lacks the column '{name}', which {self._named_by} has; it has {listed(names)}")
        for name in names:
            if name not in self.names:
                raise InvalidArgument(f"{owner} has a column '{name}', which {self._named_by} lacks; that has {listed(self.names)}")
        return frame[self.names]


def _check_numbers(frame: Any, name: str) -> None:
    """All bad columns in one sentence."""
    wrong = [str(column) for k, column in enumerate(frame.columns) if not _has_numbers(frame.iloc[:, k])]
    if wrong:
        what = f"column {listed(wrong)} holds" if len(wrong) == 1 else f"columns {listed(wrong)} hold"
        raise InvalidArgument(
            f"{name}: {what} something other than numbers, and a federation takes rows as they are; the estimators make features "
            "of words"
        )


def _has_numbers(values: Any) -> bool:
    if values.dtype.kind == "c":
        return True  # refused for what they are
    try:
        return np.asarray(values, dtype=np.float64).dtype.kind == "f"
    except (TypeError, ValueError):
        return False
