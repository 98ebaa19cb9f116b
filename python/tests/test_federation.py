# SPDX-License-Identifier: Apache-2.0
"""Federations in one process: methods by name, models of one's own, saving, watching."""

import pickle

import numpy as np
import pandas
import pytest
from rows import line, two_classes

from fedstein import Federation, InvalidArgument, Model, method_list, model_types


def shards(x, y, agents=4):
    return [(x[k::agents], y[k::agents]) for k in range(agents)]


def test_rounds_are_a_loop():
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y), seed=1, particles=10, test=two_classes(seed=2))
    seen = [round.accuracy for round in fed.rounds(10)]
    assert len(seen) == fed.rounds_done == 10
    assert seen[-1] > 0.9
    assert fed.particles.shape == (10, 4)


def test_one_by_one_all_at_once_and_in_two_goes_are_the_same():
    x, y = two_classes()

    def fresh():
        return Federation("c-dsvgd", Model("logistic-regression", features=3), shards(x, y), seed=3)

    at_once, one_by_one, first = fresh(), fresh(), fresh()
    at_once.run(8)
    for _ in one_by_one.rounds(8):
        pass
    first.run(3)
    second = fresh()
    second.restore(first.save())
    assert second.rounds_done == 3
    second.run(5)
    assert np.array_equal(at_once.particles, one_by_one.particles)
    assert np.array_equal(at_once.particles, second.particles)
    assert at_once.save() == second.save()


@pytest.mark.parametrize("method", [method["name"] for method in method_list()])
def test_every_method_runs(method):
    x, y = two_classes(80)
    central = next(known["centralised"] for known in method_list() if known["name"] == method)
    beside = {"unlabelled": x} if method == "fedbe" else {}
    fed = Federation(method, "logistic-regression", shards(x, y, 1 if central else 2), seed=1, **beside)
    assert fed.run(2).rounds == 2
    assert np.isfinite(fed.particles).all()


def test_what_happened_is_told():
    x, y = two_classes()
    fed = Federation("dsvgd", "logistic-regression", shards(x, y), test=two_classes(seed=2), local_steps=20)
    told = []
    summary = fed.run(5, on_round=lambda round: told.append((round.number, round.scheduled, round.log_likelihood)))
    assert [number for number, _, _ in told] == [1, 2, 3, 4, 5]
    assert [agents for _, agents, _ in told] == [[0], [1], [2], [3], [0]]
    assert summary.rounds == 5
    assert len(summary.records) == 5
    assert told[-1][2] > told[0][2] - 0.5
    assert str(summary)


def test_a_callback_ends_a_run_and_its_exception_comes_out():
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y))
    assert fed.run(10, on_round=lambda round: round.number == 2).stopped
    assert fed.rounds_done == 2
    with pytest.raises(ZeroDivisionError):
        fed.run(10, on_round=lambda round: 1 / 0)


def test_data_frames_are_shards():
    x, y = two_classes()
    table = pandas.DataFrame(x, columns=["a", "b", "c"]).assign(ill=y)
    fed = Federation("c-dsvgd", "logistic-regression", [table[:100], table[100:]], label="ill", seed=1)
    plain = Federation("c-dsvgd", "logistic-regression", [(x[:100], y[:100]), (x[100:], y[100:])], seed=1)
    fed.run(3)
    plain.run(3)
    assert np.array_equal(fed.particles, plain.particles)
    with pytest.raises(InvalidArgument, match="label is 'sick'"):
        Federation("c-dsvgd", "logistic-regression", [table], label="sick")


def named(x, y, columns="abc"):
    return pandas.DataFrame(x, columns=list("abc")).assign(ill=y)[[*columns, "ill"]]


def test_columns_of_data_frames_are_found_by_name():
    x, y = two_classes()
    test = two_classes(seed=2)
    table, other = named(x, y), named(x, y, "cab")
    straight = Federation("c-dsvgd", "logistic-regression", [table[:100], table[100:]], label="ill", seed=1, test=named(*test))
    mixed = [table[:100], (other.drop(columns="ill")[100:], y[100:])]
    crooked = Federation("c-dsvgd", "logistic-regression", mixed, label="ill", seed=1, test=named(*test, "bca"))
    figures = [[round.accuracy for round in fed.rounds(5)][-1] for fed in (straight, crooked)]
    assert np.array_equal(straight.particles, crooked.particles)
    assert figures[0] == figures[1] > 0.8
    posterior = crooked.posterior()
    assert posterior.columns == ["a", "b", "c"]
    assert list(posterior.summary().index) == ["(intercept)", "a", "b", "c"]
    np.testing.assert_array_equal(posterior.probabilities(other), posterior.probabilities(x))


def test_rows_beside_the_shards_are_found_by_name_too():
    x, y = two_classes()
    table, beside = pandas.DataFrame(x, columns=list("abc")), pandas.DataFrame(x, columns=list("abc"))[list("cba")]
    found = []
    for unlabelled in (table, beside, x):
        fed = Federation("fedbe", "logistic-regression", [(table[:100], y[:100]), (table[100:], y[100:])], unlabelled=unlabelled)
        fed.run(2)
        found.append(fed.particles)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ("ab", "shard 1 lacks the column 'c', which shard 0 has; it has 'a', 'b'"),
        ("abcd", "shard 1 has a column 'd', which shard 0 lacks; that has 'a', 'b', 'c'"),
        ("abcc", "shard 1: two columns are called 'c'"),
    ],
)
def test_other_columns_are_refused_by_name(columns, sentence):
    x, y = two_classes()
    other = pandas.DataFrame(np.ones((10, len(columns))), columns=list(columns)).assign(ill=y[:10])
    with pytest.raises(InvalidArgument, match=sentence):
        Federation("c-dsvgd", "logistic-regression", [named(x, y), other], label="ill")


def test_columns_with_numbers_for_names_go_by_place():
    x, y = two_classes()
    frames = [(pandas.DataFrame(x[:100]), y[:100]), (pandas.DataFrame(x[100:], columns=[5, 3, 4]), y[100:])]
    plain = Federation("c-dsvgd", "logistic-regression", [(x[:100], y[:100]), (x[100:], y[100:])], seed=1)
    fed = Federation("c-dsvgd", "logistic-regression", frames, seed=1, test=named(x, y, "cab"), label="ill")
    fed.run(3)
    plain.run(3)
    assert np.array_equal(fed.particles, plain.particles)
    assert fed.posterior().columns == plain.posterior().columns


def test_all_columns_without_numbers_are_told_at_once():
    x, y = two_classes()
    table = named(x, y).assign(sex="male", town="Ulm")
    with pytest.raises(InvalidArgument, match="X of shard 0: columns 'sex', 'town' hold something other than numbers"):
        Federation("c-dsvgd", "logistic-regression", [table], label="ill")
    with pytest.raises(InvalidArgument, match="one of 'a', 'b', 'c', 'ill', 'sex', 'town'"):
        Federation("c-dsvgd", "logistic-regression", [table], label="sick")


def test_rows_are_copied():
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y), seed=1)
    other = Federation("c-dsvgd", "logistic-regression", shards(x.copy(), y), seed=1)
    x[:] = 0
    fed.run(3)
    other.run(3)
    assert np.array_equal(fed.particles, other.particles)


def test_figures_of_a_regression():
    x, y = line()
    y = (y - y.mean()) / y.std()
    fed = Federation("c-dsvgd", "linear-regression", shards(x, y), test=(x, y))
    *_, last = fed.rounds(50)
    assert last.rmse < 0.3
    with pytest.raises(InvalidArgument, match="accuracy is no figure of this model"):
        _ = last.accuracy


def test_figures_of_training_rows_are_called_what_they_are():
    """Noise: 30 columns tell nothing of the labels, and the training rows look as if they did."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 30)), rng.integers(0, 2, 60)
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y), seed=1)
    *_, last = fed.rounds(5)
    for name in ("accuracy", "log_likelihood", "rmse"):
        with pytest.raises(
            InvalidArgument, match=rf"{name} is that of rows which nobody trained on: give the federation test=\(X, y\)"
        ):
            getattr(last, name)
    assert last.figures["train_accuracy"] > 0.8
    assert last.figures["train_log_likelihood"] < 0
    fresh = rng.normal(size=(500, 30)), rng.integers(0, 2, 500)
    honest = Federation("c-dsvgd", "logistic-regression", shards(x, y), seed=1, test=fresh)
    *_, tested = honest.rounds(5)
    assert abs(tested.accuracy - 0.5) < 0.1
    assert not any(name.startswith("train_") for name in tested.figures)
    numbers = Federation("c-dsvgd", "linear-regression", shards(x, x[:, 0]), seed=1)
    assert "train_rmse" in next(numbers.rounds(1)).figures


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (("csvgd", "logistic-regression"), {}, "csvgd"),
        (("c-dsvgd", "logistic-regresion"), {}, "logistic-regresion"),
        (("c-dsvgd", "logistic-regression"), {"particels": 3}, "particels"),
        (("c-dsvgd", "logistic-regression"), {"particles": 0}, "particles"),
        (("c-dsvgd", "logistic-regression"), {"kernel": "gauss"}, "kernel"),
        (("c-dsvgd", "logistic-regression"), {"seed": -1}, "seed is -1"),
        (("c-dsvgd", "logistic-regression"), {"seed": 1.5}, "seed is 1.5"),
        (("svgd", "logistic-regression"), {}, "svgd"),
        (("c-dsvgd", 3), {}, "type is 3|model"),
        ((3, "logistic-regression"), {}, r"method is 3; allowed: a text or a fedstein\.Method"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments, options, sentence):
    x, y = two_classes()
    with pytest.raises((InvalidArgument, TypeError), match=sentence):
        Federation(*arguments, shards(x, y), **options)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ([], "shards is empty"),
        (3, "shards is 3; allowed: a list"),
        ([(np.eye(3),)], r"shard 0 is \(array.*; expected a pair"),
        ([(np.eye(3), [1, 0])], "y of shard 0 has shape"),
        ([(np.full((2, 3), np.nan), [1, 0])], "NaN|finite|nan"),
        ([(np.eye(3), [1, 0, 7])], "y holds 7; allowed: -1 and 1, or 0 and 1"),
        ([(np.eye(3), [1, 0, 1]), (np.eye(2), [1, 0])], "2"),
    ],
)
def test_wrong_shards_are_refused(wrong, sentence):
    with pytest.raises(InvalidArgument, match=sentence):
        Federation("c-dsvgd", "logistic-regression", wrong)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"scheduler": "x"}, "scheduler is 'x'; allowed: 'round-robin'"),
        ({"scheduler": "fraction", "fraction": 2.0}, "fraction is 2"),
        ({"retries": -1}, "retries is -1"),
        ({"rounds": 1e3}, "rounds is 1000.0; allowed: a whole number"),
        ({"on_round": 3}, "on_round is 3; allowed: a function"),
    ],
)
def test_wrong_options_of_a_run_are_refused_by_name(options, sentence):
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y))
    with pytest.raises(InvalidArgument, match=sentence):
        fed.run(**{"rounds": 1, **options})
    assert fed.rounds_done == 0


def test_some_agents_take_part_where_that_is_asked_for():
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y, 10), seed=1)
    assert all(len(round.scheduled) == 2 for round in fed.rounds(4, scheduler="fraction", fraction=0.2))


def test_damaged_state_is_refused_and_changes_nothing():
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y), seed=1)
    fed.run(2)
    state = fed.save()
    for wrong in (b"", state[:-1], bytes([state[0] ^ 1]) + state[1:], state + b"x"):
        with pytest.raises(InvalidArgument, match=r"state is damaged|state is not what this version's save"):
            fed.restore(wrong)
    with pytest.raises(InvalidArgument, match="state is 'abc'; allowed: bytes"):
        fed.restore("abc")
    assert fed.save() == state


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (("fedavg", "logistic-regression"), {}, "the state is of the method 'c-dsvgd'; this federation's is 'fedavg'"),
        (("c-dsvgd", "linear-regression"), {}, "the state is of the model 'logistic-regression'; this"),
        (("c-dsvgd", "logistic-regression"), {"particles": 5}, "the state is of other settings: particles was 8 and is 5 here"),
        (("c-dsvgd", "logistic-regression"), {"dtype": "float64"}, "another model: dtype was 'float32' and is 'float64' here"),
        (("c-dsvgd", "logistic-regression"), {"seed": 9}, "the state is of seed 1; this federation's is 9"),
        (("c-dsvgd", "logistic-regression"), {"agents": 3}, "the state is of 4 shards; this federation has 3"),
        (("c-dsvgd", "logistic-regression"), {"exchanged": True}, r"the state is of other rows \(shard 0 was shard 3\)"),
        (("c-dsvgd", "logistic-regression"), {"changed": True}, r"the state is of other rows \(shard 1\)"),
    ],
)
def test_a_state_goes_on_where_it_belongs_only(arguments, options, sentence):
    x, y = two_classes()
    first = Federation("c-dsvgd", "logistic-regression", shards(x, y), seed=1)
    first.run(2)
    rows = shards(x.copy(), y, options.pop("agents", 4))
    if options.pop("exchanged", False):
        rows = [rows[3], rows[1], rows[2], rows[0]]
    if options.pop("changed", False):
        rows[1][0][7, 2] += 1
    other = Federation(*arguments, rows, **{"seed": 1, **options})
    with pytest.raises(InvalidArgument, match=sentence):
        other.restore(first.save())
    assert other.rounds_done == 0


def test_the_same_rows_and_settings_said_in_another_way_are_the_same():
    x, y = two_classes()
    first = Federation("c-dsvgd", "logistic-regression", shards(x.astype(np.float32), y), seed=1, particles=8)
    first.run(2)
    columns = np.asfortranarray(x.astype(np.float32).astype(np.float64))
    again = Federation("c-dsvgd", Model("logistic-regression", features=3), shards(columns, 2 * y - 1), seed=np.int64(1))
    again.restore(first.save())
    first.run(3)
    again.run(3)
    assert np.array_equal(first.particles, again.particles)


def test_models_know_what_they_are():
    for known in model_types():
        features = 0 if "density" in known["labels"] else 2
        model = Model(known["name"], features=features, classes=3 if "multiclass" in known["labels"] else 0)
        assert model.dimension > 0
        assert known["name"] in repr(model)
        assert {setting["key"] for setting in known["settings"]} == set(model.settings)


def test_labels_zero_and_one_are_minus_one_and_one():
    x, y = two_classes()
    model = Model("logistic-regression", features=3)
    theta = model.start(4)
    assert np.array_equal(model.log_likelihood(theta, x, y), model.log_likelihood(theta, x, 2 * y - 1))
    assert np.array_equal(model.likelihood_score(theta, x, y == 1), model.likelihood_score(theta, x, 2 * y - 1))


def test_scores_of_every_model_are_its_gradients():
    x, y = two_classes(30)
    for name in ("logistic-regression", "bnn-classification", "linear-regression", "poisson-regression"):
        model = Model(name, features=3, classes=2 if name.startswith("bnn") else 0, dtype="float64")
        report = model.check_gradient(model.start(3), x, y)
        assert report["prior"]["agrees"], (name, report)
        assert report["likelihood"]["agrees"], (name, report)


def test_a_federations_posterior_predicts_rows_like_its_shards():
    x, y = two_classes()
    fed = Federation("c-dsvgd", "logistic-regression", shards(x, y), seed=1)
    fed.run(20)
    posterior = fed.posterior()
    expected = fed.model.predict(fed.particles, x)["probabilities"]
    np.testing.assert_allclose(posterior.probabilities(x), expected, atol=1e-6)
    assert posterior.classes == ["-1", "1"]
    assert posterior.training["agents"] == 4
    assert posterior.covariance is not None
    own = Federation("c-dsvgd", Model.own(lambda t, x, y: -t, 1, features=3, log_likelihood=lambda t, x, y: -t[:, 0]), shards(x, y))
    with pytest.raises(InvalidArgument, match="has no posterior file"):
        own.posterior()


def test_models_are_pickled_unless_they_are_ones_own():
    model = Model("bnn-classification", features=3, classes=4, hidden=[5, 6], dtype="float64")
    again = pickle.loads(pickle.dumps(model))
    assert (again.settings, again.dimension, again.dtype) == (model.settings, model.dimension, "float64")
    with pytest.raises(TypeError, match="make it again"):
        pickle.dumps(Model.own(lambda t, x, y: -t, 1))


def test_notebooks_show_a_federation():
    x, y = two_classes()
    shown = Federation("c-dsvgd", "logistic-regression", shards(x, y))._repr_html_()
    assert "c-dsvgd, 4 agents, 0 rounds done" in shown
    assert "<td>50</td>" in shown
