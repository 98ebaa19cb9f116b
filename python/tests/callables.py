# SPDX-License-Identifier: Apache-2.0
"""Everything that users can call, each with arguments that work: ``CALLS[name]()`` is a pair (function, arguments)."""

import functools
import inspect
import tempfile
from pathlib import Path

import numpy as np
import pandas
from rows import line, two_classes

import fedstein
from fedstein import autodiff, evaluation, models, rounds, runs

# Made by other functions, not by users.
RESULTS = (evaluation.Evaluation, models.PosteriorScore, autodiff.AutoScore, runs.Report, rounds.Round)
# To derive from; fedstein calls their methods.
BASES = (fedstein.Server, fedstein.Agent)
X, Y = two_classes(24)
LINE = line(24)
THETA = np.random.default_rng(0).normal(size=(5, 4))
SHARDS = [(X[:12], Y[:12]), (X[12:], Y[12:])]


def public_callables():
    """The names of all functions, constructors and methods that have arguments."""
    drawing = vars(fedstein.plot).items()
    out = {f"plot.{name}" for name, value in drawing if inspect.isfunction(value) and value.__module__ == "fedstein.plot"}
    out = {name for name in out if "._" not in name}
    for name in fedstein.__all__:
        value = getattr(fedstein, name)
        if inspect.isfunction(value):
            out.add(name)
        elif inspect.isclass(value) and not issubclass(value, (fedstein.Error, fedstein.Run, *BASES)):
            out |= {name, *_methods(value)}
    out = out.union(*map(_methods, RESULTS)) - {"Posterior"}  # Posterior.load makes one; runs are in test_interchange.py
    return {name for name in out if inspect.signature(_found(name)).parameters.keys() - {"self"}}


def _is_public(function):
    name = function.__name__
    return function.__module__.startswith("fedstein") and (not name.startswith("_") or name in ("__call__", "__getitem__"))


def _methods(of):
    routines = {name: getattr(of, name) for name in dir(of) if inspect.isroutine(getattr(of, name))}
    return {
        f"{of.__name__}.{name}"
        for name, value in routines.items()
        if inspect.isfunction(getattr(value, "__func__", value))
        if _is_public(value)
    }


def _found(name):
    first, *rest = name.split(".")
    results = {value.__name__: value for value in RESULTS}
    return functools.reduce(getattr, rest, results.get(first) or getattr(fedstein, first))


def quadratic(theta):
    return -0.5 * (theta**2).sum(axis=-1)


def score(theta):
    return -theta


def own_score(theta, x, y):
    return (y - theta @ x.T) @ x


def own_likelihood(theta, x, y):
    return -0.5 * ((y - theta @ x.T) ** 2).sum(axis=1)


class Mean(fedstein.Server):
    def start(self, model, rows, seed):
        return [np.zeros((1, model.dimension))]

    def fold(self, belief, updates):
        return updates[0].belief


class Step(fedstein.Agent):
    def update(self, task):
        return task.belief


@functools.cache
def classifier():
    return fedstein.SteinClassifier(n_particles=4, rounds=2, random_state=1).fit(X, Y)


@functools.cache
def regressor():
    return fedstein.SteinRegressor(n_particles=4, rounds=2, random_state=1).fit(*LINE)


@functools.cache
def counts():
    return fedstein.SteinCounts(n_particles=4, rounds=2, random_state=1).fit(X, Y)


@functools.cache
def model():
    return fedstein.Model("logistic-regression", features=3)


def a_table():
    return pandas.DataFrame({"algorithm": ["a", "a"], "round": [1, 2], "accuracy": [0.5, 0.6]})


def federation():
    return fedstein.Federation("dsvgd", model(), SHARDS, particles=4, local_steps=2, test=SHARDS[0])


@functools.cache
def saved_state():
    fed = federation()
    fed.run(1)
    return fed.save()


@functools.cache
def flat():
    return fedstein.SteinClassifier(n_particles=4, rounds=2, random_state=1).fit(X[:, :2], Y)


@functools.cache
def judged():
    return classifier().posterior_.evaluate(X, Y)


@functools.cache
def a_round():
    return list(federation().rounds(1))


@functools.cache
def folder():
    return Path(tempfile.mkdtemp())


@functools.cache
def posterior_file():
    path = folder() / "a.fedstein"
    classifier().posterior_.save(path)
    return path


def refitted(kind, **given):
    return kind(n_particles=4, rounds=1, random_state=1).fit(**given)


def fitted_with(kind, **given):
    """Estimators check what they were made with when they are fitted."""
    rows = (X, Y) if kind is not fedstein.SteinRegressor else LINE
    return kind(**{"n_particles": 4, "rounds": 1, "random_state": 1, **given}).fit(*rows)


def federation_with(**given):
    """A federation whose method is checked where it is used."""
    return fedstein.Federation(fedstein.Method(**given), model(), SHARDS).run(1)


def _signature_of(function, of):
    function.__signature__ = inspect.signature(of)
    return function


def _estimator(kind):
    return lambda: (_signature_of(functools.partial(fitted_with, kind), kind), {})


def _fit(kind, rows):
    x, y = rows
    return lambda: (_signature_of(functools.partial(refitted, kind), kind(rounds=1).fit), {"X": x, "y": y})


CALLS = {
    "SteinClassifier": _estimator(fedstein.SteinClassifier),
    "SteinRegressor": _estimator(fedstein.SteinRegressor),
    "SteinCounts": _estimator(fedstein.SteinCounts),
    "SteinClassifier.fit": _fit(fedstein.SteinClassifier, (X, Y)),
    "SteinRegressor.fit": _fit(fedstein.SteinRegressor, LINE),
    "SteinCounts.fit": _fit(fedstein.SteinCounts, (X, Y)),
    "SteinClassifier.predict": lambda: (classifier().predict, {"X": X}),
    "SteinClassifier.predict_proba": lambda: (classifier().predict_proba, {"X": X}),
    "SteinClassifier.uncertainty": lambda: (classifier().uncertainty, {"X": X}),
    "SteinClassifier.evaluate": lambda: (classifier().evaluate, {"X": X, "y": Y}),
    "SteinClassifier.log_likelihood": lambda: (classifier().log_likelihood, {"X": X, "y": Y}),
    "SteinRegressor.predict": lambda: (regressor().predict, {"X": LINE[0]}),
    "SteinRegressor.predict_quantiles": lambda: (regressor().predict_quantiles, {"X": LINE[0]}),
    "SteinRegressor.uncertainty": lambda: (regressor().uncertainty, {"X": LINE[0]}),
    "SteinRegressor.evaluate": lambda: (regressor().evaluate, {"X": LINE[0], "y": LINE[1]}),
    "SteinRegressor.log_likelihood": lambda: (regressor().log_likelihood, {"X": LINE[0], "y": LINE[1]}),
    "SteinCounts.predict": lambda: (counts().predict, {"X": X}),
    "SteinCounts.predict_quantiles": lambda: (counts().predict_quantiles, {"X": X}),
    "SteinCounts.uncertainty": lambda: (counts().uncertainty, {"X": X}),
    "SteinCounts.evaluate": lambda: (counts().evaluate, {"X": X, "y": Y}),
    "SteinCounts.log_likelihood": lambda: (counts().log_likelihood, {"X": X, "y": Y}),
    "Federation": lambda: (fedstein.Federation, {"method": "dsvgd", "model": model(), "shards": SHARDS}),
    "Federation.rounds": lambda: (federation().rounds, {"count": 1}),
    "Federation.run": lambda: (federation().run, {"rounds": 1}),
    "Federation.restore": lambda: (federation().restore, {"state": saved_state()}),
    "Model": lambda: (fedstein.Model, {"type": "logistic-regression", "features": 3}),
    "Model.own": lambda: (fedstein.Model.own, {"score": own_score, "dimension": 3, "log_likelihood": own_likelihood}),
    "Model.from_jax": lambda: (fedstein.Model.from_jax, {"log_likelihood": lambda theta, x, y: theta.sum(), "dimension": 3}),
    "Model.from_torch": lambda: (fedstein.Model.from_torch, {"log_likelihood": lambda theta, x, y: theta.sum(), "dimension": 3}),
    "Model.start": lambda: (model().start, {"n": 3}),
    "Model.log_prior": lambda: (model().log_prior, {"theta": THETA}),
    "Model.prior_score": lambda: (model().prior_score, {"theta": THETA}),
    "Model.log_likelihood": lambda: (model().log_likelihood, {"theta": THETA, "x": X, "y": Y}),
    "Model.likelihood_score": lambda: (model().likelihood_score, {"theta": THETA, "x": X, "y": Y}),
    "Model.log_posterior": lambda: (model().log_posterior, {"theta": THETA, "x": X, "y": Y}),
    "Model.posterior_score": lambda: (model().posterior_score, {"theta": THETA, "x": X, "y": Y}),
    "Model.check_gradient": lambda: (model().check_gradient, {"points": THETA, "x": X, "y": Y}),
    "Model.posterior": lambda: (model().posterior, {"x": X, "y": Y}),
    "Model.predict": lambda: (model().predict, {"theta": THETA, "x": X}),
    "Model.log_predictive": lambda: (model().log_predictive, {"theta": THETA, "x": X, "y": Y}),
    "PosteriorScore.__call__": lambda: (model().posterior(X, Y), {"theta": THETA}),
    "Method": lambda: (_signature_of(federation_with, fedstein.Method), {"name": "mean", "server": Mean, "agent": Step}),
    "Setting": lambda: (fedstein.Setting, {"key": "rate", "default": 0.1, "help": "of a step"}),
    "svgd": lambda: (fedstein.svgd, {"score": score, "particles": THETA, "steps": 2}),
    "ksd": lambda: (fedstein.ksd, {"particles": THETA, "scores": -THETA}),
    "collapse": lambda: (fedstein.collapse, {"particles": THETA, "scores": -THETA}),
    "check_gradient": lambda: (fedstein.check_gradient, {"log_density": quadratic, "score": score, "points": THETA}),
    "from_jax": lambda: (fedstein.from_jax, {"log_density": quadratic}),
    "from_torch": lambda: (fedstein.from_torch, {"log_density": quadratic}),
    "AutoScore.__call__": lambda: (fedstein.from_jax(quadratic), {"theta": THETA}),
    "AutoScore.log_density": lambda: (fedstein.from_jax(quadratic).log_density, {"theta": THETA}),
    "Posterior.load": lambda: (fedstein.Posterior.load, {"path": posterior_file()}),
    "Posterior.save": lambda: (classifier().posterior_.save, {"path": folder() / "b.fedstein"}),
    "Posterior.from_bytes": lambda: (fedstein.Posterior.from_bytes, {"contents": classifier().posterior_.to_bytes()}),
    "Posterior.probabilities": lambda: (classifier().posterior_.probabilities, {"x": X}),
    "Posterior.mean": lambda: (regressor().posterior_.mean, {"x": LINE[0]}),
    "Posterior.uncertainty": lambda: (classifier().posterior_.uncertainty, {"x": X}),
    "Posterior.predict": lambda: (regressor().posterior_.predict, {"x": LINE[0]}),
    "Posterior.quantiles": lambda: (regressor().posterior_.quantiles, {"x": LINE[0]}),
    "Posterior.labels_of": lambda: (regressor().posterior_.labels_of, {"y": LINE[1]}),
    "Posterior.log_predictive": lambda: (regressor().posterior_.log_predictive, {"x": LINE[0], "y": LINE[1]}),
    "Posterior.evaluate": lambda: (classifier().posterior_.evaluate, {"x": X, "y": Y}),
    "Posterior.calibrate": lambda: (classifier().posterior_.calibrate, {"x": X, "y": Y}),
    "Posterior.summary": lambda: (classifier().posterior_.summary, {}),
    "Posterior.draws": lambda: (classifier().posterior_.draws, {}),
    "Posterior.to_datatree": lambda: (classifier().posterior_.to_datatree, {}),
    "Evaluation.__getitem__": lambda: (judged().__getitem__, {"name": "accuracy"}),
    "Report.save": lambda: (runs.Report("<p>").save, {"path": folder() / "report.html"}),
    "plot.reliability": lambda: (fedstein.plot.reliability, {"evaluation": judged()}),
    "plot.abstention": lambda: (fedstein.plot.abstention, {"evaluation": judged()}),
    "plot.curves": lambda: (fedstein.plot.curves, {"table": a_table()}),
    "plot.particles": lambda: (fedstein.plot.particles, {"theta": THETA}),
    "plot.doubt": lambda: (fedstein.plot.doubt, {"estimator": flat(), "X": X[:, :2]}),
    "plot.live": lambda: (fedstein.plot.live, {"rounds": a_round()}),
}
