# SPDX-License-Identifier: Apache-2.0
"""What nothing would look at is refused, and hidden units make a network."""

import numpy as np
import pytest
from callables import LINE, SHARDS, THETA, X, Y, classifier, federation, model, own_score, score

import fedstein
from fedstein import Federation, InvalidArgument, Model, SteinClassifier, SteinCounts, SteinRegressor, check_gradient, ksd, svgd


def test_hidden_units_make_a_network():
    assert SteinClassifier(hidden=[5, 4], rounds=1).fit(X, Y).posterior_.model.settings["hidden"] == [5, 4]
    assert SteinRegressor(hidden=7, rounds=1).fit(*LINE).posterior_.model.type == "bnn-regression"
    assert SteinRegressor(model="network", rounds=1).fit(*LINE).posterior_.model.settings["hidden"] == 50
    assert SteinRegressor(rounds=1).fit(*LINE).posterior_.model.type == "linear-regression"


@pytest.mark.parametrize(
    ("estimator", "sentence"),
    [
        (SteinClassifier(model="linear", hidden=[5]), r"hidden is \[5\], which nothing would look at: the model is 'logistic-"),
        (SteinCounts(hidden=5), "hidden is 5, which nothing would look at: the model is 'negative-binomial-regression'"),
        (SteinClassifier(model="network", hidden=5, model_settings={"hidden": 6}), "model_settings has 'hidden'"),
        (SteinClassifier(50, method="fedavg"), "n_particles is 50, .*: the method 'fedavg' has no particles"),
        (SteinClassifier(50, method_settings={"particles": 10}), "n_particles is 50, .* method_settings has 'particles'"),
    ],
)
def test_estimators_refuse_what_they_would_not_look_at(estimator, sentence):
    with pytest.raises(InvalidArgument, match=sentence):
        estimator.set_params(rounds=1).fit(X, Y)


DOUBLE = Model("logistic-regression", features=3, dtype="float64")
CALLS = {
    "momentum is 0.5, .* only 'adagrad' has a momentum": lambda: svgd(score, THETA, 1, step_rule="adam", momentum=0.5),
    "epsilon is 0.1, .* 'plain' divides by nothing": lambda: svgd(score, THETA, 1, step_rule="plain", epsilon=0.1),
    "bandwidth is 2.0, .* 'independent' has none": lambda: svgd(score, THETA, 1, kernel="independent", bandwidth=2.0),
    "bandwidth is 'original', ": lambda: ksd(THETA, -THETA, kernel="independent", bandwidth="original"),
    "dtype is 'float64', .* a model in float32": lambda: svgd(model().posterior(X, Y), THETA, 1, dtype="float64"),
    "label is 'y', .* no shard is a data frame": lambda: Federation("svgd", model(), SHARDS, label="y"),
    "dtype is 'float64', .* the model computes in float32": lambda: Federation("dsvgd", model(), SHARDS, dtype="float64"),
    "fraction is 0.5, .* scheduler='fraction'": lambda: federation().run(1, fraction=0.5),
    "fraction is 0.2, .* scheduler='fraction'": lambda: federation().rounds(1, scheduler="random", fraction=0.2),
    "classes is 3; allowed: 2, since 'logistic-regression' tells": lambda: Model("logistic-regression", features=3, classes=3),
    "classes is 2, .* 'linear-regression' predicts no class": lambda: Model("linear-regression", features=3, classes=2),
    "classes is 1; allowed: a whole number of at least 2": lambda: Model("softmax-regression", features=3, classes=1),
    "features is 0; allowed: a whole number of at least 1, the columns of X": lambda: Model("linear-regression"),
    "classes is 3, .* this model predicts no class": lambda: Model.own(own_score, 3, classes=3),
    "X of shard 0 has no column": lambda: Federation("svgd", "logistic-regression", [(np.zeros((3, 0)), [1, 0, 1])]),
    "quantiles is .*, .* have no quantiles": lambda: classifier().posterior_.predict(X, quantiles=[0.1]),
}


@pytest.mark.parametrize("sentence", CALLS)
def test_functions_refuse_what_they_would_not_look_at(sentence):
    with pytest.raises(InvalidArgument, match=sentence):
        CALLS[sentence]()


def test_a_density_has_no_rows():
    toy = next(known["name"] for known in fedstein.model_types() if known["labels"] == ["density"])
    with pytest.raises(InvalidArgument, match="features is 2, which nothing would look at"):
        Model(toy, features=2)


def test_what_is_not_given_is_taken_from_what_is():
    assert svgd(DOUBLE.posterior(X, Y), THETA, 1).particles.dtype == np.float64
    assert Federation("dsvgd", DOUBLE, SHARDS).particles.dtype == np.float64
    assert federation().run(1, scheduler="fraction", fraction=0.5).rounds == 1
    assert check_gradient(lambda theta: -0.5 * (theta**2).sum(axis=1), score, THETA).agrees


def test_an_array_of_dates_is_refused():
    """NumPy's date scalars export a buffer that nanobind reads out of bounds."""
    date = np.datetime64("2026-01-01")
    for call in (lambda: ksd(date, THETA), lambda: model().log_prior(date), lambda: svgd(score, date, 1)):
        with pytest.raises(InvalidArgument, match=r"datetime64|has shape \(\)"):
            call()
