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
    """One round as it happened. Figures of test rows are computed when they are asked for."""

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
        #: What the server says of the round, such as its step size.
        self.figures: dict[str, float] = record["figures"]
        self.particles = particles
        self._federation = federation
        self._judged: dict[str, float] | None = None

    def _figure(self, name: str) -> float:
        if self._judged is None:
            self._judged = self._federation._judge(self.particles)
        if name not in self._judged:
            raise InvalidArgument(f"{name} is no figure of this model; there are {', '.join(sorted(self._judged))}")
        return self._judged[name]

    @property
    def accuracy(self) -> float:
        """Share of test rows whose most probable class is right; of all training rows where no test rows were given."""
        return self._figure("accuracy")

    @property
    def rmse(self) -> float:
        """Root mean squared error of the predicted means, on the same rows."""
        return self._figure("rmse")

    @property
    def log_likelihood(self) -> float:
        """Mean log predictive probability (or density) of the labels, on the same rows."""
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
    message: str
    records: list[dict[str, Any]] = dataclasses.field(repr=False)

    def __str__(self) -> str:
        return self.message
