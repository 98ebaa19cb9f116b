# SPDX-License-Identifier: Apache-2.0
"""One column of a table and the features that it becomes, by the rules of docs/tables.md."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import numpy as np

from fedstein._checks import counted, shown
from fedstein.errors import InvalidArgument

MOST_CATEGORIES = 50
_SURELY_NAMES = 6
# Numbers that are this many times their spread away from 0 would lose their digits in single precision.
_FAR_FROM_ZERO = 1e4
_MISSING_WORDS = frozenset(["", "na", "n/a", "nan", "null", "none", "?", "#n/a", "<na>", "-nan"])
_FEW_ROWS, _FEW_IN_TWENTY = 10, 20
# As src/fedstein/table/cell.cc reads numbers: no underscores, no hexadecimal digits.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?", re.ASCII | re.IGNORECASE)
_INFERRED_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal", "empty")


def text_of(value: Any) -> str:
    """A value as a CSV file holds it: how categories and classes are kept."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    return str(value).strip()


def in_order(texts: set[str]) -> list[str]:
    """Numbers by size, words by alphabet."""
    try:
        return sorted(texts, key=lambda text: (float(text), text))
    except ValueError:
        return sorted(texts)


def _texts(values: Any) -> np.ndarray:
    """The column's texts; None where a value is missing."""
    missing = values.isna().to_numpy()
    out = np.empty(len(values), dtype=object)
    for row, value in enumerate(values.to_numpy(dtype=object)):
        text = None if missing[row] else text_of(value)
        out[row] = None if text is None or text.lower() in _MISSING_WORDS else text
    return out


def _is_number(values: Any) -> bool:
    from pandas.api import types

    if types.is_bool_dtype(values) or isinstance(values.dtype, _categorical()):
        return False
    if types.is_numeric_dtype(values) or _holds_numbers(values):
        return True
    texts = [text for text in _texts(values) if text is not None]
    return len(texts) > 0 and all(map(_NUMBER.fullmatch, texts))


def _holds_numbers(values: Any) -> bool:
    """Of a column whose type leaves open what it holds."""
    from pandas.api import types

    return values.dtype == object and types.infer_dtype(values, skipna=True) in _INFERRED_NUMBERS


def _categorical() -> Any:
    import pandas

    return pandas.CategoricalDtype


@dataclasses.dataclass(frozen=True)
class Column:
    """A column as a posterior file describes it; `fill` and `origin` are explained in docs/tables.md."""

    name: str
    categories: tuple[str, ...] = ()
    fill: float | None = None
    marks_missing: bool = True
    origin: float = 0.0

    @property
    def has_mark(self) -> bool:
        return self.fill is not None and self.marks_missing

    def feature_names(self) -> list[str]:
        names = [f"{self.name}={value}" for value in self.categories[1:]] if self.categories else [self.name]
        return names + ([f"{self.name} missing"] if self.has_mark else [])

    def features(self, values: Any) -> tuple[np.ndarray, np.ndarray]:
        """The column's features (n x k), and which rows hold a category that training has not seen."""
        return self._of_words(values) if self.categories else self._of_numbers(values)

    def _of_numbers(self, values: Any) -> tuple[np.ndarray, np.ndarray]:
        numbers = numbers_of(values, self.name)
        lacks = np.isnan(numbers)
        if lacks.any() and self.fill is None:
            raise _no_stand_in(self.name, int(lacks.sum()))
        filled = np.where(lacks, self.fill if self.fill is not None else 0.0, numbers) - self.origin
        parts = [filled] + ([lacks.astype(float)] if self.has_mark else [])
        return np.column_stack(parts), np.zeros(len(filled), dtype=bool)

    def _of_words(self, values: Any) -> tuple[np.ndarray, np.ndarray]:
        place_of = {text: place for place, text in enumerate(self.categories)}
        texts = _texts(values)
        places = np.array([-2 if text is None else place_of.get(text, -1) for text in texts], dtype=int)
        lacks, unknown = places == -2, places == -1
        if lacks.any() and self.fill is None:
            raise _no_stand_in(self.name, int(lacks.sum()))
        if self.has_mark:
            lacks = lacks | unknown  # treated as missing, and reported as unknown all the same
        places[places < 0] = int(self.fill or 0)
        hot = (places[:, None] == np.arange(1, len(self.categories))[None, :]).astype(float)
        parts = [hot] + ([lacks.astype(float)[:, None]] if self.has_mark else [])
        return np.hstack(parts), unknown

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"name": self.name}
        if self.categories:
            out["categories"] = list(self.categories)
        if self.fill is not None:
            out["fill"] = self.fill
        if not self.marks_missing:
            out["marks_missing"] = False
        if self.origin != 0:
            out["origin"] = self.origin
        return out

    @classmethod
    def from_json(cls, json: dict[str, Any]) -> Column:
        return cls(
            name=json["name"],
            categories=tuple(json.get("categories", ())),
            fill=json.get("fill"),
            marks_missing=json.get("marks_missing", True),
            origin=json.get("origin", 0.0),
        )


def _no_stand_in(name: str, missing: int) -> InvalidArgument:
    return InvalidArgument(
        f"X: column '{name}' has {counted(missing, 'missing value')}; training had none, so nothing stands in for them. "
        'Leave these rows out, or train with missing="impute" on rows that lack some'
    )


def numbers_of(values: Any, name: str) -> np.ndarray:
    """The numbers of a column, NaN where they are missing. Infinite ones and words are refused by name."""
    if values.dtype.kind == "c":
        raise InvalidArgument(f"X: column '{name}' holds complex numbers; numbers must be real")
    try:
        plain = values.dtype.kind in "fiub" or _holds_numbers(values)
        numbers = np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan)) if plain else _parsed(values, name)
    except (TypeError, ValueError) as problem:
        if isinstance(problem, InvalidArgument):
            raise
        raise InvalidArgument(f"X: column '{name}' holds something other than numbers ({problem})") from None
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise InvalidArgument(f"X: column '{name}' is infinity in row {row}; numbers must be finite")
    return numbers


def _parsed(values: Any, name: str) -> np.ndarray:
    """Of texts: a file's column that has a word for what is missing in it is read as one of texts."""
    out = np.full(len(values), np.nan)
    for row, text in enumerate(_texts(values)):
        if text is None:
            continue
        if not _NUMBER.fullmatch(text):
            raise InvalidArgument(f"X: column '{name}' is {shown(text)} in row {row}; it holds numbers, as in training")
        out[row] = float(text)
    return out


def study(name: str, values: Any, impute: bool) -> Column:
    """What a column of training rows is: a number or a category, with what stands in for missing values."""
    from pandas.api import types

    if types.is_datetime64_any_dtype(values) or types.is_timedelta64_dtype(values):
        raise InvalidArgument(f"X: column '{name}' holds dates; turn them into numbers, such as days since a fixed day")
    return _study_numbers(name, values, impute) if _is_number(values) else _study_words(name, values, impute)


def _filling(value: float, missing: int, rows: int) -> dict[str, Any]:
    # A mark that a handful of rows has is learned from those rows alone, and runs to where the prior stops it.
    marks = missing >= _FEW_ROWS or _FEW_IN_TWENTY * missing >= rows
    return {"fill": float(value), "marks_missing": marks}


def _study_numbers(name: str, values: Any, impute: bool) -> Column:
    numbers = numbers_of(values, name)
    known = numbers[~np.isnan(numbers)]
    missing = len(numbers) - len(known)
    _check_missing(name, missing, len(known), impute)
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    far = high > low and abs(low / 2 + high / 2) > _FAR_FROM_ZERO * (high - low)
    filling = _filling(float(np.median(known)), missing, len(numbers)) if missing else {}
    return Column(name, origin=low if far and math.isfinite(low) else 0.0, **filling)


def _study_words(name: str, values: Any, impute: bool) -> Column:
    texts = _texts(values)
    known = [text for text in texts if text is not None]
    missing = len(texts) - len(known)
    _check_missing(name, missing, len(known), impute)
    distinct = in_order(set(known))
    if len(distinct) > MOST_CATEGORIES or (len(distinct) == len(texts) and len(distinct) >= _SURELY_NAMES):
        words, rows = counted(len(distinct), "different word"), counted(len(texts), "row")
        raise InvalidArgument(
            f"X: column '{name}' has {words} in {rows}; allowed are at most {MOST_CATEGORIES}, and fewer than rows. "
            "Leave the column out if it names the rows"
        )
    most = max(range(len(distinct)), key=lambda place: known.count(distinct[place]))
    return Column(name, categories=tuple(distinct), **(_filling(most, missing, len(texts)) if missing else {}))


def _check_missing(name: str, missing: int, known: int, impute: bool) -> None:
    if missing and not impute:
        raise InvalidArgument(
            f"X: column '{name}' has {counted(missing, 'missing value')} (NaN, or a word such as NA or ?); "
            'missing="impute" fills them in, or leave these rows out'
        )
    if known == 0:
        raise InvalidArgument(f"X: column '{name}' has no value in any row; leave it out")
