# SPDX-License-Identifier: Apache-2.0
"""Slips that are easily made are answered with what to write instead."""

import numpy as np
import pandas
import pytest
from rows import line, two_classes

from fedstein import Agent, InvalidArgument, Method, Server, SteinClassifier, SteinCounts, SteinRegressor, svgd


def test_groups_are_no_name_of_a_column():
    x, y = two_classes(40)
    with pytest.raises(InvalidArgument, match=r"groups is 'a'; expected one entry for each row, such as groups=X\['a'\]"):
        SteinClassifier(rounds=1).fit(pandas.DataFrame(x, columns=list("abc")), y, groups="a")


def test_one_quantile_is_a_list_of_one():
    x, y = line()
    regressor = SteinRegressor(rounds=1, random_state=1).fit(x, y)
    with pytest.raises(InvalidArgument, match=r"quantiles is 0\.5; expected a list, such as \[0\.5\]"):
        regressor.predict_quantiles(x, 0.5)


@pytest.mark.parametrize(
    ("server", "agent", "name"), [(Agent, Server, "server"), (Server, Server, "agent"), (Server({}), Agent, "server")]
)
def test_a_methods_classes_are_checked_when_it_is_made(server, agent, name):
    with pytest.raises(InvalidArgument, match=rf"{name} is .*; allowed: a class derived from"):
        Method("mine", server, agent)


@pytest.mark.parametrize("estimator", [SteinRegressor, SteinCounts])
def test_words_are_no_numbers(estimator):
    x, _ = line()
    with pytest.raises(InvalidArgument, match=r"y holds 'ill' in row 0; allowed: numbers\. SteinClassifier learns classes"):
        estimator(rounds=1).fit(x, ["ill"] * len(x))
    with pytest.raises(InvalidArgument, match="y holds None in row 1; allowed: numbers"):
        estimator(rounds=1).fit(x, [1.0, None] + [2.0] * (len(x) - 2))


def test_missing_values_of_arrays_are_refused_with_our_own_advice():
    x, y = two_classes()
    lacking, endless = x.copy(), x.copy()
    lacking[7, 2], endless[3, 0] = np.nan, np.inf
    with pytest.raises(InvalidArgument, match='X holds NaN in row 7, column 2; missing="impute" fills such values in'):
        SteinClassifier(rounds=1).fit(lacking, y)
    with pytest.raises(InvalidArgument, match="X holds infinity in row 3, column 0"):
        SteinClassifier(rounds=1, missing="impute").fit(endless, y)
    with pytest.raises(InvalidArgument, match="X holds NaN in row 7, column 2"):
        SteinClassifier(rounds=1).fit(x, y).predict(lacking)


def test_a_bandwidth_may_be_a_number():
    with pytest.raises(InvalidArgument, match="bandwidth is 'median'; allowed: 'paper', 'original' or a number above 0"):
        svgd(lambda theta: -theta, np.eye(2), 1, bandwidth="median")
