# SPDX-License-Identifier: Apache-2.0
"""The estimators on tables: what goes in, what comes out, and what is refused."""

import pickle

import numpy as np
import pandas
import pytest
from rows import line, patients, two_classes
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fedstein import InvalidArgument, SteinClassifier, SteinCounts, SteinRegressor


def test_classes_are_predicted_with_probabilities_and_uncertainty():
    x, y = two_classes()
    clf = SteinClassifier(random_state=1).fit(x, y)
    assert clf.score(x, y) > 0.9
    assert clf.classes_.tolist() == [0, 1]
    probabilities = clf.predict_proba(x)
    assert probabilities.shape == (200, 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-12)
    doubt = clf.uncertainty(x)
    assert list(doubt.columns) == ["total", "aleatoric", "epistemic", "unusual"]
    np.testing.assert_allclose(doubt.total, doubt.aleatoric + doubt.epistemic, atol=1e-6)
    assert (doubt.unusual == 0).all()


def test_rows_far_outside_of_training_are_unusual():
    x, y = two_classes()
    clf = SteinClassifier(random_state=1).fit(x, y)
    assert clf.uncertainty(np.array([[0.0, 1e6, -1e6]])).unusual.tolist() == [2]


def test_three_classes_of_words():
    data = load_iris()
    names = data.target_names[data.target]
    clf = SteinClassifier(random_state=1).fit(data.data, names)
    assert clf.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert clf.posterior_.model.type == "softmax-regression"
    assert clf.score(data.data, names) > 0.95
    assert clf.log_likelihood(data.data, names) > -0.2


def test_groups_are_agents_whose_rows_stay_apart():
    x, y = two_classes()
    groups = np.array(["north", "south", "west", "west"] * 50)
    clf = SteinClassifier(random_state=1).fit(x, y, groups=groups)
    assert clf.posterior_.training["agents"] == 3
    assert clf.posterior_.training["rows"] == 200
    alone = SteinClassifier(random_state=1).fit(x, y)
    assert alone.posterior_.training["agents"] == 1
    np.testing.assert_allclose(clf.predict_proba(x), alone.predict_proba(x), atol=0.1)


def test_a_centralised_method_sees_all_rows_in_one_place():
    x, y = two_classes()
    clf = SteinClassifier(method="svgd", rounds=5, random_state=1).fit(x, y, groups=np.arange(200) % 4)
    assert clf.posterior_.training["agents"] == 1
    assert clf.score(x, y) > 0.9


@pytest.mark.parametrize("method", ["dsvgd", "fedavg", "pvi", "sgld"])
def test_other_methods_train_too(method):
    x, y = two_classes()
    clf = SteinClassifier(method=method, rounds=10, random_state=1).fit(x, y, groups=np.arange(200) % 4)
    assert clf.score(x, y) > 0.85


def test_a_table_keeps_its_names_words_and_index():
    table, ill = patients()
    clf = SteinClassifier(random_state=1).fit(table, ill)
    assert clf.feature_names_in_.tolist() == ["age", "sex", "pressure"]
    assert clf.posterior_.feature_names == ["age", "sex=male", "pressure"]
    assert clf.score(table, ill) > 0.8
    rows = table.iloc[[5, 3]]
    assert clf.uncertainty(rows).index.tolist() == [5, 3]
    summary = clf.posterior_.summary()
    assert summary.index.tolist() == ["(intercept)", "age", "sex=male", "pressure"]
    assert summary.loc["age", "low"] > 0
    unknown = rows.assign(sex="diverse")
    assert clf.uncertainty(unknown).unusual.tolist() == [1, 1]


def test_missing_values_are_filled_in_where_that_is_asked_for():
    table, ill = patients()
    table.loc[::10, "pressure"] = np.nan
    with pytest.raises(InvalidArgument, match="column 'pressure' has 30 missing values"):
        SteinClassifier().fit(table, ill)
    clf = SteinClassifier(missing="impute", random_state=1).fit(table, ill)
    assert clf.posterior_.feature_names == ["age", "sex=male", "pressure", "pressure missing"]
    assert clf.score(table, ill) > 0.75


def test_a_regression_is_on_the_targets_scale():
    x, y = line()
    reg = SteinRegressor(random_state=1).fit(x, y)
    mean, deviation = reg.predict(x, return_std=True)
    assert np.sqrt(np.mean((mean - y) ** 2)) < 1.2
    assert 0.8 < deviation.mean() < 1.3
    low, middle, high = reg.predict_quantiles(x).T
    assert 0.85 < np.mean((low < y) & (y < high)) < 0.97
    np.testing.assert_allclose(middle, mean, atol=0.05)
    assert reg.score(x, y) > 0.95
    coefficient = reg.posterior_.summary()["mean"]
    np.testing.assert_allclose(coefficient, [100, 5, -2], atol=0.3)


def test_networks_learn_what_is_no_line():
    rng = np.random.default_rng(1)
    x = rng.uniform(-2, 2, size=(300, 1))
    y = np.sin(2 * x[:, 0]) + 0.1 * rng.normal(size=300)
    network = SteinRegressor(model="network", hidden=[20, 20], random_state=1).fit(x, y)
    assert network.score(x, y) > 0.8
    assert network.posterior_.summary() is None
    assert SteinRegressor(random_state=1).fit(x, y).score(x, y) < 0.5


def test_counts():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 2))
    y = rng.poisson(np.exp(1 + 0.5 * x[:, 0]))
    counts = SteinCounts(random_state=1).fit(x, y)
    assert counts.posterior_.model.type == "negative-binomial-regression"
    np.testing.assert_allclose(counts.posterior_.summary()["mean"], [1, 0.5, 0], atol=0.15)
    with pytest.raises(InvalidArgument, match=r"y is 0.5 in row 1; counts are whole numbers"):
        SteinCounts().fit(x[:2], [1, 0.5])


def test_the_same_seed_gives_the_same_bits():
    x, y = two_classes()
    first, second = (SteinClassifier(random_state=3, rounds=5).fit(x, y).posterior_.particles for _ in range(2))
    assert np.array_equal(first, second)
    other = SteinClassifier(random_state=4, rounds=5).fit(x, y).posterior_.particles
    assert not np.array_equal(first, other)


def test_double_precision():
    x, y = two_classes()
    clf = SteinClassifier(dtype="float64", rounds=5, random_state=1).fit(x, y)
    assert clf.posterior_.particles.dtype == np.float64


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"n_particles": 0}, "n_particles is 0; allowed: a whole number of at least 1"),
        ({"rounds": 2.5}, "rounds is 2.5; allowed: a whole number"),
        ({"method": "csvgd"}, "method is 'csvgd'; allowed: 'c-dsvgd'"),
        ({"model": "forest"}, "model is 'forest'; allowed: 'auto', 'linear', 'network'"),
        ({"model": "linear-regression"}, "model is 'linear-regression'; allowed:"),
        ({"missing": "drop"}, "missing is 'drop'; allowed: 'refuse', 'impute'"),
        ({"dtype": "float16"}, "dtype is 'float16'; allowed: 'float32', 'float64'"),
        ({"method_settings": {"local_step": 3}}, "local_step"),
        ({"method_settings": [1]}, r"method_settings is \[1\]; allowed: a dict of settings by name"),
        ({"n_particles": 10**9}, "n_particles is 1000000000; allowed: a whole number of at least 1 and at most 100000"),
        ({"model_settings": {"prior_deviation": -1.0}}, "prior_deviation"),
        ({"model": "network", "hidden": 0}, "hidden"),
    ],
)
def test_wrong_settings_are_refused_by_name_value_and_what_is_allowed(settings, sentence):
    x, y = two_classes(20)
    with pytest.raises(InvalidArgument, match=sentence):
        SteinClassifier(**settings).fit(x, y)


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ([1, 2], "groups has 2 values; expected one for each of the 20 rows"),
        (np.full(20, np.nan), "groups holds NaN"),
        (np.array([1, "a"] * 10, dtype=object), "groups holds missing values, or values of different types"),
        (np.array(["a", None] * 10, dtype=object), "groups holds missing values"),
    ],
)
def test_wrong_groups_are_refused(groups, sentence):
    x, y = two_classes(20)
    with pytest.raises(InvalidArgument, match=sentence):
        SteinClassifier().fit(x, y, groups=groups)


X60 = np.random.default_rng(0).normal(size=(60, 3))
SIGN = (X60[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("x", "y", "sentence"),
    [
        (X60 * 1e300, SIGN, r"X: column 'column 0' is 1.\d+e\+299 in row 0; numbers must fit into float32"),
        (pandas.DataFrame(X60.astype(complex), columns=list("abc")), SIGN, "column 'a' holds complex numbers"),
        (pandas.DataFrame(index=range(60)), SIGN, "X has no column"),
        (pandas.DataFrame({"a": []}), [], "X has no row"),
        (pandas.DataFrame({"a": ["x"] * 60}), SIGN, "X has no column that differs between rows"),
        (pandas.DataFrame(X60, columns=["a", "b", ""]), SIGN, r"column 2 \(from 0\) has an empty name"),
        (pandas.DataFrame(X60, columns=list("abc")), pandas.Series(["a", "b", None] * 20), "y holds missing values"),
        (X60, np.array(["a", 1] * 30, dtype=object), "values of different types"),
        (X60, np.where(SIGN == 1, "a", " a"), "would both be 'a' in a file"),
    ],
)
def test_hostile_tables_are_refused_in_a_sentence(x, y, sentence):
    with pytest.raises(InvalidArgument, match=sentence):
        SteinClassifier(rounds=3).fit(x, y)


def test_hostile_targets_are_refused_in_a_sentence():
    with pytest.raises(InvalidArgument, match=r"y is -?\d\S+ in a row; numbers must fit into float32"):
        SteinRegressor(rounds=3).fit(X60, X60[:, 0] * 1e300)
    fitted = SteinClassifier(rounds=3, random_state=1).fit(X60, SIGN)
    with pytest.raises(InvalidArgument, match="numbers must fit into float32"):
        fitted.predict(X60 * 1e300)


def test_odd_tables_are_learned_from():
    for x in (X60 * 1e30, X60 * 1e-30, np.ones((60, 2)), pandas.DataFrame(X60)):
        assert np.isfinite(SteinClassifier(rounds=3, random_state=1).fit(x, SIGN).predict_proba(x)).all()
    odd = pandas.DataFrame({"a,b": ["u\nv", 'w"', "NA"] * 20, "n": pandas.array([1, None, 3] * 20, dtype="Int64")})
    labels = pandas.Series(SIGN, name=("x", 1))
    clf = SteinClassifier(missing="impute", rounds=3, random_state=1).fit(odd, labels)
    assert clf.posterior_.feature_names == ['a,b=w"', "a,b missing", "n", "n missing"]
    assert SteinClassifier(model="network", hidden=np.array([5, 4]), rounds=2).fit(X60, SIGN).posterior_.model.settings[
        "hidden"
    ] == [5, 4]


def test_one_class_teaches_nothing():
    with pytest.raises(InvalidArgument, match="y holds one class only, 1"):
        SteinClassifier().fit(np.eye(3), [1, 1, 1])


def test_clones_and_pickles():
    x, y = two_classes()
    clf = SteinClassifier(n_particles=5, rounds=5, random_state=1)
    assert clone(clf).get_params() == clf.get_params()
    again = pickle.loads(pickle.dumps(clf.fit(x, y)))
    assert np.array_equal(again.predict_proba(x), clf.predict_proba(x))
    assert again.posterior_.training == clf.posterior_.training


def test_pipelines_searches_and_cross_validation():
    x, y = two_classes()
    pipeline = make_pipeline(StandardScaler(), SteinClassifier(rounds=10, random_state=1))
    assert cross_val_score(pipeline, x, y, scoring="neg_log_loss", cv=3).mean() > -0.4
    search = GridSearchCV(SteinClassifier(rounds=5, random_state=1), {"n_particles": [4, 8], "model": ["linear", "network"]}, cv=2)
    assert search.fit(x, y).best_params_["model"] in ("linear", "network")
    by_hospital = cross_val_score(SteinClassifier(rounds=5, random_state=1), x, y, groups=np.arange(200) % 5, cv=GroupKFold(5))
    assert by_hospital.shape == (5,)


def test_groups_travel_by_metadata_routing():
    import sklearn

    x, y = two_classes()
    with sklearn.config_context(enable_metadata_routing=True):
        clf = SteinClassifier(rounds=5, random_state=1).set_fit_request(groups=True)
        pipeline = make_pipeline(StandardScaler(), clf).fit(x, y, groups=np.arange(200) % 4)
    assert pipeline[-1].posterior_.training["agents"] == 4


def test_a_frame_of_another_order_is_refused_as_scikit_learn_does():
    table, ill = patients()
    clf = SteinClassifier(rounds=3, random_state=1).fit(table, ill)
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(table[["sex", "age", "pressure"]])


def test_a_large_number_keeps_its_digits():
    rng = np.random.default_rng(1)
    seconds = 1.7e9 + rng.uniform(0, 100, size=200)
    table = pandas.DataFrame({"time": seconds})
    reg = SteinRegressor(random_state=1).fit(table, 2 * (seconds - 1.7e9) + rng.normal(size=200))
    assert reg.score(table, 2 * (seconds - 1.7e9)) > 0.99
