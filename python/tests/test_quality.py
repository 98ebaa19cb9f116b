# SPDX-License-Identifier: Apache-2.0
"""The plain call beside scikit-learn's own, on the tables that come with scikit-learn: held-out log-likelihood, five folds."""

import numpy as np
import pytest
from sklearn import datasets
from sklearn.linear_model import BayesianRidge, LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fedstein import SteinClassifier, SteinRegressor


def compared(load, agents):
    """Mean log-likelihoods of held-out rows: ours and logistic regression's on standardised features."""
    x, y = load(return_X_y=True)
    ours, theirs = [], []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(x, y):
        groups = np.arange(len(train)) % agents
        ours.append(SteinClassifier(random_state=1).fit(x[train], y[train], groups=groups).log_likelihood(x[test], y[test]))
        other = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(x[train], y[train])
        theirs.append(other.predict_log_proba(x[test])[np.arange(len(test)), y[test]].mean())
    return float(np.mean(ours)), float(np.mean(theirs))


@pytest.mark.parametrize("agents", [1, 4])
@pytest.mark.parametrize("load", [datasets.load_breast_cancer, datasets.load_wine, datasets.load_iris])
def test_classes_are_told_at_least_as_well_as_by_logistic_regression(load, agents):
    ours, theirs = compared(load, agents)
    assert ours > theirs - 0.002


@pytest.mark.slow
def test_digits_are_told_at_least_as_well_as_by_logistic_regression():
    ours, theirs = compared(datasets.load_digits, 1)
    assert ours > theirs - 0.002


def test_a_number_is_told_as_well_as_by_bayesian_ridge():
    x, y = datasets.load_diabetes(return_X_y=True)
    ours, theirs = [], []
    for train, test in KFold(5, shuffle=True, random_state=0).split(x):
        ours.append(SteinRegressor(random_state=1).fit(x[train], y[train]).log_likelihood(x[test], y[test]))
        mean, deviation = BayesianRidge().fit(x[train], y[train]).predict(x[test], return_std=True)
        theirs.append(np.mean(-0.5 * np.log(2 * np.pi * deviation**2) - 0.5 * ((y[test] - mean) / deviation) ** 2))
    assert np.mean(ours) > np.mean(theirs) - 0.005
