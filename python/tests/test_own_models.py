# SPDX-License-Identifier: Apache-2.0
"""Models of one's own, in NumPy and in JAX, and methods of one's own."""

import importlib.util
import struct
import threading
import time

import numpy as np
import pytest
from rows import line, two_classes

from fedstein import (
    Agent,
    Federation,
    InvalidArgument,
    Method,
    Model,
    Server,
    Setting,
    check_gradient,
    from_jax,
    from_torch,
    method_list,
    svgd,
)

needs_jax = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="jax is not installed: from_jax() is not tested")
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed: from_torch() is not tested"
)


def own_line(**options):
    """Linear regression with noise 1 and prior N(0, 1), whose posterior is known."""

    def score(theta, x, y):
        return (y - theta @ x.T) @ x

    def log_likelihood(theta, x, y):
        return -0.5 * ((y - theta @ x.T) ** 2).sum(axis=1)

    return Model.own(score, 2, features=2, log_likelihood=log_likelihood, **options)


def rows():
    x, y = line()
    return x, y - 100


def exact_mean(x, y):
    return np.linalg.solve(x.T @ x + np.eye(2), x.T @ y)


def halves(x, y):
    return [(x[:100], y[:100]), (x[100:], y[100:])]


# Methods that need more of a model than its score and log density: curvature, predictions, second derivatives.
NEED_MORE = {"fedep", "fedbe", "npv"}


@pytest.mark.parametrize("method", [method["name"] for method in method_list()])
def test_a_model_of_ones_own_runs_in_every_method_that_needs_scores(method):
    x, y = rows()
    central = next(known["centralised"] for known in method_list() if known["name"] == method)
    shards = [(x, y)] if central else halves(x, y)
    if method in NEED_MORE:
        with pytest.raises(InvalidArgument, match=method):
            Federation(method, own_line(), shards, seed=1, **({"unlabelled": x} if method == "fedbe" else {}))
        return
    fed = Federation(method, own_line(), shards, seed=1)
    assert fed.run(3).lost_rounds == 0, fed.run(1).message
    assert np.isfinite(fed.particles).all()


def test_c_dsvgd_finds_the_exact_posterior_mean():
    x, y = rows()
    fed = Federation("c-dsvgd", own_line(), halves(x, y), seed=1, particles=20)
    fed.run(60)
    np.testing.assert_allclose(fed.particles.mean(axis=0), exact_mean(x, y), atol=0.05)


def test_c_dsvgd_runs_on_scores_alone():
    x, y = rows()
    alone = Model.own(lambda theta, x, y: (y - theta @ x.T) @ x, 2, features=2)
    fed = Federation("c-dsvgd", alone, halves(x, y), seed=1, particles=20)
    fed.run(60)
    np.testing.assert_allclose(fed.particles.mean(axis=0), exact_mean(x, y), atol=0.05)
    with pytest.raises(InvalidArgument, match="step_control is True; allowed: False"):
        Federation("c-dsvgd", alone, halves(x, y), step_control=True)
    with pytest.raises(InvalidArgument, match="log_likelihood"):
        Federation("pmd", alone, [(x, y)]).run(1)


def test_a_prior_and_a_start_of_ones_own():
    x, y = rows()
    options = {
        "prior_score": lambda theta: -theta,
        "log_prior": lambda theta: -0.5 * (theta**2).sum(axis=1),
        "start": lambda n, seed: np.random.default_rng(seed).normal(size=(n, 2)),
    }
    fed = Federation("dsvgd", own_line(**options), halves(x, y), seed=1, particles=20)
    fed.run(10)
    np.testing.assert_allclose(fed.particles.mean(axis=0), exact_mean(x, y), atol=0.3)


def zero(theta, x, y):
    return np.zeros(len(theta))


def test_what_a_models_functions_raise_comes_out():
    def raises(theta, x, y):
        raise LookupError("of mine")

    x, y = rows()
    for method in ("c-dsvgd", "dsvgd", "fedavg"):
        fed = Federation(method, Model.own(raises, 2, features=2, log_likelihood=zero), halves(x, y), seed=1)
        with pytest.raises(LookupError, match="of mine"):
            fed.run(1)
    fed = Federation("c-dsvgd", Model.own(lambda theta, x, y: -theta, 2, features=2, log_likelihood=raises), halves(x, y), seed=1)
    with pytest.raises(LookupError, match="of mine"):
        fed.run(1)


def test_wrong_answers_are_named():
    x, y = rows()
    fed = Federation(
        "c-dsvgd", Model.own(lambda theta, x, y: theta[:, :1], 2, features=2, log_likelihood=zero), halves(x, y), seed=1
    )
    with pytest.raises((InvalidArgument, TypeError), match="score"):
        fed.run(1)
    with pytest.raises(InvalidArgument, match="dimension is 0"):
        Model.own(lambda theta, x, y: theta, 0)
    with pytest.raises(InvalidArgument, match="prior_deviation is -1"):
        own_line(prior_deviation=-1)


def test_scores_from_parallel_agents_never_wait_for_each_other():
    x, y = two_classes(400)

    def score(theta, x, y):
        time.sleep(0.0005)  # gives the interpreter away in the middle
        return -theta

    model = Model.own(score, 3, features=3, log_likelihood=zero)

    def work():
        fed = Federation("c-dsvgd", model, [(x[k::8], y[k::8]) for k in range(8)], seed=1, local_steps=5)
        fed.run(3)
        done.append(fed.rounds_done)

    done = []
    threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)  # the watchdog: a deadlock ends the test instead of hanging it
    assert done == [3, 3, 3]


class Mean(Server):
    def start(self, model, rows, seed):
        return [np.zeros((1, model.dimension))]

    def fold(self, belief, updates):
        return [np.mean([update.belief[0] for update in updates], axis=0)]


class Step(Agent):
    def update(self, task):
        score = self.model.likelihood_score(task.belief[0], self.x, self.y)
        return [task.belief[0] + self.settings["learning_rate"] * score]


class CountingStep(Step):
    """Keeps how many of its updates were folded."""

    folded = 0

    def settle(self, verdict, as_sent):
        self.folded += verdict.folded

    def save(self):
        return struct.pack("q", self.folded)

    def restore(self, state):
        (self.folded,) = struct.unpack("q", state)


RATE = Setting("learning_rate", 0.2, "of a step", least=0)


def test_a_method_of_ones_own_is_what_numpy_says():
    x, y = two_classes()
    signed = 2 * y - 1
    model = Model("logistic-regression", features=3, dtype="float64")
    parts = halves(x, y)
    fed = Federation(Method("averaging", Mean, Step, settings=[RATE]), model, parts, learning_rate=0.01)
    fed.run(10)
    weights = np.zeros((1, 4))
    for _ in range(10):
        steps = [
            weights + 0.01 * model.likelihood_score(weights, x[rows], signed[rows]) for rows in (slice(0, 100), slice(100, 200))
        ]
        weights = np.mean(steps, axis=0)
    np.testing.assert_allclose(fed.particles, weights, rtol=1e-12)


def test_agents_with_state_are_saved_and_restored():
    x, y = two_classes()

    def fresh():
        return Federation(Method("counting", Mean, CountingStep, settings=[RATE]), "logistic-regression", halves(x, y))

    whole, first, second = fresh(), fresh(), fresh()
    whole.run(6)
    first.run(4)
    second.restore(first.save())
    second.run(2)
    assert np.array_equal(whole.particles, second.particles)
    assert whole.save() == second.save()


def test_settings_of_a_method_are_checked():
    x, y = two_classes()
    method = Method("averaging", Mean, Step, settings=[RATE])
    with pytest.raises(InvalidArgument, match="learning_rate"):
        Federation(method, "logistic-regression", halves(x, y), learning_rate=-1.0)
    with pytest.raises(InvalidArgument, match=r"agent is .*; allowed: a class derived from fedstein\.Agent"):
        Federation(Method("averaging", Mean, Mean), "logistic-regression", halves(x, y))


def test_a_method_that_lacks_a_function_says_which():
    class Empty(Server):
        pass

    x, y = two_classes()
    with pytest.raises(NotImplementedError, match=r"Empty must define start\(model, rows, seed\)"):
        Federation(Method("empty", Empty, Step, settings=[RATE]), "logistic-regression", halves(x, y))


def test_an_agents_random_numbers_have_a_name():
    agent = Step(seed=1, agent=2)
    assert np.array_equal(agent.rng(3).normal(size=4), agent.rng(3).normal(size=4))
    assert not np.array_equal(agent.rng(3).normal(size=4), agent.rng(4).normal(size=4))


@needs_jax
def test_jax_derives_scores():
    import jax.numpy as jnp

    score = from_jax(lambda theta: -0.5 * jnp.sum((theta - 3) ** 2))
    points = np.random.default_rng(1).normal(size=(30, 2)).astype(np.float32)
    np.testing.assert_allclose(score(points), 3 - points, rtol=1e-5)
    assert check_gradient(score.log_density, score, points)
    result = svgd(score, points, 500)
    np.testing.assert_allclose(result.particles.mean(axis=0), 3, atol=0.05)


@needs_jax
def test_a_model_in_jax_is_the_same_model():
    import jax.numpy as jnp

    def log_likelihood(theta, x, y):
        return -0.5 * jnp.sum((y - x @ theta) ** 2)

    x, y = rows()
    own = Model.from_jax(log_likelihood, 2, features=2)
    theta = own.start(5)
    np.testing.assert_allclose(own.likelihood_score(theta, x, y), own_line().likelihood_score(theta, x, y), rtol=1e-3)
    np.testing.assert_allclose(own.log_likelihood(theta, x, y), own_line().log_likelihood(theta, x, y), rtol=1e-4)
    fed = Federation("c-dsvgd", own, halves(x, y), seed=1, particles=20)
    fed.run(60)
    np.testing.assert_allclose(fed.particles.mean(axis=0), exact_mean(x, y), atol=0.05)


@needs_torch
def test_torch_derives_scores():
    score = from_torch(lambda theta: -0.5 * ((theta - 3) ** 2).sum())
    points = np.random.default_rng(1).normal(size=(30, 2)).astype(np.float32)
    np.testing.assert_allclose(score(points), 3 - points, rtol=1e-5)
    own = Model.from_torch(lambda theta, x, y: -0.5 * ((y - x @ theta) ** 2).sum(), 2, features=2)
    x, y = rows()
    np.testing.assert_allclose(own.likelihood_score(points[:3], x, y), own_line().likelihood_score(points[:3], x, y), rtol=1e-3)
