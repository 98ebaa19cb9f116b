# SPDX-License-Identifier: Apache-2.0
"""A federation in this process: a method's server and its agents, each with its own rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from fedstein import _checks, _html, _load, _state
from fedstein._arguments import checked
from fedstein._column import Column
from fedstein._columns import Columns, is_frame
from fedstein._header import covariance_of, header_text, no_scaling, ranges_of
from fedstein._shards import Shard, ShardReader
from fedstein.errors import InvalidArgument
from fedstein.methods import Method, method_named
from fedstein.models import Model, model_types
from fedstein.posterior import Posterior
from fedstein.rounds import Round, Summary


@checked
class Federation:
    """Runs a method over shards of rows.

    ``method`` is a name of :func:`method_list` or a :class:`Method`; ``model`` a :class:`Model`, or the name of one of fedstein's.
    ``shards`` are the agents' rows: pairs (X, y), or data frames with a column ``label``. Columns of data frames are found by name,
    in any order; those of arrays, and of data frames whose columns have numbers, by place. Further keywords are the method's
    settings, with the names and defaults of docs/reference.md. Rows are taken as they are: nothing is scaled here. The estimators
    (:class:`SteinClassifier` and others) scale, make features of words and keep the model as a posterior. ``test`` are rows, a pair
    or a data frame, that the rounds' accuracy, RMSE and log-likelihood are those of; ``unlabelled`` are rows without labels, for
    methods that distil at the server (fedbe; others leave them alone, so that methods can be compared on the same rows).

    >>> import numpy as np
    >>> from fedstein import Federation, Model
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(300, 2))
    >>> y = np.where(x[:, 0] - x[:, 1] + 0.3 * rng.normal(size=300) > 0, 1, -1)
    >>> shards = [(x[k:200:4], y[k:200:4]) for k in range(4)]
    >>> fed = Federation("c-dsvgd", "logistic-regression", shards, seed=1, particles=10, test=(x[200:], y[200:]))
    >>> for round in fed.rounds(10):
    ...     pass
    >>> round.accuracy > 0.9
    True
    >>> fed.particles.shape
    (10, 3)

    ``save()`` and ``restore()`` stop and go on with results that are equal to the bit.
    """

    def __init__(
        self,
        method: str | Method,
        model: str | Model,
        shards: Sequence[Any],
        seed: int = 1,
        *,
        label: str | None = None,
        test: Any = None,
        unlabelled: Any = None,
        dtype: Any = "float32",
        **settings: Any,
    ) -> None:
        reader = ShardReader(label)
        rows = reader.shards(shards)
        if label is not None and not any(map(is_frame, [*shards, test])):
            _checks.unused("label", label, None, "no shard is a data frame")
        precision = _checks.precision(dtype)
        self.model = model if isinstance(model, Model) else _model_named(model, rows, precision)
        if precision != self.model.dtype:
            _checks.unused("dtype", precision, "float32", f"the model computes in {self.model.dtype}")
        self._test = reader.pair(test, "test") if test is not None else None
        self._rows = rows
        chosen = method._core_method(self.model.dtype) if isinstance(method, Method) else method_named(method)["name"]
        signed = [(x, self.model._signed(y)) for x, y in rows]
        beside = None if unlabelled is None else reader.matrix(unlabelled, "unlabelled", "unlabelled")
        self._names, self._label_name = reader.names, label
        seed = _checks.seed(seed)
        core = _load.core(self.model.dtype)
        inside = self.model._core
        if chosen == "c-dsvgd" and self.model._silent is not None:
            inside, settings = self.model._silent, _without_control(settings)
        self._core: Any = core.Federation(chosen, settings, inside, signed, seed, beside)
        known = {**_usual_settings(method), **settings}
        self._origin = _state.origin(self.method, known, _facts_of(self.model), seed, signed, beside)

    def rounds(self, count: int, *, retries: int = 0, scheduler: str | None = None, fraction: float = 1.0) -> Iterator[Round]:
        """Does ``count`` rounds, one with each step of the loop. Leaving the loop leaves the federation where it stands.

        ``scheduler`` is "round-robin", "random", "weighted" or "fraction" (with ``fraction=0.2``); without one all agents take part
        if the method allows it. ``retries``: how often a round that nobody answered is tried again.
        """
        options = _run_options(retries, scheduler, fraction)
        return self._rounds(_checks.whole("count", count, 0), options)

    def _rounds(self, count: int, options: dict[str, Any]) -> Iterator[Round]:
        for _ in range(count):
            found = self._core.run(1, **options)
            yield Round(found["records"][0], self, self.particles)

    def run(
        self,
        rounds: int,
        on_round: Callable[[Round], Any] | None = None,
        *,
        retries: int = 0,
        scheduler: str | None = None,
        fraction: float = 1.0,
    ) -> Summary:
        """Does all rounds at once; ``on_round(round)`` sees each, and ends the run by returning True.

        The other arguments are those of :meth:`rounds`.
        """
        watch = None if on_round is None else _checks.function("on_round", on_round)

        def see(record: dict[str, Any], particles: np.ndarray) -> Any:
            return watch(Round(record, self, particles)) if watch else None

        options = _run_options(retries, scheduler, fraction)
        found = self._core.run(_checks.whole("rounds", rounds, 0, 2**62), see if watch else None, **options)
        return Summary(**{field.name: found[field.name] for field in dataclasses.fields(Summary)})

    @property
    def particles(self) -> np.ndarray:
        """What the server predicts with now: N x d."""
        return np.asarray(self._core.particles())

    @property
    def rounds_done(self) -> int:
        return int(self._core.rounds)

    @property
    def agents(self) -> int:
        return int(self._core.agents)

    @property
    def method(self) -> str:
        return str(self._core.method)

    def save(self) -> bytes:
        """All that later rounds depend on, except rows, model and settings: those are given again.

        The bytes say what they are of: method, model, settings and seed, and digests of the rows.
        """
        return _state.packed(self._origin, bytes(self._core.save()))

    def restore(self, state: bytes) -> None:
        """Goes on from saved bytes: of a federation with the same method, model, settings, seed and shards.

        Damaged bytes, and those of a federation that differs, are refused by what differs.
        """
        self._core.restore(_state.unpacked(bytes(state), self._origin))

    def posterior(self) -> Posterior:
        """What was learned, as a posterior of rows like those of the shards, unscaled.

        Columns of data frames keep their names; columns of arrays are known by their place. The estimators' posteriors have the
        scaling that they trained with, too.
        """
        if not self.model.predicts or self.model._core.is_own:
            raise InvalidArgument(
                f"the model '{self.model.type}' has no posterior file: only models of model_types() that predict have one"
            )
        x = np.vstack([x for x, _ in self._rows]).astype(np.float64)
        y = np.asarray(self.model._signed(np.concatenate([y for _, y in self._rows])), dtype=np.float64)
        classes = _class_names(self.model)
        particles = self.particles
        covariance = covariance_of(self.model, particles, x, y)
        header = header_text(
            self.model,
            particles,
            columns=None if self._names is None else Columns(tuple(map(Column, self._names)), named=True),
            class_names=classes,
            scaling=no_scaling(x.shape[1]),
            ranges=ranges_of(x, None if classes else y),
            training={
                "algorithm": self.method,
                "method": self.method,
                "rounds": self.rounds_done,
                "agents": self.agents,
                "rows": len(y),
            },
            covariance=covariance is not None,
            label=self._label_name,
        )
        return Posterior(_load.core(self.model.dtype).Posterior(header, particles, covariance), self.model.dtype)

    def _judge(self, particles: np.ndarray, rows: Shard | None = None) -> dict[str, float]:
        """Figures of these rows, or else of all training rows."""
        x, y = rows or (np.vstack([x for x, _ in self._rows]), np.concatenate([y for _, y in self._rows]))
        found = self.model.predict(particles, x)
        signed = np.asarray(self.model._signed(y), dtype=np.float64)
        figures = {"log_likelihood": float(np.mean(self.model.log_predictive(particles, x, signed)))}
        if "probabilities" in found:
            labels = (signed > 0).astype(int) if self.model.labels == "binary" else signed.astype(int)
            figures["accuracy"] = float(np.mean(np.argmax(found["probabilities"], axis=1) == labels))
        else:
            figures["rmse"] = float(np.sqrt(np.mean((found["mean"] - signed) ** 2)))
        return figures

    def __repr__(self) -> str:
        done = _checks.counted(self.rounds_done, "round")
        return f"<federation: {self.method}, {_checks.counted(self.agents, 'agent')}, {done} done>"

    def _repr_html_(self) -> str:
        rows = [[k, len(y)] for k, (_, y) in enumerate(self._rows)]
        return _html.paragraph(f"{repr(self).strip('<>')}; {self.model!r}") + _html.table(["agent", "rows"], rows)


def _usual_settings(method: str | Method) -> dict[str, Any]:
    if isinstance(method, Method):
        return {setting.key: setting.default for setting in method.settings}
    return {setting["key"]: setting["default"] for setting in method_named(method)["settings"]}


def _facts_of(model: Model) -> dict[str, Any]:
    shape = {"features": model.features, "classes": model.classes, "labels": model.labels, "dimension": model.dimension}
    return {"type": model.type, **shape, "dtype": model.dtype, **model.settings}


def _class_names(model: Model) -> list[str]:
    """As fedstein calls classes that nobody named."""
    if model.labels == "binary":
        return ["-1", "1"]
    return [str(k) for k in range(model.classes)] if model.labels == "multiclass" else []


def _run_options(retries: Any, scheduler: Any, fraction: Any) -> dict[str, Any]:
    words = ("round-robin", "random", "weighted", "fraction")
    return {
        "retries": _checks.whole("retries", retries, 0, 2**31 - 1),
        "scheduler": None if scheduler is None else _checks.one_of("scheduler", scheduler, words),
        "fraction": _fraction(fraction, scheduler),
    }


def _fraction(value: Any, scheduler: Any) -> float:
    if scheduler != "fraction":
        _checks.unused("fraction", value, 1.0, "scheduler='fraction' asks that share of the agents")
    if 0 < _checks.number("fraction", value) <= 1:
        return float(value)
    raise InvalidArgument(f"fraction is {value!r}; allowed: a number above 0 and at most 1")


def _without_control(settings: dict[str, Any]) -> dict[str, Any]:
    if settings.get("step_control", False) is not False:
        raise InvalidArgument(
            f"step_control is {settings['step_control']!r}; allowed: False, since the model was made without the log_likelihood "
            "by which c-dsvgd controls its steps"
        )
    return {**settings, "step_control": False}


def _model_named(name: str, rows: Sequence[Shard], dtype: Any) -> Model:
    if not rows:
        raise InvalidArgument("shards is empty; expected the rows of at least one agent")
    _checks.one_of("model", name, [known["name"] for known in model_types()])
    features = rows[0][0].shape[1]
    classes = 0
    if name in ("softmax-regression", "bnn-classification"):
        labels = np.concatenate([y for _, y in rows])
        if labels.dtype.kind not in "biuf":
            raise InvalidArgument(f"y holds {labels[0]!r}; allowed: the places of classes, 0, 1, 2, ...")
        classes = int(labels.max()) + 1
    return Model(name, features=features, classes=classes, dtype=dtype)
