# SPDX-License-Identifier: Apache-2.0
"""From features and labels to a posterior: scaling, a federation in this process, covariance. All estimators train here."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fedstein import _load
from fedstein._columns import Columns
from fedstein._defaults import suited_prior, suited_settings, takes_particles
from fedstein._header import covariance_of, header_text, ranges_of
from fedstein.errors import Error
from fedstein.federation import Federation
from fedstein.methods import method_named
from fedstein.models import Model
from fedstein.posterior import Posterior


@dataclasses.dataclass(frozen=True)
class Rows:
    """Training rows: features (origins subtracted), labels as the model has them, and whose rows are whose."""

    features: np.ndarray
    labels: np.ndarray
    agents: Sequence[np.ndarray]
    columns: Columns
    label_kind: str
    class_names: Sequence[str]
    label_name: str | None = None


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How to train."""

    model: str
    model_settings: Mapping[str, Any]
    method: str
    method_settings: Mapping[str, Any]
    n_particles: int
    rounds: int
    seed: int
    dtype: str


def train(rows: Rows, recipe: Recipe) -> tuple[Posterior, int]:
    """The posterior, and how many rounds were done."""
    model = Model(
        recipe.model,
        features=rows.features.shape[1],
        classes=len(rows.class_names),
        labels=rows.label_kind,
        dtype=recipe.dtype,
        **{**suited_prior(recipe.model, rows.features.shape[1]), **recipe.model_settings},
    )
    scaling = _load.core(recipe.dtype).scaling("standardise", rows.label_kind, rows.features, rows.labels)
    x, y = _scaled(rows, scaling, recipe.dtype)
    method = method_named(recipe.method)
    agents = [np.arange(len(y))] if method["centralised"] else rows.agents
    settings = _settings(recipe, model)
    federation = Federation(recipe.method, model, [(x[own], y[own]) for own in agents], recipe.seed, dtype=recipe.dtype, **settings)
    summary = federation.run(recipe.rounds)
    if summary.rounds and summary.lost_rounds == summary.rounds:
        raise Error(f"{recipe.method} learned nothing: {summary.message}")
    particles = federation.particles
    covariance = covariance_of(model, particles, x, y, float(settings.get("temperature", 1.0)))
    target = None if rows.class_names else rows.labels
    header = header_text(
        model,
        particles,
        columns=rows.columns,
        class_names=rows.class_names,
        scaling=scaling,
        ranges=ranges_of(rows.features, target),
        training={
            "algorithm": recipe.method, "method": recipe.method, "rounds": summary.rounds, "agents": len(agents),
            "rows": len(y), "seed": recipe.seed, "version": _load.version(),
        },
        covariance=covariance is not None,
        label=rows.label_name,
    )  # fmt: skip
    core = _load.core(recipe.dtype).Posterior(header, particles, covariance)
    return Posterior(core, recipe.dtype), summary.rounds


def _settings(recipe: Recipe, model: Model) -> dict[str, Any]:
    given = dict(recipe.method_settings)
    if takes_particles(recipe.method):
        given.setdefault("particles", recipe.n_particles)
    network = model.type.startswith("bnn-")
    return suited_settings(recipe.method, network, model.labels in ("binary", "multiclass"), given)


def _scaled(rows: Rows, scaling: Mapping[str, Any], dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """In double, and rounded once."""
    x = (rows.features - np.asarray(scaling["shift"])) / np.asarray(scaling["spread"])
    y = rows.labels
    if not rows.class_names:
        y = (y - scaling["target_shift"]) / scaling["target_spread"]
    return x.astype(dtype), y.astype(dtype)
