# SPDX-License-Identifier: Apache-2.0
"""What a federation has learned, as a value and as a file: the one that the fedstein program reads and writes."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from fedstein import _checks, _draws, _html, _load
from fedstein._arguments import checked
from fedstein._column import text_of
from fedstein._columns import Columns, check_fits
from fedstein._extras import needed
from fedstein.errors import FileError, InvalidArgument
from fedstein.evaluation import Evaluation
from fedstein.models import Model

_USUAL_LEVELS = (0.05, 0.5, 0.95)
_MOST_BINS = 100_000


@checked
class Posterior:
    """Particles, the model they belong to, the columns and scaling of the training rows, and a temperature.

    Rows go in as they are in the table: a data frame, whose columns are found by name, or an array with the columns in the order
    of training. Nothing needs to be scaled, and predictions are on the original scale.

    Far outside the training rows a model goes on in a straight line, and is the surer the further it goes. Predictions of such rows
    are those at the edge of what is usual, as those of ``fedstein predict``, and ``unusual`` counts such columns;
    ``extrapolate=True`` takes numbers as they are. ``evaluate``, ``log_predictive`` and ``calibrate`` always do.

    >>> import numpy as np
    >>> from fedstein import SteinClassifier
    >>> x = np.random.default_rng(1).normal(size=(100, 2))
    >>> posterior = SteinClassifier(random_state=1).fit(x, np.where(x[:, 0] > 0, "ill", "well")).posterior_
    >>> posterior.classes
    ['ill', 'well']
    >>> posterior.predict(np.array([[2.0, 0.0]]))["label"][0]
    'ill'
    """

    def __init__(self, core_posterior: Any, dtype: str) -> None:
        self._core = core_posterior
        #: What the particles are kept in: "float32" or "float64".
        self.dtype = dtype
        self._header: dict[str, Any] = json.loads(core_posterior.header())
        table = self._header.get("table")
        self._columns = Columns.from_json(table) if table else Columns.numbered(int(core_posterior.features))

    @classmethod
    def load(cls, path: str | os.PathLike[str], dtype: Any = "float32") -> Posterior:
        """Reads a file of the fedstein program, of an estimator or of a server."""
        precision = _checks.precision(dtype)
        if not os.path.exists(path):
            raise FileError(f"path is {os.fspath(path)!r}, and there is no file of that name")
        return cls(_load.core(precision).load_posterior(os.fspath(path)), precision)

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """Writes the file whole or not at all. It replaces another posterior file, other files with ``force`` only."""
        name = os.fspath(path)
        if not name:
            raise InvalidArgument("path is ''; allowed: the name of a file")
        folder = os.path.dirname(os.path.abspath(name))
        if not os.path.isdir(folder):
            raise FileError(f"path is {name!r}, and there is no folder {folder!r}; save() makes none")
        if not force and os.path.isfile(name) and not _is_posterior_file(name):
            raise FileError(f"path is {name!r}, a file that is there and is no posterior; force=True replaces it")
        self._core.save(name, bool(force))

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        return bytes(self._core.to_bytes())

    @classmethod
    def from_bytes(cls, contents: bytes, dtype: Any = "float32") -> Posterior:
        precision = _checks.precision(dtype)
        return cls(_load.core(precision).posterior_from_bytes(bytes(contents), "contents"), precision)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Posterior.from_bytes, (self.to_bytes(), self.dtype))

    @property
    def particles(self) -> np.ndarray:
        """N x d, of the scaled features."""
        return np.asarray(self._core.particles)

    @property
    def covariance(self) -> np.ndarray | None:
        """Of all parameters, from the posterior's curvature; None for networks."""
        found = self._core.covariance
        return None if found is None else np.asarray(found)

    @property
    def model(self) -> Model:
        return Model._around(self._core.model, self.dtype)

    @property
    def columns(self) -> list[str]:
        """The columns of the training table."""
        return self._columns.names

    @property
    def feature_names(self) -> list[str]:
        """Of the features that the columns became, such as "sex=male"."""
        return list(self._core.feature_names)

    @property
    def classes(self) -> list[str]:
        """Names of the classes, in the order of probabilities; empty for a regression."""
        return list(self._header["model"]["class_names"])

    @property
    def temperature(self) -> float:
        return float(self._core.temperature)

    @property
    def training(self) -> dict[str, Any]:
        """Where the particles come from: method, rounds, agents, rows, seed, version."""
        return dict(self._header["training"])

    @property
    def classifies(self) -> bool:
        return bool(self._core.classifies)

    def _features(self, x: Any) -> tuple[np.ndarray, np.ndarray]:
        features, unknown = self._columns.features(x)
        check_fits(features, self.feature_names, self.dtype)
        return features, unknown

    def _asked(self, x: Any, extrapolate: bool) -> np.ndarray:
        """The features that the model is asked about: numbers far outside the training rows are at the edge of what is usual."""
        features, _ = self._features(x)
        return features if extrapolate else np.asarray(self._core.brought_near(features))

    def _predicted(self, x: Any, extrapolate: bool = False) -> dict[str, np.ndarray]:
        """Everything about rows, with the number of columns whose value is far from those of training."""
        features, unknown = self._features(x)
        found: dict[str, np.ndarray] = dict(self._core.predict(features if extrapolate else self._core.brought_near(features)))
        unusual = self._core.unusual(features)
        if unusual is not None:
            found["unusual"] = unknown + np.array([len(places) for places in unusual], dtype=np.int64)
        return found

    def probabilities(self, x: Any, *, extrapolate: bool = False) -> np.ndarray:
        """n x C, in the order of ``classes``."""
        if not self.classifies:
            raise InvalidArgument("probabilities are those of classes; this posterior predicts a number")
        return np.asarray(self._core.predict(self._asked(x, extrapolate))["probabilities"], dtype=np.float64)

    def mean(self, x: Any, *, extrapolate: bool = False) -> np.ndarray:
        """The predicted mean of each row, of a regression or of counts."""
        if self.classifies:
            raise InvalidArgument("a mean is that of a number; this posterior predicts classes")
        return np.asarray(self._core.predict(self._asked(x, extrapolate))["mean"], dtype=np.float64)

    def uncertainty(self, x: Any, *, extrapolate: bool = False) -> Any:
        """A data frame with the columns ``total``, ``aleatoric``, ``epistemic`` and ``unusual``.

        Of classes these are entropies in nats, and the first is the sum of the next two; of a regression standard deviations, whose
        squares add up. ``unusual`` counts the columns whose value is far outside the training rows.
        """
        pandas = needed("pandas", "uncertainty()")
        found = self._predicted(x, extrapolate)
        names = [name for name in ("total", "aleatoric", "epistemic", "unusual") if name in found]
        return pandas.DataFrame({name: found[name] for name in names}, index=_index_of(x))

    def predict(self, x: Any, quantiles: Sequence[float] | None = None, *, extrapolate: bool = False) -> Any:
        """A data frame with the columns that ``fedstein predict`` prints; docs/predictions.md explains them.

        ``quantiles`` of a number are those of 0.05, 0.5 and 0.95 unless others are named.
        """
        pandas = needed("pandas", "predict()")
        found = self._predicted(x, extrapolate)
        out: dict[str, Any] = {}
        if self.classifies:
            probabilities = np.asarray(found["probabilities"], dtype=np.float64)
            out["label"] = np.array(self.classes, dtype=object)[probabilities.argmax(axis=1)]
            out["confidence"] = probabilities.max(axis=1)
            out.update({f"p({name})": probabilities[:, k] for k, name in enumerate(self.classes)})
            out["total"] = found["total"]
        else:
            out["mean"], out["deviation"] = found["mean"], found["total"]
        out["aleatoric"], out["epistemic"] = found["aleatoric"], found["epistemic"]
        if self._core.can_tell_quantiles:
            levels = _USUAL_LEVELS if quantiles is None else quantiles
            values = self._quantiles("quantiles", x, levels, extrapolate)
            out.update({f"q{_digits(level)}": values[:, k] for k, level in enumerate(levels)})
        else:
            _checks.unused("quantiles", quantiles, None, "this posterior's predictions have no quantiles")
        if "unusual" in found:
            out["unusual"] = found["unusual"]
        return pandas.DataFrame(out, index=_index_of(x))

    def quantiles(self, x: Any, probabilities: Sequence[float] = (0.05, 0.5, 0.95), *, extrapolate: bool = False) -> np.ndarray:
        """n x Q: where the predictive distribution reaches each probability."""
        return self._quantiles("probabilities", x, probabilities, extrapolate)

    def _quantiles(self, name: str, x: Any, levels: Any, extrapolate: bool = False) -> np.ndarray:
        if not self._core.can_tell_quantiles:
            raise InvalidArgument(f"{name}: this posterior's predictions have no quantiles")
        wanted = [_checks.number(name, level, above=0, below=1) for level in _checks.vector(name, levels).tolist()]
        return np.asarray(self._core.quantiles(self._asked(x, extrapolate), wanted))

    def labels_of(self, y: Any) -> np.ndarray:
        """Labels as the model has them: -1 and 1, places in ``classes``, or numbers."""
        given = _checks.vector("y", y)
        if not self.classifies:
            if given.dtype.kind not in "biuf":
                raise InvalidArgument(f"y holds {_checks.shown(given.tolist()[0]) if len(given) else 'nothing'}; allowed: numbers")
            return np.asarray(given, dtype=np.float64)
        place_of = {name: place for place, name in enumerate(self.classes)}
        places = np.array([place_of.get(text_of(value), -1) for value in given.tolist()])
        if (places < 0).any():
            wrong = given.tolist()[int(np.flatnonzero(places < 0)[0])]
            raise InvalidArgument(f"y holds {wrong!r}; allowed: the classes {', '.join(map(repr, self.classes))}")
        return np.where(places > 0, 1, -1) if self._header["model"]["labels"] == "binary" else places

    def log_predictive(self, x: Any, y: Any) -> np.ndarray:
        """Of each row, the logarithm of the probability of its label, or of the density of its target."""
        return np.asarray(self._core.log_predictive(*self._labelled(x, y)))

    def evaluate(self, x: Any, y: Any, *, bins: int = 10, by: str = "total") -> Evaluation:
        """How good the predictions for labelled rows are, and what abstaining from the most uncertain ones buys."""
        _checks.whole("bins", bins, 1, _MOST_BINS)
        if not self.classifies:
            _checks.unused("bins", bins, 10, "they are of a confidence, which a predicted number has not")
        _checks.one_of("by", by, ("total", "aleatoric", "epistemic", *(["error"] if self.classifies else [])))
        return Evaluation(self._core.judge(*self._labelled(x, y), bins=int(bins), by=by))

    def _labelled(self, x: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        features, _ = self._features(x)
        labels = self.labels_of(y)
        if len(labels) != len(features):
            rows = _checks.counted(len(features), "row")
            raise InvalidArgument(f"y has {_checks.counted(len(labels), 'value')}; expected one for each of the {rows} of X")
        return features, labels

    def calibrate(self, x: Any, y: Any) -> Posterior:
        """The posterior at the temperature that suits these rows, which must be others than those trained on."""
        found = self._core.calibrate(*self._labelled(x, y))
        return Posterior(self._core.with_temperature(found["temperature"]), self.dtype)

    def summary(self, level: float = 0.9) -> Any:
        """A data frame of coefficients on the original scale: mean, deviation, interval, probability of being above 0.

        None for networks, whose single parameters have no meaning.
        """
        pandas = needed("pandas", "summary()")
        found = self._core.summary(_checks.number("level", level, above=0, below=1))
        if found is None:
            return None
        table = pandas.DataFrame(found["coefficients"])
        outcomes = table.pop("outcome")
        keys = ["outcome", "name"] if (outcomes != "").any() else ["name"]
        out = table.assign(outcome=outcomes).set_index(keys).drop(columns=[] if "outcome" in keys else "outcome")
        out.attrs.update({key: found[key] for key in ("link", "level", "from_covariance", "ksd", "distinct", "others")})
        return out

    def draws(self, n: int | None = None, seed: int = 1) -> dict[str, np.ndarray]:
        """Draws of the coefficients on the original scale, by name: each particle's, or ``n`` of the Gaussian of ``covariance``.

        Particles are few and lie close together; draws of the Gaussian have the posterior's width.
        """
        return _draws.of(self, n, seed)

    def to_datatree(self, n: int | None = None, seed: int = 1) -> Any:
        """An xarray DataTree for ArviZ, its group ``posterior`` holding :meth:`draws` with the names of features."""
        return _draws.to_datatree(self, n, seed)

    def __repr__(self) -> str:
        what = _checks.counted(len(self.classes), "class") if self.classifies else "a number"
        n, d = self.particles.shape
        size = f"{_checks.counted(n, 'particle')} in {_checks.counted(d, 'dimension')}"
        return f"<posterior of {self.model.type}: {size}, {_checks.counted(len(self.columns), 'column')}, predicts {what}>"

    def _repr_html_(self) -> str:
        return _html.posterior(self)


def _is_posterior_file(name: str) -> bool:
    with open(name, "rb") as file:
        return file.read(6) == b"FSPOST"


def _index_of(x: Any) -> Any:
    return x.index if hasattr(x, "iloc") and hasattr(x, "index") else None


def _digits(level: float) -> str:
    """q05, q50, q95; q025 for 0.025."""
    text = f"{level:.6f}".rstrip("0")[2:]
    return text.ljust(2, "0")
