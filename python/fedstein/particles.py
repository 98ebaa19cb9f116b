# SPDX-License-Identifier: Apache-2.0
"""SVGD on a density of your own or on a model's posterior, and what its particles are worth."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from fedstein import _checks, _html, _load
from fedstein._arguments import checked
from fedstein.autodiff import AutoScore
from fedstein.errors import InvalidArgument
from fedstein.models import PosteriorScore

#: The gradient of a log density: particles (N x d) to N x d.
Score = Callable[[np.ndarray], Any]


@dataclasses.dataclass(frozen=True)
class SvgdResult:
    """The particles, and how the run went."""

    particles: np.ndarray
    steps: int
    #: Why it ended: "all-steps", "tolerance" or "callback".
    reason: str
    #: All of it in one sentence.
    message: str
    #: Root mean square of the direction at the last step; None where nothing was measured.
    direction: float | None
    #: Kernelised Stein discrepancy of the result; None unless it was asked for.
    ksd: float | None

    def __repr__(self) -> str:
        n, d = self.particles.shape
        return f"<{_checks.counted(n, 'particle')} in {_checks.counted(d, 'dimension')}: {self.message}>"

    def _repr_html_(self) -> str:
        mean, deviation = self.particles.mean(axis=0), self.particles.std(axis=0)
        rows = [[k, float(mean[k]), float(deviation[k])] for k in range(len(mean))]
        return _html.paragraph(repr(self).strip("<>")) + _html.table(["dimension", "mean", "deviation"], rows)


@checked
def svgd(
    score: Score,
    particles: Any,
    steps: int = 200,
    *,
    kernel: str = "rbf",
    bandwidth: str | float = "paper",
    step_rule: str = "adagrad",
    learning_rate: float | None = None,
    momentum: float = 0.9,
    epsilon: float | None = None,
    falling: bool = False,
    tolerance: float = 0.0,
    measure_ksd: bool = False,
    support: tuple[Any, Any] | None = None,
    on_step: Callable[[int, np.ndarray, float], Any] | None = None,
    dtype: Any = "float32",
) -> SvgdResult:
    """Stein variational gradient descent (Liu and Wang 2016): moves particles towards the density with this score.

    ``score`` maps all particles (N x d) to their scores: a function in NumPy, ``from_jax(log_density)``,
    ``from_torch(log_density)``, or ``model.posterior(x, y)``, which never leaves C++ and is the fastest. What it raises comes out
    of ``svgd`` as it is.

    ``kernel`` is "rbf", "imq" or "independent"; ``bandwidth`` "paper", "original" (the median rule) or a number h; ``step_rule``
    "adagrad", which has a ``momentum``, "adam" or "plain". ``learning_rate`` is usually 0.05 of AdaGrad, 0.01 of the others.
    AdaGrad's and Adam's steps are about as long in every coordinate, so parameters should have scales near 1. ``support``, two
    vectors, are bounds into which particles are reflected. ``on_step(step, particles, direction)`` is called before every step and
    ends the run by returning True.

    >>> import numpy as np
    >>> from fedstein import svgd
    >>> start = np.random.default_rng(1).normal(size=(30, 2))
    >>> result = svgd(lambda theta: 3 - theta, start, steps=500)  # the density is N(3, 1) in two dimensions
    >>> result.particles.mean(axis=0).round(1)
    array([3., 3.], dtype=float32)
    """
    if step_rule != "adagrad":
        _checks.unused("momentum", momentum, 0.9, f"the step rule is {step_rule!r}, and only 'adagrad' has a momentum")
    if step_rule == "plain":
        _checks.unused("epsilon", epsilon, None, "the step rule 'plain' divides by nothing")
    inside = score if isinstance(score, PosteriorScore) else None
    precision = _checks.precision(dtype)
    if inside and precision != inside.dtype:
        _checks.unused("dtype", precision, "float32", f"the score is that of a model in {inside.dtype}")
        precision = inside.dtype
    found = _load.core(precision).svgd(
        inside.target if inside else _checks.function("score", score),
        _checks.matrix("particles", particles),
        steps=_checks.whole("steps", steps, 0, 2**62),
        kernel=_kernel(kernel),
        bandwidth=_bandwidth(bandwidth, kernel),
        step_rule=_checks.one_of("step_rule", step_rule, ("adagrad", "adam", "plain")),
        learning_rate=None if learning_rate is None else _checks.number("learning_rate", learning_rate, above=0),
        momentum=_checks.number("momentum", momentum),
        epsilon=None if epsilon is None else _checks.number("epsilon", epsilon, above=0),
        falling=bool(falling),
        tolerance=_checks.number("tolerance", tolerance),
        measure_ksd=bool(measure_ksd),
        support=None if support is None else tuple(support),
        on_step=None if on_step is None else _checks.function("on_step", on_step),
    )
    return SvgdResult(**{field.name: found[field.name] for field in dataclasses.fields(SvgdResult)})


def _kernel(name: str) -> str:
    return _checks.one_of("kernel", name, ("rbf", "imq", "independent"))


def _bandwidth(value: Any, kernel: str) -> str | float:
    if kernel == "independent":
        _checks.unused("bandwidth", value, "paper", "the kernel 'independent' has none")
    if isinstance(value, str):
        if value not in ("paper", "original"):
            raise InvalidArgument(f"bandwidth is {_checks.shown(value)}; allowed: 'paper', 'original' or a number above 0")
        return value
    return _checks.number("bandwidth", value, above=0)


@checked
def ksd(particles: Any, scores: Any, *, kernel: str = "rbf", bandwidth: str | float = "paper") -> float:
    """The kernelised Stein discrepancy between particles and the density with these scores at them (both N x d).

    It is computed in double precision.

    >>> import numpy as np
    >>> from fedstein import ksd
    >>> x = np.random.default_rng(1).normal(size=(200, 2))
    >>> ksd(x, -x) < ksd(x, 2 - x)
    True
    """
    return float(_load.core("float64").ksd(particles, scores, _kernel(kernel), _bandwidth(bandwidth, kernel)))


@dataclasses.dataclass(frozen=True)
class Collapse:
    """Whether particles spread as far as their target asks; ``ratio`` is about 1 where they do, towards 0 where not."""

    variance: np.ndarray
    implied: np.ndarray
    ratio: np.ndarray
    median_ratio: float
    collapsed: bool


@checked
def collapse(particles: Any, scores: Any, threshold: float = 0.1) -> Collapse:
    """Compares the particles' variance with the variance that their scores imply, dimension by dimension.

    >>> import numpy as np
    >>> from fedstein import collapse
    >>> x = np.random.default_rng(1).normal(size=(200, 2))
    >>> collapse(x, -x).collapsed, collapse(0.1 * x, -0.1 * x).collapsed
    (False, True)
    """
    found = _load.core("float64").collapse(particles, scores, _checks.number("threshold", threshold))
    return Collapse(**found)


@dataclasses.dataclass(frozen=True)
class GradientReport:
    """What :func:`check_gradient` found; true where score and differences agree."""

    agrees: bool
    error: float
    particle: int
    coordinate: int
    score: float
    difference: float
    kinks: int
    message: str

    def __bool__(self) -> bool:
        return self.agrees


@checked
def check_gradient(
    log_density: Callable[[np.ndarray], Any],
    score: Score,
    points: Any,
    *,
    tolerance: float | None = None,
    most_coordinates: int = 400,
    skip_kinks: bool = False,
    dtype: Any = None,
) -> GradientReport:
    """Whether a score is the gradient of its log density: compared with differences at some points (N x d).

    It is done in double precision, unless JAX computes in single.

    >>> import numpy as np
    >>> from fedstein import check_gradient
    >>> points = np.array([[0.5, -1.0], [2.0, 0.1]])
    >>> log_density = lambda theta: -0.5 * (theta**2).sum(axis=1)
    >>> bool(check_gradient(log_density, lambda theta: -theta, points))
    True
    >>> check_gradient(log_density, lambda theta: -2 * theta, points).agrees
    False
    """
    usual = score.dtype if isinstance(score, AutoScore) else "float64"
    core = _load.core(_checks.precision(usual if dtype is None else dtype))
    allowed = None if tolerance is None else _checks.number("tolerance", tolerance, above=0)
    coordinates = _checks.whole("most_coordinates", most_coordinates, 1, 2**31)
    found = core.check_gradient(
        _checks.function("log_density", log_density),
        _checks.function("score", score),
        points,
        allowed,
        coordinates,
        bool(skip_kinks),
    )
    return GradientReport(**found)
