# SPDX-License-Identifier: Apache-2.0
"""The header of a posterior file, which the extension checks as it checks a file's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fedstein._columns import Columns
from fedstein.models import Model

# Rows times squared parameters beyond which nobody should wait for a summary's intervals.
_MOST_PRODUCTS = 1e11


def ranges_of(features: np.ndarray, target: np.ndarray | None) -> dict[str, Any]:
    """Between which values the training rows lie."""
    return {
        "low": features.min(axis=0).tolist(),
        "high": features.max(axis=0).tolist(),
        "target_low": 0.0 if target is None else float(np.min(target)),
        "target_high": 0.0 if target is None else float(np.max(target)),
    }


def no_scaling(features: int) -> dict[str, Any]:
    return {"rule": "none", "shift": [0.0] * features, "spread": [1.0] * features, "target_shift": 0.0, "target_spread": 1.0}


def header_text(
    model: Model,
    particles: np.ndarray,
    *,
    columns: Columns | None,
    class_names: Sequence[str],
    scaling: Mapping[str, Any],
    ranges: Mapping[str, Any] | None,
    training: Mapping[str, Any],
    covariance: bool,
    label: str | None = None,
    temperature: float = 1.0,
) -> str:
    """A whole header; `training` may lack entries."""
    facts = {
        "experiment": "", "dataset": "", "algorithm": "", "method": "", "rounds": 0, "agents": 0, "rows": 0, "trial": 1,
        "seed": 0, "version": "", "precision": "float" if model.dtype == "float32" else "double", **training,
    }  # fmt: skip
    header: dict[str, Any] = {
        "model": {
            "type": model.type,
            "features": model.features,
            "classes": model.classes,
            "labels": model.labels,
            "class_names": list(class_names),
            "settings": model.settings,
        },
        "temperature": temperature,
        "training": facts,
        "particles": int(particles.shape[0]),
        "dimension": int(particles.shape[1]),
        "number_bytes": 4 if model.dtype == "float32" else 8,
        "scaling": dict(scaling),
    }
    if columns is not None:
        header["table"] = columns.to_json(model.labels, class_names, label)
    if ranges is not None:
        header["ranges"] = dict(ranges)
    header["covariance"] = covariance
    return json.dumps(header, default=_plain)


def covariance_of(model: Model, particles: np.ndarray, x: np.ndarray, y: np.ndarray, temperature: float = 1.0) -> np.ndarray | None:
    """Of all parameters, from the posterior's curvature at the particles' mean; None for networks and for very many rows."""
    d = model.dimension
    if model.coefficients() is None or len(y) * d * d > _MOST_PRODUCTS:
        return None
    found = model._core.covariance(np.mean(particles, axis=0, dtype=np.float64), x, y, temperature)
    return None if found is None else np.asarray(found)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as JSON has them."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} has no place in a header")
