# SPDX-License-Identifier: Apache-2.0
"""How good predictions are: what :meth:`Posterior.evaluate` returns."""

from __future__ import annotations

from typing import Any

from fedstein import _html
from fedstein._arguments import checked
from fedstein._checks import counted
from fedstein._extras import needed
from fedstein.errors import InvalidArgument


@checked
class Evaluation:
    """Figures by name, and tables as data frames: reliability, abstention, classes, intervals."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found
        self.rows: int = found["rows"]
        #: Accuracy, log-likelihood, calibration errors, ... or RMSE, ...: mean over rows.
        self.figures: dict[str, float] = dict(found["figures"])
        #: Area under the curve of error over the share of rows answered.
        self.risk_area: float = found["risk_area"]

    def __getitem__(self, name: str) -> float:
        if name not in self.figures:
            raise InvalidArgument(f"name is {name!r}; there are the figures {', '.join(self.figures)}")
        return self.figures[name]

    @property
    def reliability(self) -> Any:
        """Of classes, by bins of confidence: how many rows, how many right, mean confidence; None for a regression."""
        bins = self._found["reliability"]
        if bins is None:
            return None
        table = needed("pandas", "reliability").DataFrame(bins)
        filled = table["count"].where(table["count"] > 0)
        table["accuracy"] = table["correct"] / filled
        table["confidence"] = table.pop("confidence_sum") / filled
        return table

    @property
    def abstention(self) -> Any:
        """For each share of rows left out: the threshold, and the accuracy (or RMSE) of the others."""
        return needed("pandas", "abstention").DataFrame(self._found["answered"])

    @property
    def classes(self) -> Any:
        """Of each class: rows, precision, recall, F1."""
        return needed("pandas", "classes").DataFrame(self._found["classes"])

    @property
    def intervals(self) -> Any:
        """Of a regression: for each level, the share of rows within the central interval."""
        return needed("pandas", "intervals").DataFrame(self._found["intervals"])

    def __repr__(self) -> str:
        return f"<{counted(self.rows, 'row')}: " + ", ".join(f"{name} {value:.4g}" for name, value in self.figures.items()) + ">"

    def _repr_html_(self) -> str:
        return _html.evaluation(self)
