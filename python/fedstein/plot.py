# SPDX-License-Identifier: Apache-2.0
"""Pictures on matplotlib. Every function draws on ``ax`` (a new one unless given) and returns it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fedstein import _checks
from fedstein._arguments import checked
from fedstein._columns import is_frame
from fedstein._extras import needed
from fedstein.errors import InvalidArgument
from fedstein.evaluation import Evaluation
from fedstein.rounds import Round


def _axes(ax: Any) -> Any:
    if ax is None:
        return needed("matplotlib.pyplot", "fedstein.plot").subplots()[1]
    if not isinstance(ax, needed("matplotlib.axes", "fedstein.plot").Axes):
        raise InvalidArgument(f"ax is {_checks.shown(ax)}; allowed: an Axes of matplotlib, or None for a new one")
    return ax


@checked
def reliability(evaluation: Evaluation, ax: Any = None, label: str | None = None) -> Any:
    """Accuracy over confidence, with the number of rows as the size of a point; on the diagonal a model is calibrated."""
    table = evaluation.reliability
    if table is None:
        raise InvalidArgument("evaluation is that of a regression; a reliability diagram needs classes")
    ax = _axes(ax)
    table = table[table["count"] > 0]
    sizes = 20 + 180 * np.sqrt(table["count"] / table["count"].max())
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, linestyle="--")
    (line,) = ax.plot(table["confidence"], table["accuracy"], linewidth=1, label=label)
    ax.scatter(table["confidence"], table["accuracy"], s=sizes, color=line.get_color(), alpha=0.7)
    ax.set(xlabel="confidence", ylabel="accuracy", xlim=(0, 1), ylim=(0, 1))
    return ax


@checked
def abstention(evaluation: Evaluation, ax: Any = None, label: str | None = None) -> Any:
    """Accuracy (of a regression: RMSE) of the rows answered, over the share of rows left out."""
    ax = _axes(ax)
    table = evaluation.abstention
    ax.plot(table["abstained"], table["figure"], marker="o", label=label)
    name = "accuracy" if "accuracy" in evaluation.figures else "RMSE"
    ax.set(xlabel="share of rows left to somebody else", ylabel=f"{name} of the others")
    return ax


@checked
def curves(table: Any, figure: str = "accuracy", ax: Any = None) -> Any:
    """One figure over rounds, the mean over trials of each method with a band of two standard errors.

    ``table`` is ``Run.curves()``, or any data frame with the columns ``algorithm``, ``round`` and the figure's.
    """
    if not is_frame(table) or not {"algorithm", "round"} <= set(table.columns):
        raise InvalidArgument(f"table is {_checks.shown(table)}; expected a data frame with the columns algorithm and round")
    if figure not in table.columns:
        raise InvalidArgument(f"figure is {figure!r}; the table has the columns {', '.join(map(str, table.columns))}")
    ax = _axes(ax)
    for name, rows in table.dropna(subset=[figure]).groupby("algorithm", sort=False):
        by_round = rows.groupby("round")[figure]
        mean, error = by_round.mean(), 2 * by_round.sem().fillna(0.0)
        (line,) = ax.plot(mean.index, mean, label=str(name))
        if (error > 0).any():
            ax.fill_between(mean.index, mean - error, mean + error, color=line.get_color(), alpha=0.2, linewidth=0)
    ax.set(xlabel="round", ylabel=figure)
    ax.legend()
    return ax


@checked
def particles(theta: Any, dimensions: tuple[int, int] = (0, 1), ax: Any = None, label: str | None = None) -> Any:
    """Particles (N x d) as points in two of their dimensions; of one dimension as marks on a line."""
    points = _checks.matrix("theta", theta)
    ax = _axes(ax)
    if points.shape[1] == 1:
        ax.plot(points[:, 0], np.zeros(len(points)), "|", markersize=20, label=label)
        ax.set(xlabel="theta 0", yticks=[])
        return ax
    if points.shape[1] == 0:
        raise InvalidArgument("theta has no column; particles have at least one dimension")
    i, j = (_checks.whole("dimensions", k, 0, points.shape[1] - 1) for k in dimensions)
    ax.scatter(points[:, i], points[:, j], alpha=0.8, label=label)
    ax.set(xlabel=f"theta {i}", ylabel=f"theta {j}")
    return ax


@checked
def doubt(estimator: Any, X: Any, y: Any = None, kind: str = "epistemic", ax: Any = None, grid: int = 120) -> Any:
    """A map of doubt for an estimator of two features: where its uncertainty is high. Dots are the rows of X.

    ``kind`` is "total", "aleatoric" or "epistemic".
    """
    _checks.one_of("kind", kind, ("total", "aleatoric", "epistemic"))
    _checks.whole("grid", grid, 2)
    points = _checks.matrix("X", X, columns=2)
    if not hasattr(estimator, "uncertainty"):
        raise InvalidArgument(f"estimator is {_checks.shown(estimator)}; expected a fitted estimator of fedstein")
    if len(points) == 0:
        raise InvalidArgument("X has no row; at least one is needed")
    if y is not None:
        _checks.vector("y", y, len(points))
    ax = _axes(ax)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.25 * (high - low)
    across = np.linspace(low[0] - margin[0], high[0] + margin[0], grid)
    up = np.linspace(low[1] - margin[1], high[1] + margin[1], grid)
    cells = np.stack([array.ravel() for array in np.meshgrid(across, up)], axis=1)
    rows = type(X)(cells, columns=X.columns) if hasattr(X, "columns") else cells
    found = estimator.uncertainty(rows)[kind].to_numpy().reshape(grid, grid)
    drawn = ax.contourf(across, up, found, levels=12, cmap="Purples")
    ax.figure.colorbar(drawn, ax=ax, label=f"{kind} uncertainty")
    colours = None if y is None else np.unique(np.asarray(y), return_inverse=True)[1]
    ax.scatter(points[:, 0], points[:, 1], c=colours, cmap="coolwarm", s=12, edgecolors="white", linewidths=0.4)
    names = list(X.columns) if hasattr(X, "columns") else ["feature 0", "feature 1"]
    ax.set(xlabel=str(names[0]), ylabel=str(names[1]))
    return ax


@checked
def live(rounds: Iterable[Round], figure: str = "accuracy", ax: Any = None) -> Iterator[Round]:
    """Passes rounds on and redraws one of their figures after each: ``for round in plot.live(fed.rounds(50)): pass``.

    ``figure`` is "accuracy", "rmse" or "log_likelihood" of a federation with test rows, "spread", "seconds", or one of the rounds'
    ``figures``, such as "train_accuracy" of a federation without.
    """
    ax = _axes(ax)
    (line,) = ax.plot([], [], marker=".")
    ax.set(xlabel="round", ylabel=figure)
    display = _notebook_display(ax.figure)
    numbers: list[int] = []
    values: list[float] = []
    for step in rounds:
        if not isinstance(step, Round):
            raise InvalidArgument(f"rounds holds {_checks.shown(step)}; expected what Federation.rounds() gives")
        value = getattr(step, figure) if hasattr(type(step), figure) or figure in vars(step) else step.figures.get(figure)
        if not isinstance(value, (int, float)):
            raise InvalidArgument(
                f"figure is {figure!r}; allowed: accuracy, rmse, log_likelihood, spread, seconds or one of {sorted(step.figures)}"
            )
        numbers.append(step.number)
        values.append(float(value))
        line.set_data(numbers, values)
        ax.relim()
        ax.autoscale_view()
        if display is not None:
            display.update(ax.figure)
        yield step


def _notebook_display(figure: Any) -> Any:
    """IPython's handle of a picture that changes; None outside a notebook."""
    try:
        ipython: Any = importlib.import_module("IPython")
    except ImportError:
        return None
    return ipython.display.display(figure, display_id=True) if ipython.get_ipython() is not None else None
