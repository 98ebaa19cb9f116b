# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own checks of an estimator, all of them."""

import numpy as np
from sklearn.utils.estimator_checks import parametrize_with_checks

from fedstein import SteinClassifier, SteinCounts, SteinRegressor


class RoundedCounts(SteinCounts):
    """The checks' targets are no counts, which SteinCounts refuses; rounded they are."""

    def fit(self, X, y, groups=None):
        if y is not None:
            y = np.round(np.abs(y)) if np.asarray(y).dtype.kind == "f" and np.isfinite(y).all() else y
        return super().fit(X, y, groups)


@parametrize_with_checks(
    [SteinClassifier(rounds=20), SteinRegressor(rounds=20), RoundedCounts(rounds=20), SteinClassifier(missing="impute", rounds=20)]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
