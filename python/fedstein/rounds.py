# SPDX-License-Identifier: Apache-2.0
"""What a federation tells of its rounds."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from fedstein.errors import InvalidArgument

if TYPE_CHECKING:
    from fedstein.federation import Federation


class Round:
    """One round as it happened. Figures of rows are computed when they are asked for."""

    def __init__(self, record: dict[str, Any], federation: Federation, particles: np.ndarray) -> None:
        self.number: int = record["round"]
        #: The agents that were asked, and those whose updates were taken in.
        self.scheduled: list[int] = record["scheduled"]
        self.folded: list[int] = record["folded"]
        #: One entry for each mishap: round, agent, kind and reason.
        self.failures: list[dict[str, Any]] = record["failures"]
        self.seconds: float = record["seconds"]
        self.bytes_down: int = record["bytes_down"]
        self.bytes_up: int = record["bytes_up"]
        #: Root of the mean variance of the particles' coordinates.
        self.spread: float = record["spread"]
        self._told: dict[str, float] = record["figures"]
        self.particles = particles
        self._federation = federation
        self._judged: dict[str, float] | None = None

    @property
    def figures(self) -> dict[str, float]:
        """What the server says of the round, such as its step size.

        Of a federation without test rows also ``train_accuracy`` or ``train_rmse``, and ``train_log_likelihood``: of the rows that
        it was trained on, where a model that has learned them by heart looks best.
        """
        federation = self._federation
        if federation._test is None and federation.model.predicts and self._judged is None:
            self._judged = federation._judge(self.particles)
            self._told.update({f"train_{name}": value for name, value in self._judged.items()})
        return self._told

    def _figure(self, name: str) -> float:
        federation = self._federation
        if not federation.model.predicts:
            raise InvalidArgument(f"the model '{federation.model.type}' predicts nothing, so it has no {name}")
        if federation._test is None:
            raise InvalidArgument(
                f"{name} is that of rows which nobody trained on: give the federation test=(X, y); of the training rows "
                f"round.figures has {', '.join(sorted(key for key in self.figures if key.startswith('train_')))}"
            )
        if self._judged is None:
            self._judged = federation._judge(self.particles, federation._test)
        if name not in self._judged:
            raise InvalidArgument(f"{name} is no figure of this model; there are {', '.join(sorted(self._judged))}")
        return self._judged[name]

    @property
    def accuracy(self) -> float:
        """Share of test rows whose most probable class is right."""
        return self._figure("accuracy")

    @property
    def rmse(self) -> float:
        """Root mean squared error of the predicted means of test rows."""
        return self._figure("rmse")

    @property
    def log_likelihood(self) -> float:
        """Mean log predictive probability (or density) of the labels of test rows."""
        return self._figure("log_likelihood")

    def __repr__(self) -> str:
        return f"<round {self.number}: {len(self.folded)} of {len(self.scheduled)} agents, {self.seconds:.3g} s>"


@dataclasses.dataclass(frozen=True)
class Summary:
    """What there is to say about some rounds."""

    rounds: int
    #: Whether the callback asked for the end.
    stopped: bool
    #: Rounds that nobody's update came out of, and why, of the last one.
    lost_rounds: int
    loss: str
    #: All of it in one sentence.
    message: str
    records: list[dict[str, Any]] = dataclasses.field(repr=False)

    def __str__(self) -> str:
        return self.message
