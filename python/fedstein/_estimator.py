# SPDX-License-Identifier: Apache-2.0
"""What the three estimators share: scikit-learn's conventions around :mod:`fedstein._training`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fedstein import _checks, _sklearn
from fedstein._columns import Columns, check_fits, is_frame
from fedstein._defaults import takes_particles
from fedstein._training import Recipe, Rows, train
from fedstein.errors import InvalidArgument
from fedstein.methods import method_named
from fedstein.models import model_types

if TYPE_CHECKING:
    from fedstein.posterior import Posterior

# What "auto", "linear" and "network" mean, by the kind of label.
_MODELS: dict[str, dict[str, str]] = {
    "binary": {"auto": "logistic-regression", "linear": "logistic-regression", "network": "bnn-classification"},
    "multiclass": {"auto": "softmax-regression", "linear": "softmax-regression", "network": "bnn-classification"},
    "regression": {"auto": "linear-regression", "linear": "linear-regression", "network": "bnn-regression"},
    "counts": {"auto": "negative-binomial-regression", "linear": "negative-binomial-regression"},
}
_NETWORKS = "bnn-"
_ABSENT = object()
_USUAL_PARTICLES, _USUAL_HIDDEN = 20, 50  # the first also stands in the signature, where documents read it
# More would fill the memory before anything is learned; what distinguishes particles is done for all pairs of them.
_MOST_PARTICLES = 100_000


class SteinEstimator(_sklearn.BaseEstimator):  # type: ignore[misc]
    """Not for use by itself: :class:`SteinClassifier`, :class:`SteinRegressor` and :class:`SteinCounts` are."""

    posterior_: Posterior
    n_features_in_: int

    def __init__(
        self,
        n_particles: int = 20,
        *,
        rounds: int = 100,
        method: str = "c-dsvgd",
        model: str = "auto",
        hidden: Any = None,
        missing: str = "refuse",
        method_settings: Mapping[str, Any] | None = None,
        model_settings: Mapping[str, Any] | None = None,
        random_state: Any = None,
        dtype: str = "float32",
    ) -> None:
        self.n_particles = n_particles
        self.rounds = rounds
        self.method = method
        self.model = model
        self.hidden = hidden
        self.missing = missing
        self.method_settings = method_settings
        self.model_settings = model_settings
        self.random_state = random_state
        self.dtype = dtype

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._imputes
        return tags

    @property
    def _imputes(self) -> bool:
        return isinstance(self.missing, str) and self.missing == "impute"

    def _fit_rows(self, x: Any, y: np.ndarray, groups: Any, kind: str, class_names: Sequence[str], label_name: str | None) -> None:
        """Trains on checked rows; `x` is what :meth:`_checked` returned."""
        recipe = self._recipe(kind)  # first: a wrong `missing` is not the table's fault
        columns = Columns.study(x, impute=self._imputes)
        features, _ = columns.features(x)
        if features.shape[1] == 0:
            raise InvalidArgument("X has no column that differs between rows; at least one is needed")
        check_fits(features, columns.feature_names, recipe.dtype)
        rows = Rows(features, y, _agents_of(groups, len(y)), columns, kind, class_names, label_name)
        self.posterior_, self.n_rounds_ = train(rows, recipe)

    def _recipe(self, kind: str) -> Recipe:
        _checks.one_of("missing", self.missing, ("refuse", "impute"))
        method_named(self.method)
        model = self._model_type(kind)
        n_particles = _checks.whole("n_particles", self.n_particles, 1, _MOST_PARTICLES)
        method_settings = _mapping("method_settings", self.method_settings)
        if not takes_particles(self.method):
            _checks.unused("n_particles", n_particles, _USUAL_PARTICLES, f"the method {self.method!r} has no particles")
        elif "particles" in method_settings:
            why = "method_settings has 'particles', and one of the two is enough"
            _checks.unused("n_particles", n_particles, _USUAL_PARTICLES, why)
        return Recipe(
            model=model,
            model_settings=self._model_settings(model),
            method=self.method,
            method_settings=method_settings,
            n_particles=n_particles,
            rounds=_checks.whole("rounds", self.rounds, 1),
            seed=self._seed(),
            dtype=_checks.precision(self.dtype),
        )

    def _seed(self) -> int:
        try:
            return int(_sklearn.check_random_state(self.random_state).randint(2**31 - 1))
        except (TypeError, ValueError):
            raise InvalidArgument(
                f"random_state is {_checks.shown(self.random_state)}; allowed: None, a whole number or a RandomState of NumPy"
            ) from None

    def _model_type(self, kind: str) -> str:
        """The model's name in full. Who asks for hidden units and for no model asks for a network."""
        words = _MODELS[kind]
        names = [known["name"] for known in model_types() if kind in known["labels"]]
        chosen = _checks.one_of("model", self.model, [*words, *names])
        if chosen == "auto" and self.hidden is not None and "network" in words:
            chosen = "network"
        return words.get(chosen, chosen)

    def _model_settings(self, model: str) -> dict[str, Any]:
        given = _mapping("model_settings", self.model_settings)
        if not model.startswith(_NETWORKS):
            _checks.unused("hidden", self.hidden, None, f"the model is {model!r}, which has no hidden units")
            return given
        if "hidden" in given:
            _checks.unused("hidden", self.hidden, None, "model_settings has 'hidden', and one of the two is enough")
            return given
        hidden = self.hidden.tolist() if isinstance(self.hidden, np.ndarray) else self.hidden
        return {"hidden": _USUAL_HIDDEN if hidden is None else hidden, **given}

    def _checked(self, x: Any, y: Any = _ABSENT, *, fit: bool) -> Any:
        """X as it goes to the columns, by scikit-learn's rules; with y a pair."""
        options = {"dtype": np.float64, "ensure_all_finite": "allow-nan" if self._imputes else True}
        if not is_frame(x):
            _check_finite(x, self._imputes)
        if not is_frame(x) and (fit or self.posterior_._columns.all_numbers or not _has_words(x)):
            if y is _ABSENT:
                return _sklearn.validate_data(self, x, reset=fit, **options)
            return _sklearn.validate_data(self, x, y, reset=fit, y_numeric=self._y_numeric, **options)
        if y is _ABSENT:
            return _sklearn.validate_data(self, x, reset=fit, skip_check_array=True)
        x, y = _sklearn.validate_data(self, x, y, reset=fit, skip_check_array=True)
        y = _sklearn.column_or_1d(y, warn=True)
        _sklearn.check_consistent_length(x, y)
        if len(y) < 1:
            raise InvalidArgument("X has no row; at least one is needed")
        return x, y

    _y_numeric = True

    def _new_rows(self, x: Any) -> Any:
        _sklearn.check_is_fitted(self)
        return self._checked(x, fit=False)

    def uncertainty(self, X: Any) -> Any:
        """A data frame with ``total``, ``aleatoric``, ``epistemic`` and ``unusual``; see :meth:`Posterior.uncertainty`."""
        rows = self._new_rows(X)
        found = self.posterior_.uncertainty(rows)
        return found.set_axis(X.index) if is_frame(X) else found

    def evaluate(self, X: Any, y: Any, **options: Any) -> Any:
        """How good predictions for labelled rows are; see :meth:`Posterior.evaluate`."""
        rows = self._new_rows(X)
        return self.posterior_.evaluate(rows, y, **options)

    def log_likelihood(self, X: Any, y: Any) -> float:
        """Mean log predictive probability (or density) of the labels: a proper score, larger is better."""
        rows = self._new_rows(X)
        return float(np.mean(self.posterior_.log_predictive(rows, y)))


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if value is None or (isinstance(value, Mapping) and all(isinstance(key, str) for key in value)):
        return dict(value or {})
    raise InvalidArgument(f"{name} is {_checks.shown(value)}; allowed: a dict of settings by name, or None")


def _check_finite(x: Any, imputes: bool) -> None:
    """Before scikit-learn, whose advice is about its own estimators."""
    if isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.ndim == 2:
        wrong = np.isinf(x) if imputes else ~np.isfinite(x)
        if wrong.any():
            row, column = (int(place) for place in np.argwhere(wrong)[0])
            if np.isinf(x[row, column]):
                raise InvalidArgument(f"X holds infinity in row {row}, column {column}; numbers must be finite")
            raise InvalidArgument(
                f'X holds NaN in row {row}, column {column}; missing="impute" fills such values in, or leave these rows out'
            )


def _has_words(x: Any) -> bool:
    return np.asarray(x).dtype.kind in "OUS"


def _agents_of(groups: Any, rows: int) -> list[np.ndarray]:
    """The rows of each agent: one for each different group, in their order; one in all without groups."""
    if groups is None:
        return [np.arange(rows)]
    if isinstance(groups, str):
        raise InvalidArgument(f"groups is {groups!r}; expected one entry for each row, such as groups=X[{groups!r}] for a column")
    found = _checks.vector("groups", groups)
    if len(found) != rows:
        raise InvalidArgument(
            f"groups has {_checks.counted(len(found), 'value')}; expected one for each of the {_checks.counted(rows, 'row')} of X"
        )
    if found.dtype.kind == "f" and np.isnan(found).any():
        raise InvalidArgument("groups holds NaN; every row needs to be in a group")
    try:
        names, place = np.unique(found, return_inverse=True)
    except TypeError:
        raise InvalidArgument("groups holds missing values, or values of different types; expected numbers or texts") from None
    return [np.flatnonzero(place == k) for k in range(len(names))]
