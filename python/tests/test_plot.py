# SPDX-License-Identifier: Apache-2.0
"""Pictures hold what they say that they show."""

import matplotlib as mpl
import numpy as np
import pandas
import pytest
from rows import line, two_classes

from fedstein import Federation, InvalidArgument, SteinClassifier, SteinRegressor, plot

mpl.use("Agg")


@pytest.fixture(autouse=True)
def close():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module")
def clf():
    x, y = two_classes(features=2)
    return SteinClassifier(rounds=10, random_state=1).fit(x, y)


def test_reliability_shows_bins(clf):
    found = clf.evaluate(*two_classes(features=2, seed=2))
    ax = plot.reliability(found, label="clf")
    bins = found.reliability
    assert len(ax.collections[0].get_offsets()) == (bins["count"] > 0).sum()
    assert ax.get_xlabel() == "confidence"


def test_a_regression_has_no_reliability_diagram():
    x, y = line()
    found = SteinRegressor(rounds=10, random_state=1).fit(x, y).evaluate(x, y)
    with pytest.raises(InvalidArgument, match="needs classes"):
        plot.reliability(found)
    assert plot.abstention(found).get_ylabel() == "RMSE of the others"


def test_abstention_shows_shares(clf):
    ax = plot.abstention(clf.evaluate(*two_classes(features=2, seed=2)))
    assert ax.get_ylabel() == "accuracy of the others"
    assert len(ax.lines[0].get_xdata()) > 3


def test_curves_have_a_band_where_there_are_trials():
    table = pandas.DataFrame(
        {"algorithm": ["a"] * 4 + ["b"] * 2, "round": [1, 2, 1, 2, 1, 2], "accuracy": [0.5, 0.6, 0.7, 0.8, 0.1, np.nan]}
    )
    ax = plot.curves(table)
    assert ax.lines[0].get_ydata().tolist() == pytest.approx([0.6, 0.7])
    assert len(ax.collections) == 1
    with pytest.raises(InvalidArgument, match="figure is 'rmse'"):
        plot.curves(table, "rmse")


def test_particles_are_points():
    theta = np.arange(6.0).reshape(3, 2)
    assert plot.particles(theta).collections[0].get_offsets().tolist() == theta.tolist()
    assert plot.particles(theta[:, :1]).lines[0].get_xdata().tolist() == [0, 2, 4]
    with pytest.raises(InvalidArgument, match="dimensions is 2"):
        plot.particles(theta, (0, 2))


def test_doubt_is_a_map_of_two_features(clf):
    x, y = two_classes(features=2)
    ax = plot.doubt(clf, x, y, grid=10)
    assert ax.get_xlabel() == "feature 0"
    assert ax.figure.axes[1].get_ylabel() == "epistemic uncertainty"
    with pytest.raises(InvalidArgument, match="kind is 'all'"):
        plot.doubt(clf, x, kind="all")
    with pytest.raises(InvalidArgument, match="rows of 2 columns"):
        plot.doubt(clf, np.zeros((3, 3)))


def test_a_live_figure_passes_rounds_on():
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", [(x, y)], test=(x, y))
    assert [round.number for round in plot.live(fed.rounds(4))] == [1, 2, 3, 4]
    without = Federation("c-dsvgd", "logistic-regression", [(x, y)])
    assert len(list(plot.live(without.rounds(2), "train_accuracy"))) == 2
    with pytest.raises(InvalidArgument, match=r"give the federation test=\(X, y\)"):
        list(plot.live(without.rounds(1)))
    with pytest.raises(InvalidArgument, match="figure is 'beauty'"):
        list(plot.live(fed.rounds(1), "beauty"))
