# SPDX-License-Identifier: Apache-2.0
"""A whole table: from data frames and arrays to features, and to the part of a posterior file that remembers the columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from fedstein._checks import counted, shown
from fedstein._column import Column, study
from fedstein.errors import InvalidArgument


def is_frame(x: Any) -> bool:
    return hasattr(x, "iloc") and hasattr(x, "columns")


def place_name(place: int) -> str:
    """Of a column without a name, as the fedstein program calls it."""
    return f"column {place}"


def _frame_of(x: Any, names: Sequence[str]) -> Any:
    import pandas

    return pandas.DataFrame(np.asarray(x), columns=list(names))


@dataclasses.dataclass(frozen=True)
class Columns:
    """The columns that a model learned from, in order. `named`: by the data frame; otherwise they have numbers only."""

    columns: tuple[Column, ...]
    named: bool

    @classmethod
    def study(cls, x: Any, impute: bool = False) -> Columns:
        """Of training rows: a data frame, or an array of numbers that somebody has checked already."""
        if not is_frame(x):
            return cls(tuple(_of_array(np.asarray(x, dtype=np.float64), impute)), named=False)
        if len(x.columns) == 0:
            raise InvalidArgument("X has no column; at least one is needed")
        named = all(isinstance(name, str) for name in x.columns)
        names = [str(name) if named else place_name(place) for place, name in enumerate(x.columns)]
        if "" in names:
            raise InvalidArgument(f"X: column {names.index('')} (from 0) has an empty name; every column needs one")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidArgument(f"X: two columns are called '{twice}'; names must differ")
        return cls(tuple(study(name, x.iloc[:, k], impute) for k, name in enumerate(names)), named)

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def feature_names(self) -> list[str]:
        return [name for column in self.columns for name in column.feature_names()]

    @property
    def all_numbers(self) -> bool:
        """Whether a feature is a column as it is: then arrays need no data frame."""
        return all(not column.categories and column.fill is None for column in self.columns)

    def features(self, x: Any) -> tuple[np.ndarray, np.ndarray]:
        """Features (n x p, double, origins subtracted), and per row the number of categories that training has not seen.

        A data frame's columns are found by name, in any order; further columns are left alone. An array has the columns in the
        order of training.
        """
        if is_frame(x):
            frame = self._chosen(x)
        elif self.all_numbers:
            return self._of_numbers(x)
        else:
            frame = _frame_of(self._rows(np.asarray(x)), self.names)
        parts, unknown = [], np.zeros(len(frame), dtype=np.int64)
        for k, column in enumerate(self.columns):
            part, foreign = column.features(frame.iloc[:, k])
            parts.append(part)
            unknown += foreign
        return np.hstack(parts), unknown

    def _chosen(self, frame: Any) -> Any:
        if not self.named:
            return self._rows(frame)
        missing = [name for name in self.names if name not in frame.columns]
        if missing:
            raise InvalidArgument(f"X: there is no column {listed(missing)}; the model was trained on {listed(self.names)}")
        return frame[self.names]

    def _rows(self, x: Any) -> Any:
        if x.ndim != 2 or x.shape[1] != len(self.columns):
            raise InvalidArgument(
                f"X has shape {tuple(x.shape)}; expected rows of {counted(len(self.columns), 'column')}, as in training"
            )
        return x

    def _of_numbers(self, x: Any) -> tuple[np.ndarray, np.ndarray]:
        if np.iscomplexobj(x):
            raise InvalidArgument("X holds complex numbers; numbers must be real")
        try:
            numbers = np.asarray(x, dtype=np.float64)
        except ValueError as problem:
            raise InvalidArgument(f"X holds something other than numbers ({problem})") from None
        except TypeError:
            raise InvalidArgument(
                f"X is {shown(x)}; expected rows of {counted(len(self.columns), 'column')}, as in training"
            ) from None
        self._rows(numbers)
        if not np.isfinite(numbers).all():
            row = int(np.flatnonzero(~np.isfinite(numbers).all(axis=1))[0])
            raise InvalidArgument(f"X holds NaN or infinity in row {row}; numbers must be finite")
        return numbers - self.origins, np.zeros(len(numbers), dtype=np.int64)

    @property
    def origins(self) -> np.ndarray:
        """Of each feature: what was subtracted from it."""
        return np.array(
            [
                column.origin if place == 0 and not column.categories else 0.0
                for column in self.columns
                for place in range(len(column.feature_names()))
            ]
        )

    def to_json(self, labels: str, classes: Sequence[str], label: str | None = None) -> dict[str, Any]:
        """The table of a posterior's header, so that `fedstein predict` reads files of these columns."""
        names = self.names
        if not self.named:
            names = [place_name(place) for place in range(len(self.columns) + 1)]
        label = self._label_name(label)
        return {
            "separator": ",",
            "decimal": ".",
            "header": self.named,
            "columns": [column.to_json() for column in self.columns],
            "label": label,
            "labels": labels,
            "classes": list(classes),
            "group": "",
            "groups": [],
            "ignored": [],
            "missing": "impute" if any(column.fill is not None for column in self.columns) else "refuse",
            "places": [] if self.named else names,
        }

    def _label_name(self, wanted: Any) -> str:
        if not self.named:
            return place_name(len(self.columns))
        name = wanted if isinstance(wanted, str) and wanted else "label"
        while name in self.names:
            name += "_"
        return name

    @classmethod
    def from_json(cls, json: dict[str, Any]) -> Columns:
        return cls(tuple(Column.from_json(column) for column in json["columns"]), named=json["header"])

    @classmethod
    def numbered(cls, features: int) -> Columns:
        """Of a posterior that does not remember its columns."""
        return cls(tuple(Column(f"x{k + 1}") for k in range(features)), named=False)


def check_fits(features: np.ndarray, names: Sequence[str], dtype: str) -> None:
    """Numbers that the precision can hold."""
    wrong = np.abs(features) > np.finfo(dtype).max
    if wrong.any():
        row, place = (int(k) for k in np.argwhere(wrong)[0])
        raise InvalidArgument(f"X: column '{names[place]}' is {features[row, place]:g} in row {row}; numbers must fit into {dtype}")


def _of_array(x: np.ndarray, impute: bool) -> list[Column]:
    """The same as study() column by column, without pandas where nothing is missing."""
    if impute and np.isnan(x).any():
        names = [place_name(place) for place in range(x.shape[1])]
        frame = _frame_of(x, names)
        return [study(name, frame[name], impute) for name in names]
    low, high = x.min(axis=0), x.max(axis=0)
    far = (high > low) & (np.abs(low / 2 + high / 2) > 1e4 * (high - low))
    return [Column(place_name(k), origin=float(low[k]) if far[k] else 0.0) for k in range(x.shape[1])]


def listed(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
