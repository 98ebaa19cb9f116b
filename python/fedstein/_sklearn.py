# SPDX-License-Identifier: Apache-2.0
"""What the estimators take from scikit-learn, or one sentence that says that it is not installed."""

# ruff: noqa: E402

from fedstein._extras import needed

needed("sklearn", "an estimator")

from sklearn.base import BaseEstimator as BaseEstimator
from sklearn.base import ClassifierMixin as ClassifierMixin
from sklearn.base import RegressorMixin as RegressorMixin
from sklearn.utils import check_random_state as check_random_state
from sklearn.utils.multiclass import check_classification_targets as check_classification_targets
from sklearn.utils.validation import check_consistent_length as check_consistent_length
from sklearn.utils.validation import check_is_fitted as check_is_fitted
from sklearn.utils.validation import column_or_1d as column_or_1d
from sklearn.utils.validation import validate_data as validate_data
