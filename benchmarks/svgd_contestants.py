# SPDX-License-Identifier: Apache-2.0
"""One contestant of race-python: prints one line of JSON. Usage: svgd_contestants.py CONTESTANT N STEPS, or overhead"""
import json
import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np

FEATURES, ROWS, RATE, PRIOR, INTERCEPT = 54, 1000, 0.05, 1.0, 10.0
CHECKPOINTS = 16
KSD_WIDTH = 20.0  # of the kernel by which all are judged: about the mean squared distance of the posterior's draws


def problem():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(ROWS, FEATURES))
    y = np.where(x @ rng.normal(size=FEATURES) * 0.3 + rng.normal(size=ROWS) > 0, 1.0, -1.0)
    return x.astype(np.float32), y.astype(np.float32)


def start(n):
    return (0.1 * np.random.default_rng(2).normal(size=(n, FEATURES + 1))).astype(np.float32)


X, Y = problem()
DESIGN = np.column_stack([X, np.ones(ROWS, dtype=np.float32)])  # the intercept is the last parameter
PRECISION = np.array([PRIOR**-2] * FEATURES + [INTERCEPT**-2], dtype=np.float32)


def numpy_score(theta):
    margin = (theta @ DESIGN.T) * Y
    return (Y / (1 + np.exp(margin))) @ DESIGN - PRECISION * theta


def jax_log_density(theta):
    import jax
    import jax.numpy as jnp

    return jnp.sum(jax.nn.log_sigmoid((DESIGN @ theta) * Y)) - 0.5 * jnp.sum(PRECISION * theta**2)


def ksd_of(particles):
    import fedstein

    theta = np.asarray(particles, dtype=np.float64)
    return fedstein.ksd(theta, numpy_score(theta), bandwidth=KSD_WIDTH)


def intercept_place():
    """Where fedstein's model has its intercept."""
    import fedstein

    return fedstein.Model("logistic-regression", features=FEATURES).coefficients()["intercepts"][0]


def fedstein_steps(score, n, steps):
    import fedstein

    options = {"step_rule": "adam", "learning_rate": RATE, "bandwidth": "original"}
    fedstein.svgd(score, start(n), 20, **options)
    begin = time.perf_counter()
    fedstein.svgd(score, start(n), steps, **options)
    seconds = time.perf_counter() - begin
    seen = []

    def watch(step, particles, direction):
        seen.append(particles.copy()) if step % (steps // CHECKPOINTS) == 0 else None

    last = fedstein.svgd(score, start(n), steps, on_step=watch, **options).particles
    return seconds / steps, [*seen[1:], last]


def of_model(n, steps):
    import fedstein

    if intercept_place() != FEATURES:
        sys.exit("svgd_contestants: the model's intercept is expected to be its last parameter")
    model = fedstein.Model("logistic-regression", features=FEATURES, prior_deviation=PRIOR)
    target = model.posterior(X, Y)
    np.testing.assert_allclose(target(start(n)), numpy_score(start(n)), rtol=2e-3, atol=2e-2)
    return *fedstein_steps(target, n, steps), target


def of_jax(n, steps):
    import fedstein

    score = fedstein.from_jax(jax_log_density)
    return *fedstein_steps(score, n, steps), score


def of_numpy(n, steps):
    return *fedstein_steps(numpy_score, n, steps), numpy_score


def timed(run, state, particles_of):
    np.asarray(particles_of(run(state)))  # compiles it
    begin = time.perf_counter()
    np.asarray(particles_of(run(state)))
    return time.perf_counter() - begin


def steps_of_peer(state0, step, particles_of, steps):
    """A loop of Python calls one compiled step after another, or is compiled itself: the faster one counts."""
    import jax

    def called(state):
        for _ in range(steps):
            state = step(state)
        return state

    compiled = jax.jit(lambda state: jax.lax.fori_loop(0, steps, lambda _, inner: step(inner), state))
    seconds = min(timed(called, state0, particles_of), timed(compiled, state0, particles_of))
    state, seen = state0, []
    for number in range(steps):
        state = step(state)
        if (number + 1) % (steps // CHECKPOINTS) == 0:
            seen.append(np.asarray(particles_of(state)))
    return seconds / steps, seen


def of_blackjax(n, steps):
    import blackjax
    import jax
    import optax

    gradient = jax.grad(jax_log_density)
    algorithm = blackjax.svgd(gradient, optax.adam(RATE))
    state = algorithm.init(jax.numpy.asarray(start(n)), {"length_scale": 1.0})
    step = jax.jit(algorithm.step)
    return *steps_of_peer(state, step, lambda state: state.particles, steps), jax.jit(jax.vmap(gradient))


def of_numpyro(n, steps):
    import jax
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist
    from numpyro.contrib.einstein import SVGD, RBFKernel

    def model():
        theta = numpyro.sample("theta", dist.Normal(0, jnp.asarray(PRECISION) ** -0.5).to_event(1))
        numpyro.sample("y", dist.Bernoulli(logits=DESIGN @ theta), obs=(Y > 0).astype(np.int32))

    svgd = SVGD(model, numpyro.optim.Adam(RATE), RBFKernel(), num_stein_particles=n)
    state = svgd.init(jax.random.PRNGKey(1))
    (name,) = svgd.get_params(state)
    state = state._replace(optim_state=svgd.optim.init({name: jnp.asarray(start(n))}))
    step = jax.jit(lambda state: svgd.update(state)[0])
    particles_of = lambda state: svgd.get_params(state)[name]
    return *steps_of_peer(state, step, particles_of, steps), jax.jit(jax.vmap(jax.grad(jax_log_density)))


def microseconds(call, times):
    call()
    begin = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begin) / times * 1e6


def overhead():
    """What svgd() with a score of Python takes beyond the score and beyond the same steps of a score that costs nothing to ask."""
    import fedstein

    theta = np.random.default_rng(1).normal(size=(30, 2)).astype(np.float32)
    rows = np.zeros((1, 1), dtype=np.float32)
    inside = fedstein.Model("logistic-regression", features=1).posterior(rows, np.ones(1))
    best = []
    for _ in range(7):
        python = microseconds(lambda: fedstein.svgd(np.negative, theta, 5000), 1) / 5000
        cpp = microseconds(lambda: fedstein.svgd(inside, theta, 5000), 1) / 5000
        score = microseconds(lambda: np.negative(theta), 5000)
        best.append((python - cpp - score, python, cpp, score))
    us, python, cpp, score = sorted(best)[len(best) // 2]
    print(json.dumps({"us": us, "us_with_python_score": python, "us_of_a_model": cpp, "us_of_the_score": score}))


ENTRIES = {
    "fedstein, model": of_model,
    "fedstein, JAX score": of_jax,
    "fedstein, NumPy score": of_numpy,
    "BlackJAX": of_blackjax,
    "NumPyro": of_numpyro,
}


def main(name, n, steps):
    seconds, seen, score = ENTRIES[name](n, steps)
    places = [(k + 1) * (steps // CHECKPOINTS) for k in range(len(seen) - 1)] + [steps]
    theta = start(n)
    print(json.dumps({
        "us_per_step": seconds * 1e6,
        "us_of_score": microseconds(lambda: np.asarray(score(theta)), 50),
        "steps": places,
        "ksd": [ksd_of(particles) for particles in seen],
    }))


if __name__ == "__main__":
    if sys.argv[1:] == ["overhead"]:
        overhead()
    elif len(sys.argv) == 4 and sys.argv[1] in ENTRIES:
        main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(__doc__)
