# SPDX-License-Identifier: Apache-2.0
"""Models as objects: fedstein's own by name, and those of yours from a score or a log density."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from fedstein import _checks, _load, autodiff
from fedstein._arguments import checked
from fedstein.errors import InvalidArgument

#: ``score(theta, x, y)``: N x d, n x p and n to N x d, the gradient of the sum over rows of log p(y | x, theta).
ModelScore = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]
#: The sum itself, one entry for each row of theta.
ModelLogLikelihood = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]


@checked
class Model:
    """A Bayesian model: a prior on d parameters and a likelihood of rows.

    ``type`` is a name of :func:`model_types`; settings have the names and defaults of docs/reference.md.

    >>> import numpy as np
    >>> from fedstein import Model
    >>> model = Model("logistic-regression", features=2)
    >>> model.dimension
    3
    >>> x, y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1, 0])
    >>> model.log_likelihood(np.zeros((1, 3)), x, y).round(3)
    array([-1.386])

    Labels of two classes are -1 and 1, or 0 and 1; of more classes 0, 1, 2, ...
    """

    def __init__(
        self, type: str, *, features: int = 0, classes: int = 0, labels: str = "", dtype: Any = "float32", **settings: Any
    ) -> None:
        self.dtype = _checks.precision(dtype)
        features = _checks.whole("features", features, 0)
        classes = _checks.whole("classes", classes, 0)
        known = _type_named(type)
        kind = _checks.one_of("labels", labels or known["labels"][0], known["labels"])
        if kind == "density":
            _checks.unused("features", features, 0, f"'{type}' is a density without rows")
        elif features < 1:
            raise InvalidArgument(f"features is {features}; allowed: a whole number of at least 1, the columns of X")
        _check_classes(classes, kind, f"'{type}'")
        core = _load.core(self.dtype)
        self._silent: Any = None
        self._core: Any = core.Model(type, settings, features, 2 if kind == "binary" else classes, kind)

    @classmethod
    def _around(cls, core_model: Any, dtype: str) -> Model:
        out = cls.__new__(cls)
        out.dtype = dtype
        out._core = core_model
        out._silent = None
        return out

    @classmethod
    def own(
        cls,
        score: ModelScore,
        dimension: int,
        *,
        features: int = 0,
        log_likelihood: ModelLogLikelihood | None = None,
        labels: str = "regression",
        classes: int = 0,
        prior_deviation: float = 1.0,
        prior_score: Callable[[np.ndarray], Any] | None = None,
        log_prior: Callable[[np.ndarray], Any] | None = None,
        start: Callable[[int, int], Any] | None = None,
        name: str = "own",
        dtype: Any = "float32",
    ) -> Model:
        """A model of your own from the score of its likelihood, in NumPy.

        ``score(theta, x, y)`` gets all particles (N x d) and the rows of a minibatch, and returns N x d. The prior is normal with
        ``prior_deviation``, unless ``prior_score(theta)`` and ``start(n, seed)``, n draws to begin with, are given. Methods that
        need scores only run it. ``c-dsvgd`` controls its steps by ``log_likelihood``; without it they keep their first length, the
        setting ``step``.

        >>> import numpy as np
        >>> from fedstein import Model, Federation
        >>> def score(theta, x, y):  # y is normal about x theta, with deviation 1
        ...     return (y - theta @ x.T) @ x
        >>> def log_likelihood(theta, x, y):
        ...     return -0.5 * ((y - theta @ x.T) ** 2).sum(axis=1)
        >>> model = Model.own(score, 1, features=1, log_likelihood=log_likelihood)
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> fed = Federation("c-dsvgd", model, [(x[:20], 0.5 * x[:20, 0]), (x[20:], 0.5 * x[20:, 0])], seed=1)
        >>> fed.run(20).rounds
        20
        >>> bool(abs(fed.particles.mean() - 0.5 * 13.7 / 14.7) < 0.1)
        True
        """
        out = cls.__new__(cls)
        out.dtype = _checks.precision(dtype)
        _checks.one_of("labels", labels, ("regression", "binary", "multiclass", "counts"))
        _check_classes(_checks.whole("classes", classes, 0), labels, "this model")
        if prior_score is not None and start is not None:
            _checks.unused("prior_deviation", prior_deviation, 1.0, "prior_score and start say all about the prior")
        make = functools.partial(
            _load.core(out.dtype).OwnModel,
            _checks.whole("dimension", dimension, 1),
            features=_checks.whole("features", features, 0),
            labels=labels,
            classes=classes,
            score=score,
            prior_deviation=_checks.number("prior_deviation", prior_deviation, above=0),
            log_prior=log_prior,
            prior_score=prior_score,
            start=start,
            name=name,
        )
        out._core = make(log_likelihood=log_likelihood)
        # For c-dsvgd without control of its steps, which asks for a log likelihood but does nothing with it.
        out._silent = None if log_likelihood is not None else make(log_likelihood=_nothing_said)
        return out

    @classmethod
    def from_jax(cls, log_likelihood: Callable[[Any, Any, Any], Any], dimension: int, **options: Any) -> Model:
        """A model of your own whose score JAX derives.

        ``log_likelihood(theta, x, y)`` gets one particle (d) and rows (n x p, n), and returns the sum over the rows of
        log p(y | x, theta), a scalar, in functions of ``jax.numpy``. Options are those of :meth:`own`.
        """
        log_density, score = autodiff.jax_likelihood(log_likelihood)
        return cls.own(score, dimension, log_likelihood=log_density, **options)

    @classmethod
    def from_torch(cls, log_likelihood: Callable[[Any, Any, Any], Any], dimension: int, **options: Any) -> Model:
        """A model of your own whose score PyTorch derives; as :meth:`from_jax`, in functions of ``torch``."""
        log_density, score = autodiff.torch_likelihood(log_likelihood)
        return cls.own(score, dimension, log_likelihood=log_density, **options)

    @property
    def type(self) -> str:
        """Its name in :func:`model_types`, or that of your own."""
        return str(self._core.type)

    @property
    def dimension(self) -> int:
        """d: the number of parameters."""
        return int(self._core.dimension)

    @property
    def features(self) -> int:
        """p: the columns of X."""
        return int(self._core.features)

    @property
    def classes(self) -> int:
        """How many classes it tells apart; 0 for numbers and counts."""
        return int(self._core.classes)

    @property
    def labels(self) -> str:
        """What it learns from: "binary", "multiclass", "regression", "counts" or "density"."""
        return str(self._core.labels)

    @property
    def settings(self) -> dict[str, Any]:
        """All settings, with the defaults filled in."""
        return dict(self._core.settings)

    @property
    def predicts(self) -> bool:
        return bool(self._core.predicts)

    def coefficients(self) -> dict[str, Any] | None:
        """Which parameter is the weight of which feature; None for models whose parameters have no meaning, such as networks."""
        found = self._core.coefficients()
        return None if found is None else dict(found)

    def start(self, n: int, seed: int = 1) -> np.ndarray:
        """n particles to begin with: draws from the prior, or what suits a network's weights."""
        return np.asarray(self._core.start(_checks.whole("n", n, 1), _checks.seed(seed)))

    def log_prior(self, theta: Any) -> np.ndarray:
        """Of each particle, up to a constant."""
        return np.asarray(self._core.log_prior(theta))

    def prior_score(self, theta: Any) -> np.ndarray:
        """The gradient of :meth:`log_prior`: N x d."""
        return np.asarray(self._core.prior_score(theta))

    def log_likelihood(self, theta: Any, x: Any, y: Any) -> np.ndarray:
        """The sum over the rows of log p(y | x, theta), one entry for each particle."""
        return np.asarray(self._core.log_likelihood(theta, x, self._signed(y)))

    def likelihood_score(self, theta: Any, x: Any, y: Any) -> np.ndarray:
        """The gradient of :meth:`log_likelihood`: N x d."""
        return np.asarray(self._core.likelihood_score(theta, x, self._signed(y)))

    def log_posterior(self, theta: Any, x: Any, y: Any, temperature: float = 1.0) -> np.ndarray:
        """log prior + log likelihood / temperature, up to a constant."""
        return np.asarray(self._core.log_posterior(theta, x, self._signed(y), _checks.number("temperature", temperature, above=0)))

    def posterior_score(self, theta: Any, x: Any, y: Any, temperature: float = 1.0) -> np.ndarray:
        """The gradient of :meth:`log_posterior`: N x d."""
        return np.asarray(
            self._core.posterior_score(theta, x, self._signed(y), _checks.number("temperature", temperature, above=0))
        )

    def check_gradient(
        self, points: Any, x: Any, y: Any, *, skip_kinks: bool = True, tolerance: float | None = None
    ) -> dict[str, Any]:
        """Whether the scores are the gradients of the log densities, at some points (N x d).

        ``skip_kinks`` leaves out coordinates at which a density has a kink; ``tolerance`` is how much may differ.
        """
        allowed = None if tolerance is None else _checks.number("tolerance", tolerance, above=0)
        return dict(self._core.check_gradient(points, x, self._signed(y), bool(skip_kinks), allowed))

    def posterior(self, x: Any, y: Any, *, batch: int = 0, seed: int = 1, temperature: float = 1.0) -> PosteriorScore:
        """The posterior of these rows, as a score for :func:`fedstein.svgd`; ``batch`` rows a step, 0: all."""
        target = _load.core(self.dtype).Target(
            self._core,
            x,
            self._signed(y),
            _checks.whole("batch", batch, 0),
            _checks.seed(seed),
            _checks.number("temperature", temperature, above=0),
        )
        return PosteriorScore(target, self.dtype)

    def predict(self, theta: Any, x: Any) -> dict[str, np.ndarray]:
        """What the particles say about rows together: ``probabilities`` (n x C) of classes, or ``mean`` and variances."""
        return dict(self._core.predict(theta, x))

    def log_predictive(self, theta: Any, x: Any, y: Any) -> np.ndarray:
        """Of each row, the logarithm of the label's probability, or of the target's density, averaged over particles."""
        return np.asarray(self._core.log_predictive(theta, x, self._signed(y)))

    def _signed(self, y: Any) -> Any:
        """Labels 0 and 1 of two classes as -1 and 1."""
        if self.labels != "binary":
            return y
        labels = _checks.vector("y", y)
        if labels.dtype.kind not in "biuf" or not np.isin(labels, (-1, 0, 1)).all():
            wrong = next(label for label in labels.tolist() if label not in (-1, 0, 1))
            raise InvalidArgument(f"y holds {wrong!r}; allowed: -1 and 1, or 0 and 1")
        return np.where(labels == 1, 1.0, -1.0) if np.isin(labels, (0, 1)).all() else labels

    def __reduce__(self) -> tuple[Any, ...]:
        if self._core.is_own:
            raise TypeError("a model of your own cannot be pickled: make it again where it is needed")
        return (_again, (self.type, self.features, self.classes, self.labels, self.dtype, self.settings))

    def __repr__(self) -> str:
        return f"Model({self.type!r}, features={self.features}, dimension={self.dimension}, dtype={self.dtype!r})"


def _nothing_said(theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.zeros(len(theta))


def _again(type: str, features: int, classes: int, labels: str, dtype: str, settings: dict[str, Any]) -> Model:
    rows = {} if labels == "density" else {"features": features, "classes": classes}
    return Model(type, **rows, labels=labels, dtype=dtype, **settings)


class PosteriorScore:
    """The score of a model's posterior given some rows, computed in C++. Made by :meth:`Model.posterior`."""

    def __init__(self, target: Any, dtype: str) -> None:
        self.target = target
        self.dtype = dtype

    @checked
    def __call__(self, theta: Any) -> np.ndarray:
        return np.asarray(self.target(theta))


def model_types() -> list[dict[str, Any]]:
    """fedstein's models, each with its name, a summary, the labels it learns from and its settings.

    >>> from fedstein import model_types
    >>> [model["name"] for model in model_types()][:2]
    ['logistic-regression', 'bnn-regression']
    """
    return [dict(model) for model in _load.core("float32").model_types()]


def _type_named(name: str) -> dict[str, Any]:
    known = {model["name"]: model for model in model_types()}
    return known[_checks.one_of("type", name, list(known))]


def _check_classes(classes: int, labels: str, which: str) -> None:
    if labels == "multiclass" and classes < 2:
        raise InvalidArgument(f"classes is {classes}; allowed: a whole number of at least 2")
    if labels == "binary" and classes not in (0, 2):
        raise InvalidArgument(f"classes is {classes}; allowed: 2, since {which} tells two classes apart")
    if labels not in ("binary", "multiclass"):
        _checks.unused("classes", classes, 0, f"{which} predicts no class")
