# SPDX-License-Identifier: Apache-2.0
"""Runs of the fedstein program, as data frames."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import numpy as np

from fedstein import _checks, _html, _load
from fedstein._arguments import checked
from fedstein._extras import needed
from fedstein.errors import FileError, InvalidArgument
from fedstein.posterior import Posterior


@checked
class Run:
    """A folder that ``fedstein run`` wrote: curves, comparisons, particles, reports.

    >>> from fedstein import Run
    >>> run = Run.open("runs/demo")                                # doctest: +SKIP
    >>> run.curves().groupby(["algorithm", "round"]).accuracy.mean()  # doctest: +SKIP
    """

    def __init__(self, core_run: Any, path: str) -> None:
        self._core = core_run
        self.path = path

    @classmethod
    def open(cls, folder: str | os.PathLike[str], number: int | None = None) -> Run:
        """The newest run of a folder (or store file), or the one of this number."""
        path = os.fspath(folder)
        if number is not None:
            _checks.whole("number", number, 1)
        return cls(_load.runs().Run(path, number), path)

    @property
    def name(self) -> str:
        return str(self._core.name)

    @property
    def title(self) -> str:
        return str(self._core.title)

    @property
    def seed(self) -> int:
        return int(self._core.seed)

    @property
    def document(self) -> str:
        """The configuration, TOML."""
        return str(self._core.document)

    @property
    def finished(self) -> bool:
        """Whether all its jobs are done."""
        return bool(self._core.finished)

    def jobs(self) -> list[dict[str, Any]]:
        """One entry for each case, method and trial, with its number ``job``, status and error."""
        return [dict(job) for job in self._core.jobs()]

    def curves(self) -> Any:
        """A data frame with a row for each job and round: what was exchanged, and every figure."""
        return needed("pandas", "curves()").DataFrame(self._core.curves())

    def comparison(self) -> Any:
        """A data frame of methods side by side, as ``fedstein compare`` prints it: means of the last round, and their errors."""
        pandas = needed("pandas", "comparison()")
        rows = []
        for row in json.loads(self._core.comparison())["rows"]:
            plain: dict[str, Any] = {}
            for key, value in row.items():
                if key == "figures" and isinstance(value, dict):
                    for name, figure in value.items():
                        plain[name], plain[f"{name}_error"] = figure.get("mean"), figure.get("standard_error")
                elif not isinstance(value, (dict, list)):
                    plain[key] = value
            rows.append(plain)
        return pandas.DataFrame(rows)

    def particles(self, algorithm: str, trial: int = 1, case: str | None = None, round: int | None = None) -> np.ndarray:
        """Particles of one method and trial (N x d); of the last round that has some unless one is named."""
        job = self._job(algorithm, trial, case)
        kept = list(self._core.rounds_with_particles(job))
        if not kept or (round is not None and round not in kept):
            raise InvalidArgument(f"round is {round!r}; particles of {algorithm} were kept in rounds {kept}")
        return np.asarray(self._core.particles(job, kept[-1] if round is None else round))

    def reliability(self, algorithm: str, trial: int = 1, case: str | None = None) -> Any:
        """A data frame of the last reliability bins of one method and trial."""
        pandas = needed("pandas", "reliability()")
        found = list(self._core.reliability(self._job(algorithm, trial, case)))
        table = pandas.DataFrame(found[-1]["bins"] if found else [], columns=["low", "high", "count", "correct", "confidence_sum"])
        filled = table["count"].where(table["count"] > 0)
        table["accuracy"] = table["correct"] / filled
        table["confidence"] = table.pop("confidence_sum") / filled
        return table

    def posterior(self, algorithm: str, trial: int = 1, dtype: Any = "float32") -> Posterior:
        """The posterior that the run wrote for this method: of the first trial only, unless ``fedstein export`` wrote others."""
        folder = pathlib.Path(self.path) / "posteriors"
        path = folder / f"{algorithm}-{trial}.fedstein"
        if not path.exists():
            there = sorted(file.name for file in folder.glob("*.fedstein")) if folder.is_dir() else []
            known = ", ".join(there) or "none"
            raise InvalidArgument(
                f"there is no posterior of the algorithm {algorithm!r} and trial {trial}; the run's posteriors are {known}"
            )
        return Posterior.load(path, dtype)

    def report(self) -> Report:
        """The run's report; a notebook shows it, its ``save(path)`` writes it."""
        return Report(str(self._core.report_html()))

    def _job(self, algorithm: str, trial: int, case: str | None) -> int:
        jobs = self.jobs()
        for job in jobs:
            if job["algorithm"] == algorithm and job["trial"] == trial and case in (None, job["case"]):
                return int(job["job"])
        known = sorted({(job["case"], job["algorithm"], job["trial"]) for job in jobs})
        raise InvalidArgument(f"there is no trial {trial!r} of {algorithm!r}; there are (case, algorithm, trial) {known[:12]}")

    def __repr__(self) -> str:
        return f"<run {self.name}: {_checks.counted(len(self.jobs()), 'job')}{'' if self.finished else ', not finished'}>"

    def _repr_html_(self) -> str:
        return _html.run(self)


@checked
class Report:
    """One self-contained page. A notebook shows it in a frame of its own."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page."""
        try:
            pathlib.Path(path).write_text(self.html, encoding="utf-8")
        except OSError as problem:
            raise FileError(f"path is {os.fspath(path)!r}; it cannot be written: {problem.strerror}") from None

    def __repr__(self) -> str:
        return f"<report, {len(self.html) / 1e6:.1f} MB of HTML>"

    def _repr_html_(self) -> str:
        content = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe sandbox="allow-scripts" style="width:100%;height:800px;border:0" srcdoc="{content}"></iframe>'
