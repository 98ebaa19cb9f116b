# SPDX-License-Identifier: Apache-2.0
"""The ClientApp: one message, one answer; between two of them an agent keeps its state folder and nothing else."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fedstein import _load
from fedstein.errors import Error
from fedstein.flower._configuration import Station, station, text
from fedstein.flower._own import OwnModel, own_core, own_model
from fedstein.flower._records import flwr, pack, unpack
from fedstein.methods import Method

#: ``rows(name)`` gives an agent's rows as ``x, y`` or ``x, y, test_x, test_y``.
Rows = Callable[[str], tuple[Any, ...]]
_Own = tuple[OwnModel | None, Method | None]


def client_app(
    experiment: str | Path | None = None,
    *,
    rows: Rows | None = None,
    model: OwnModel | None = None,
    method: Method | None = None,
) -> Any:
    """A ClientApp whose nodes are agents of the federation.

    ``experiment`` is read for the agents' names alone, where nodes have a ``partition-id`` and no ``name``. ``rows`` gives rows
    of a program's own in the place of a file. ``model`` and ``method`` are of your own, the same ones as the server app's.
    """
    app = flwr("clientapp").ClientApp()
    path = Path(experiment) if experiment is not None else None

    def handle(message: Any, context: Any) -> Any:
        return _answer(message, context, path, rows, (model, method))

    app.query("hello")(handle)
    app.train("work")(handle)
    app.query("settle")(handle)
    return app


def _answer(message: Any, context: Any, experiment: Path | None, rows: Rows | None, own: _Own) -> Any:
    # Flower sends the words of an exception to the server, and they may hold values of rows: nothing is raised with them.
    try:
        dtype = text(context.run_config, "dtype", "run configuration", "float32")
        where = station(context.node_config, context.run_config, experiment)
        head, numbers = _work(message, where, dtype, rows, own)
    except Exception as problem:
        _tell(f"fedstein: {problem}" if isinstance(problem, Error) else traceback.format_exc())
        raise RuntimeError("fedstein: this agent cannot take part; its own log says why") from None
    return flwr("app").Message(pack(head, numbers, dtype), reply_to=message)


def _work(message: Any, where: Station, dtype: str, rows: Rows | None, own: _Own) -> tuple[bytes, list[bytes]]:
    model, method = own
    head, numbers = unpack(message.content)
    data = dict(where.data)
    if rows is not None:
        given = rows(where.name)
        data = dict(zip(("x", "y", "test_x", "test_y"), given, strict=False))
    agent = _load.core(dtype).AgentRelay(
        where.name,
        where.state,
        **data,
        forget_factor=where.forget_factor,
        **own_core(own_model(model, dtype), method, dtype),
    )
    try:
        answer: tuple[bytes, list[bytes]] = agent.answer(head, numbers)
    except Exception:
        # Most likely out of a function of the user's own. Its words stay here; the server hears that there was something.
        _tell(f"{where.name}: this message could not be worked on, and the state on disk is as it was: {traceback.format_exc()}")
        answer = agent.apology(head, numbers)
    for line in agent.lines():
        _tell(f"{where.name}: {line}")
    return answer


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
