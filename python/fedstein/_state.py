# SPDX-License-Identifier: Apache-2.0
"""A federation's saved bytes: what they were saved of stands in front of them, so that they go on nowhere else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fedstein._checks import counted
from fedstein.errors import InvalidArgument

_START = b"fedstein federation, state 1\n"
_CHECKSUM_BYTES, _LENGTH_BYTES = 32, 4


def origin(
    method: str,
    settings: Mapping[str, Any],
    model: Mapping[str, Any],
    seed: int,
    shards: Sequence[tuple[np.ndarray, np.ndarray]],
    unlabelled: np.ndarray | None,
) -> dict[str, Any]:
    """All that a state belongs to: rows as digests of what the extension computes with, the rest as it is."""
    dtype = model["dtype"]
    return {
        "method": method,
        "settings": _comparable(settings),
        "model": _comparable(model),
        "seed": int(seed),
        "shards": [_digest(dtype, x, y) for x, y in shards],
        "unlabelled": None if unlabelled is None else _digest(dtype, unlabelled),
    }


def packed(of: Mapping[str, Any], inner: bytes) -> bytes:
    """The bytes to keep: start, checksum of all that follows, length of the origin, origin, the extension's own bytes."""
    head = json.dumps(of, sort_keys=True).encode()
    rest = len(head).to_bytes(_LENGTH_BYTES, "big") + head + inner
    return _START + hashlib.sha256(rest).digest() + rest


def unpacked(state: bytes, here: Mapping[str, Any]) -> bytes:
    """The extension's own bytes. Damaged ones, and those that were saved of something else, are refused by what differs."""
    if not state.startswith(_START):
        raise InvalidArgument("state is not what this version's save() of a federation gave")
    checksum, rest = state[len(_START) :][:_CHECKSUM_BYTES], state[len(_START) + _CHECKSUM_BYTES :]
    if hashlib.sha256(rest).digest() != checksum:
        raise InvalidArgument("state is damaged: some of its bytes are not those that save() gave")
    end = _LENGTH_BYTES + int.from_bytes(rest[:_LENGTH_BYTES], "big")
    try:
        there = json.loads(rest[_LENGTH_BYTES:end])
        _check_same(there, here)
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        if isinstance(problem, InvalidArgument):
            raise
        raise InvalidArgument("state is damaged: it does not say what it was saved of") from None
    return rest[end:]


def _check_same(there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    if there["method"] != here["method"]:
        raise InvalidArgument(f"the state is of the method '{there['method']}'; this federation's is '{here['method']}'")
    if there["model"]["type"] != here["model"]["type"]:
        raise InvalidArgument(
            f"the state is of the model '{there['model']['type']}'; this federation's is '{here['model']['type']}'"
        )
    for what, name in (("model", "another model"), ("settings", "other settings")):
        for key in sorted({*there[what], *here[what]}):
            before, now = there[what].get(key), here[what].get(key)
            if before != now:
                raise InvalidArgument(f"the state is of {name}: {key} was {_said(before)} and is {_said(now)} here")
    if there["seed"] != here["seed"]:
        raise InvalidArgument(f"the state is of seed {there['seed']}; this federation's is {here['seed']}")
    if len(there["shards"]) != len(here["shards"]):
        raise InvalidArgument(
            f"the state is of {counted(len(there['shards']), 'shard')}; this federation has {len(here['shards'])}"
        )
    for k, (before, now) in enumerate(zip(there["shards"], here["shards"], strict=True)):
        if before != now:
            place = there["shards"].index(now) if now in there["shards"] else None
            which = f"shard {k}" if place is None else f"shard {k} was shard {place}"
            raise InvalidArgument(f"the state is of other rows ({which})")
    if there["unlabelled"] != here["unlabelled"]:
        raise InvalidArgument("the state is of other rows (unlabelled)")


def _digest(dtype: str, *arrays: np.ndarray) -> str:
    """Of numbers as the extension has them: the same rows in another type or layout are the same."""
    found = hashlib.blake2b(digest_size=16)
    for array in arrays:
        numbers = np.ascontiguousarray(array, dtype=dtype)
        found.update(repr(numbers.shape).encode())
        found.update(numbers.data)
    return found.hexdigest()


def _comparable(value: Any) -> Any:
    """As JSON gives it back; 1 and 1.0 are one value."""
    if isinstance(value, Mapping):
        return {str(key): _comparable(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _comparable(value.tolist())
    if isinstance(value, list | tuple):
        return [_comparable(one) for one in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return value if isinstance(value, str | bool | None) else repr(value)


def _said(value: Any) -> str:
    if value is None:
        return "not given"
    return f"{value:g}" if isinstance(value, float) else repr(value)
