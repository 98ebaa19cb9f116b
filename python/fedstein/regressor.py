# SPDX-License-Identifier: Apache-2.0
"""Numbers and counts from a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fedstein import _checks, _sklearn
from fedstein._estimator import SteinEstimator
from fedstein.errors import InvalidArgument


def _check_numbers(y: Any) -> None:
    """Words and missing values, which scikit-learn would answer in words of its own."""
    try:
        given = np.asarray(y)
    except ValueError:
        return
    if given.dtype.kind not in "OUS" or given.ndim != 1:
        return
    for row, value in enumerate(given.tolist()):
        try:
            float(value)
        except (TypeError, ValueError):
            raise InvalidArgument(
                f"y holds {_checks.shown(value)} in row {row}; allowed: numbers. SteinClassifier learns classes"
            ) from None


class _NumberEstimator(_sklearn.RegressorMixin, SteinEstimator):  # type: ignore[misc]
    """What regressions and counts share."""

    _kind = "regression"

    def fit(self, X: Any, y: Any, groups: Any = None) -> Any:
        """Trains. ``groups`` says whose row is whose: each group is an agent, and rows stay with it. Without: one agent."""
        label_name = getattr(y, "name", None)
        _check_numbers(y)
        x, y = self._checked(X, y, fit=True)
        target = np.asarray(y, dtype=np.float64)
        if not np.isfinite(target).all():
            raise InvalidArgument("y holds NaN or infinity; numbers must be finite")
        most = float(np.finfo(_checks.precision(self.dtype)).max)
        if (np.abs(target) > most).any():
            raise InvalidArgument(f"y is {target[np.abs(target) > most][0]:g} in a row; numbers must fit into {self.dtype}")
        self._check_target(target)
        self._fit_rows(x, target, groups, self._kind, (), label_name)
        return self

    def _check_target(self, y: np.ndarray) -> None:
        if len(y) < 2:
            raise InvalidArgument("n_samples = 1; at least 2 rows are needed, since the noise is learned too")

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The predicted mean of each row; with ``return_std`` also the standard deviation of the prediction."""
        _checks.flag("return_std", return_std)
        rows = self._new_rows(X)
        if not return_std:
            return self.posterior_.mean(rows)
        found = self.posterior_._predicted(rows)
        return np.asarray(found["mean"], dtype=np.float64), np.asarray(found["total"])

    def predict_quantiles(self, X: Any, quantiles: Sequence[float] = (0.05, 0.5, 0.95)) -> np.ndarray:
        """n x Q: where the predictive distribution reaches each of these probabilities."""
        rows = self._new_rows(X)
        if np.ndim(quantiles) == 0:
            raise InvalidArgument(f"quantiles is {_checks.shown(quantiles)}; expected a list, such as [{_checks.shown(quantiles)}]")
        return self.posterior_._quantiles("quantiles", rows, quantiles)


class SteinRegressor(_NumberEstimator):
    """Bayesian regression with unknown noise, its weights Stein particles trained by a federation in this process.

    Parameters are those of :class:`SteinClassifier`; ``model`` is "auto" or "linear" (linear regression), "network", or a name of
    :func:`model_types`. Features and target are standardised inside; predictions are in the target's unit.

    >>> import numpy as np
    >>> from fedstein import SteinRegressor
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(200, 2))
    >>> y = 100 + 5 * x[:, 0] + rng.normal(size=200)
    >>> reg = SteinRegressor(random_state=1).fit(x, y)
    >>> mean, deviation = reg.predict(np.array([[1.0, 0.0]]), return_std=True)
    >>> bool(abs(mean[0] - 105) < 0.5), bool(abs(deviation[0] - 1) < 0.2)
    (True, True)
    """


class SteinCounts(_NumberEstimator):
    """Bayesian regression of counts (0, 1, 2, ...), with unknown dispersion.

    Parameters are those of :class:`SteinClassifier`; ``model`` is "auto" (negative binomial regression), "poisson-regression" for
    counts whose variance equals their mean, or another name of :func:`model_types`.

    >>> import numpy as np
    >>> from fedstein import SteinCounts
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(300, 1))
    >>> y = rng.poisson(np.exp(1 + 0.5 * x[:, 0]))
    >>> counts = SteinCounts(random_state=1).fit(x, y)
    >>> bool(abs(counts.predict(np.array([[0.0]]))[0] - np.e) < 0.3)
    True
    """

    _kind = "counts"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    def _check_target(self, y: np.ndarray) -> None:
        super()._check_target(y)
        wrong = (y < 0) | (y != np.floor(y))
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise InvalidArgument(f"y is {y[row]:g} in row {row}; counts are whole numbers of at least 0")
