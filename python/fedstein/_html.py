# SPDX-License-Identifier: Apache-2.0
"""How objects show themselves in a notebook: small tables, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from fedstein._checks import counted

if TYPE_CHECKING:
    from fedstein.evaluation import Evaluation
    from fedstein.posterior import Posterior
    from fedstein.runs import Run

_MOST_ROWS = 40


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    body = [[_shown(value) for value in row] for row in rows]
    rest = len(body) - _MOST_ROWS
    lines = ["<tr>" + "".join(f"<td>{value}</td>" for value in row) + "</tr>" for row in body[:_MOST_ROWS]]
    if rest > 0:
        lines.append(f'<tr><td colspan="{len(head)}">and {rest} more</td></tr>')
    top = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>"
    return f"<table><thead>{top}</thead><tbody>{''.join(lines)}</tbody></table>"


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def posterior(shown: Posterior) -> str:
    facts = shown.training
    said = (
        f"trained by {facts['method']} on {counted(facts['rows'], 'row')} of {counted(facts['agents'], 'agent')}"
        if facts["rows"]
        else ""
    )
    out = paragraph(repr(shown).strip("<>") + (f"; {said}" if said else ""))
    found = shown._core.summary(0.9)
    if found is None:
        return out + table(["column"], [[name] for name in shown.columns])
    rows = [
        [row["outcome"], row["name"], row["mean"], row["deviation"], row["low"], row["high"], row["above_zero"]]
        for row in found["coefficients"]
    ]
    head = ["outcome", "coefficient", "mean", "deviation", "5 %", "95 %", "P(above 0)"]
    if not any(row[0] for row in rows):
        head, rows = head[1:], [row[1:] for row in rows]
    return out + table(head, rows)


def evaluation(shown: Evaluation) -> str:
    return paragraph(counted(shown.rows, "row")) + table(["figure", "value"], [[k, float(v)] for k, v in shown.figures.items()])


def run(shown: Run) -> str:
    jobs = shown.jobs()
    rows = [[job["case"], job["algorithm"], job["trial"], job["rounds"], job["status"]] for job in jobs]
    return paragraph(repr(shown).strip("<>")) + table(["case", "method", "trial", "rounds", "status"], rows)
