# SPDX-License-Identifier: Apache-2.0
"""Coefficients on the original scale: particles, or draws of the Gaussian of a posterior's covariance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fedstein import _checks
from fedstein._extras import needed
from fedstein.errors import InvalidArgument

if TYPE_CHECKING:
    from fedstein.posterior import Posterior

# More would fill the memory.
_MOST_DRAWS = 100_000_000


def _parameters(posterior: Posterior, n: int | None, seed: int) -> np.ndarray:
    particles = np.asarray(posterior.particles, dtype=np.float64)
    if n is None:
        return particles
    covariance = posterior.covariance
    if covariance is None:
        raise InvalidArgument("n draws need the posterior's covariance, which this one does not have; n=None gives the particles")
    rng = np.random.default_rng(_checks.seed(seed))
    return rng.multivariate_normal(
        particles.mean(axis=0), covariance, size=_checks.whole("n", n, 1, _MOST_DRAWS), method="cholesky"
    )


def of(posterior: Posterior, n: int | None, seed: int) -> dict[str, np.ndarray]:
    """`coefficient` (draws x predictors x features, one predictor: draws x features), `intercept`, and other parameters."""
    theta = _parameters(posterior, n, seed)
    places = posterior.model.coefficients()
    if places is None:
        return {"theta": theta}  # of a network: nobody reads them one by one
    scaling = posterior._header["scaling"]
    shift = np.asarray(scaling["shift"]) + posterior._columns.origins
    spread = np.asarray(scaling["spread"])
    of_target = places["link"] == "identity"
    unit = scaling["target_spread"] if of_target else 1.0
    weights, intercepts = [], []
    for features, intercept in zip(places["weights"], places["intercepts"], strict=True):
        weight = unit * theta[:, features] / spread
        base = theta[:, intercept] if intercept is not None else 0.0
        weights.append(weight)
        intercepts.append(unit * base + (scaling["target_shift"] if of_target else 0.0) - weight @ shift)
    several = len(weights) > 1
    out = {
        "intercept": np.stack(intercepts, axis=1) if several else intercepts[0],
        "coefficient": np.stack(weights, axis=1) if several else weights[0],
    }
    for other in places["others"]:
        value = theta[:, other["parameter"]]
        if other["factor"] != 0:
            value = np.exp(other["factor"] * value) * (unit if other["has_target_unit"] else 1.0)
        out[other["name"].replace(" ", "_")] = value
    return out


def to_datatree(posterior: Posterior, n: int | None, seed: int) -> Any:
    arviz = needed("arviz_base", "to_datatree()")
    draws = of(posterior, n, seed)
    coords: dict[str, Any] = {"feature": posterior.feature_names}
    dims: dict[str, list[str]] = {}
    if "coefficient" in draws:
        outcome = ["outcome"] if draws["coefficient"].ndim == 3 else []
        dims = {"coefficient": [*outcome, "feature"], "intercept": outcome}
        if outcome:
            coords["outcome"] = posterior.classes[-draws["coefficient"].shape[1] :]
    else:
        del coords["feature"]
    return arviz.from_dict({"posterior": draws}, sample_dims=["particle"], coords=coords, dims=dims)
