# SPDX-License-Identifier: Apache-2.0
"""A relayed message as Flower's records: the head in a ConfigRecord, the values of each matrix in an Array of our own kind."""

from __future__ import annotations

from typing import Any

from fedstein._extras import needed
from fedstein.errors import DataError

HEAD = "fedstein.head"
NUMBERS = "fedstein.numbers"
STYPE = "fedstein.raw"
_BYTES_OF = {"float32": 4, "float64": 8}


def flwr(module: str) -> Any:
    """A module of Flower, or one sentence that says what to install."""
    return needed(f"flwr.{module}", "fedstein.flower")


def pack(head: bytes, numbers: list[bytes], dtype: str) -> Any:
    """The RecordDict of a message."""
    app = flwr("app")
    arrays = {
        f"{place:04}": app.Array(dtype=dtype, shape=(len(data) // _BYTES_OF[dtype],), stype=STYPE, data=data)
        for place, data in enumerate(numbers)
    }
    return app.RecordDict({HEAD: app.ConfigRecord({"bytes": head}), NUMBERS: app.ArrayRecord(arrays)})


def unpack(content: Any) -> tuple[bytes, list[bytes]]:
    """Head and numbers of a message, whoever made it. What they mean is checked by C++; here only that they are bytes."""
    app = flwr("app")
    if set(content) != {HEAD, NUMBERS}:
        raise DataError(f"a message with the records {_listed(content)}; a message of fedstein has {HEAD} and {NUMBERS}")
    head, numbers = content[HEAD], content[NUMBERS]
    if not isinstance(head, app.ConfigRecord) or set(head) != {"bytes"} or not isinstance(head["bytes"], bytes):
        raise DataError(f"the record {HEAD} does not hold bytes")
    if not isinstance(numbers, app.ArrayRecord):
        raise DataError(f"the record {NUMBERS} is no ArrayRecord")
    arrays = []
    for place, name in enumerate(sorted(numbers)):
        array = numbers[name]
        if name != f"{place:04}" or array.stype != STYPE:
            raise DataError(f"array {name[:40]!r} is of the type {array.stype[:40]!r}; allowed: {STYPE!r}, numbered from 0000")
        arrays.append(bytes(array.data))
    return head["bytes"], arrays


def _listed(content: Any) -> str:
    return ", ".join(sorted(str(name)[:40] for name in content)[:8]) or "none"
