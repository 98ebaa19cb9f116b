# SPDX-License-Identifier: Apache-2.0
"""svgd() on scores of NumPy, its diagnostics, and what comes out of a user's functions."""

import numpy as np
import pytest
from rows import two_classes

from fedstein import Divergence, InvalidArgument, Model, check_gradient, collapse, ksd, svgd


def start(n=30, d=2, seed=1):
    return np.random.default_rng(seed).normal(size=(n, d))


def test_particles_come_to_stand_for_the_density():
    result = svgd(lambda theta: 3 - theta, start(), steps=500)
    np.testing.assert_allclose(result.particles.mean(axis=0), 3, atol=0.05)
    np.testing.assert_allclose(result.particles.std(axis=0), 1, atol=0.2)
    assert result.steps == 500
    assert result.reason == "all-steps"
    assert "500" in result.message


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_plain_step_is_svgds_formula(dtype):
    x = start(20, 3).astype(dtype)
    scores = -x + 0.5
    h = 0.7
    difference = x[:, None] - x[None]
    kernel = np.exp(-(difference**2).sum(axis=2) / h)
    direction = (kernel @ scores + (2 / h) * (kernel[:, :, None] * difference).sum(axis=1)) / len(x)
    result = svgd(lambda theta: -theta + 0.5, x, 1, bandwidth=h, step_rule="plain", learning_rate=0.1, dtype=dtype)
    assert result.particles.dtype == dtype
    np.testing.assert_allclose(result.particles, x + 0.1 * direction, atol=1e-6 if dtype == "float32" else 1e-14)


def test_ksd_is_its_definition():
    x = start(15, 2)
    s = -x
    h = 1.3
    r = x[:, None] - x[None]
    r2 = (r**2).sum(axis=2)
    k = np.exp(-r2 / h)
    grad = -2 / h * r * k[:, :, None]  # with respect to the first argument
    trace = k * (2 * 2 / h - 4 * r2 / h**2)
    terms = k * (s @ s.T) - np.einsum("id,ijd->ij", s, grad) + np.einsum("jd,ijd->ij", s, grad) + trace
    np.testing.assert_allclose(ksd(x, s, bandwidth=h), np.sqrt(terms.mean()), rtol=1e-9)


def test_collapse_is_noticed():
    x = start(200)
    assert not collapse(x, -x).collapsed
    found = collapse(0.1 * x, -0.1 * x)
    assert found.collapsed
    np.testing.assert_allclose(found.ratio, 0.01 * (x**2).mean(axis=0), rtol=0.1)


def test_a_models_posterior_and_its_score_in_numpy_give_the_same():
    x, y = two_classes()
    model = Model("logistic-regression", features=3, dtype="float64")
    theta = model.start(10, seed=3)
    inside = svgd(model.posterior(x, y), theta, 50).particles
    outside = svgd(lambda t: model.posterior_score(t, x, y), theta, 50, dtype="float64").particles
    assert np.array_equal(inside, outside)


def test_what_a_score_raises_comes_out_as_it_is():
    class OfMine(RuntimeError):
        pass

    mine = OfMine("of mine")

    def score(theta):
        raise mine

    with pytest.raises(OfMine) as caught:
        svgd(score, start())
    assert caught.value is mine


def test_a_callback_sees_every_step_and_can_stop():
    seen = []

    def watch(step, particles, direction):
        seen.append((step, particles.copy(), direction))
        return step == 5

    result = svgd(lambda theta: -theta, start(), 100, on_step=watch)
    assert result.reason == "callback"
    assert result.steps == 5
    assert [step for step, _, _ in seen] == list(range(6))
    assert np.array_equal(seen[-1][1], result.particles)


def test_a_tolerance_ends_it():
    result = svgd(lambda theta: -theta, start(), 5000, step_rule="adam", learning_rate=0.02, tolerance=0.01, measure_ksd=True)
    assert result.reason == "tolerance"
    assert result.direction < 0.01
    assert 0 < result.ksd < 1


def test_arguments_are_not_changed_and_may_lie_anyhow_in_memory():
    x = start(30, 4)
    before = x.copy()
    first = svgd(lambda theta: -theta, x, 10).particles
    assert np.array_equal(x, before)
    assert np.array_equal(svgd(lambda theta: -theta, np.asfortranarray(x), 10).particles, first)
    assert np.array_equal(svgd(lambda theta: -theta, np.repeat(x, 2, axis=0)[::2], 10).particles, first)
    assert np.array_equal(svgd(lambda theta: -theta, x.tolist(), 10).particles, first)


def test_a_score_may_keep_and_change_what_it_gets():
    kept = []

    def score(theta):
        kept.append(theta)
        out = -theta.copy()
        theta[:] = np.nan
        return out

    assert np.isfinite(svgd(score, start(), 10).particles).all()
    assert len(kept) == 10


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"particles": [1.0, 2.0]}, "particles has shape"),
        ({"particles": [["a"]]}, "particles holds something other than numbers"),
        ({"particles": [[np.nan]]}, "particles"),
        ({"particles": np.zeros((0, 2))}, "particles"),
        ({"steps": -1}, "steps is -1; allowed: a whole number of at least 0"),
        ({"kernel": "gaussian"}, "kernel"),
        ({"bandwidth": -1.0}, "bandwidth"),
        ({"bandwidth": "median"}, "bandwidth"),
        ({"step_rule": "sgd"}, "step_rule"),
        ({"learning_rate": 0.0}, "learning_rate"),
        ({"momentum": 2.0}, "momentum"),
        ({"dtype": "int32"}, "dtype is 'int32'"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"tolerance": "a"}, "tolerance is 'a'; allowed: a number"),
        ({"score": None}, "score is None; allowed: a function"),
        ({"steps": 10**30}, "steps is 1000"),
        ({"on_step": 3}, "on_step is 3; allowed: a function"),
        ({"particles": np.eye(2) * 1j}, "particles holds complex numbers"),
        ({"support": (1, 2)}, "support"),
    ],
)
def test_wrong_arguments_are_refused_by_name(options, sentence):
    with pytest.raises(InvalidArgument, match=sentence):
        svgd(**{"score": lambda theta: -theta, "particles": start(), **options})


@pytest.mark.parametrize("answer", [lambda t: -t[:, :1], lambda t: None, lambda t: "a", lambda t: -t[:-1], lambda t: [t]])
def test_wrong_answers_of_a_score_are_refused(answer):
    with pytest.raises((InvalidArgument, TypeError)):
        svgd(answer, start())


def test_scores_that_are_not_finite_are_a_divergence():
    with pytest.raises((Divergence, InvalidArgument)):
        svgd(lambda theta: theta * np.nan, start())


def test_gradients_are_checked():
    points = start(5, 3)
    good = check_gradient(lambda t: -0.5 * (t**2).sum(axis=1), lambda t: -t, points)
    assert good
    assert good.error < 1e-6
    bad = check_gradient(lambda t: -0.5 * (t**2).sum(axis=1), lambda t: -1.01 * t, points)
    assert not bad
    assert bad.message


def test_bounds_are_kept():
    low, high = np.array([0.0, 0.0]), np.array([1.0, 1.0])
    result = svgd(lambda theta: 0 * theta + 5, np.random.default_rng(1).uniform(size=(20, 2)), 100, support=(low, high))
    assert (result.particles >= 0).all()
    assert (result.particles <= 1).all()
