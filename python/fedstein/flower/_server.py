# SPDX-License-Identifier: Apache-2.0
"""The ServerApp: carries messages between C++'s round loop and Flower's grid until the run is over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fedstein import _load
from fedstein.errors import DataError, Error, InvalidArgument
from fedstein.flower._configuration import flag, number, text
from fedstein.flower._own import OwnModel, check_own, own_core, own_model
from fedstein.flower._records import flwr, pack, unpack
from fedstein.methods import Method

_TYPES = {"hello": "query.hello", "work": "train.work", "settle": "query.settle"}
_WHERE = "run configuration"
_BETWEEN_PULLS = 0.05  # Flower's own send_and_receive sleeps 3 s
_BETWEEN_LATER_PULLS = 0.2  # when nothing was sent for some time: every pull is a request to the SuperLink
_LATER = 2.0
_BETWEEN_LOOKS = 1.0  # at who is there

# Flower's error codes (flwr.common.constant.ErrorCode) as failures of ours. Its words for 3: the message expired.
_LOST = {4, 5}
_TIMED_OUT = {3}


def server_app(experiment: str | Path, *, model: OwnModel | None = None, method: Method | None = None) -> Any:
    """A ServerApp that runs the federation of a configuration.

    ``model`` is a :class:`fedstein.Model` of your own, or a function of the precision ("float32" or "float64") that makes one;
    ``method`` a :class:`fedstein.Method`. The configuration names them, and the client app is given the same ones.

    The state folder of the run configuration holds journal, run and posterior as that of ``fedstein serve`` does. A run that
    was interrupted goes on where the journal stands with the next ``flwr run``.
    """
    app = flwr("serverapp").ServerApp()
    path = Path(experiment)

    @app.main()  # type: ignore[untyped-decorator]
    def main(grid: Any, context: Any) -> None:
        _serve(grid, context.run_config, path, model, method)

    return app


def _serve(grid: Any, run: Any, experiment: Path, model: OwnModel | None, method: Method | None) -> None:
    dtype = text(run, "dtype", _WHERE, "float32")
    state = text(run, "state", _WHERE)
    if not state:
        raise InvalidArgument(f"state of the {_WHERE} is empty; the server needs a folder for its journal")
    document = experiment.read_text(encoding="utf-8")
    made = own_model(model, dtype)
    own = own_core(made, method, dtype)
    core = _load.core(dtype)
    check_own(core.check_federation(document, experiment.name, **own), made)
    options = {
        "data_folder": text(run, "data-folder", _WHERE),
        "bind_keys": flag(run, "bind-seats", _WHERE),
        "tries": int(number(run, "tries", _WHERE, 3)),
        "probe_seconds": number(run, "probe-seconds", _WHERE, 15),
    }
    with _own_functions():
        relay = core.ServerRelay(document, experiment.name, state=state, **options, **own)
    carrier = _Carrier(grid, relay, dtype)
    try:
        while not relay.is_over:
            carrier.turn()
            _tell_rounds(relay)
    finally:
        _tell_rounds(relay)
        relay.stop()
    with _own_functions():
        result = relay.result()
    _tell_end(result, relay)


class _Carrier:
    def __init__(self, grid: Any, relay: Any, dtype: str) -> None:
        self._grid = grid
        self._relay = relay
        self._dtype = dtype
        self._sent: dict[str, int] = {}  # Flower's message -> our serial number
        self._next_look = 0.0
        self._pushed = 0.0

    def turn(self) -> None:
        if time.monotonic() >= self._next_look:
            self._relay.see(_nodes(self._grid))
            self._next_look = time.monotonic() + _BETWEEN_LOOKS
        is_late = time.monotonic() - self._pushed > _LATER
        for serial, node, kind, head, numbers in self._relay.dispatches(_BETWEEN_LATER_PULLS if is_late else _BETWEEN_PULLS):
            self._pushed = time.monotonic()
            self._push(serial, node, kind, pack(head, numbers, self._dtype))
        if not self._sent:
            return
        for message in self._grid.pull_messages(list(self._sent)):
            serial = self._sent.pop(message.metadata.reply_to_message_id, None)
            if serial is not None:
                self._take(serial, message)

    def _push(self, serial: int, node: str, kind: str, content: Any) -> None:
        message = flwr("app").Message(content, int(node), _TYPES[kind])
        ids = list(self._grid.push_messages([message]))
        if ids and ids[0]:
            self._sent[ids[0]] = serial
        else:
            self._relay.fail(serial, "lost", "Flower did not take the message")

    def _take(self, serial: int, message: Any) -> None:
        if message.has_error():
            code = message.error.code
            kind = "lost" if code in _LOST else "timed out" if code in _TIMED_OUT else "broken"
            self._relay.fail(serial, kind, f"Flower's error {code}: {message.error.reason or 'no reason'}")
            return
        try:
            head, numbers = unpack(message.content)
        except DataError as problem:
            self._relay.fail(serial, "broken", str(problem))
            return
        self._relay.take(serial, head, numbers)


@contextmanager
def _own_functions() -> Iterator[None]:
    """Around the calls out of which comes what functions of the user's own raise."""
    try:
        yield
    except (Error, MemoryError):
        raise
    except Exception as problem:
        print(
            f"fedstein: a function of your own has failed at the server: {type(problem).__name__}: {problem}; "
            "mend it, and the next flwr run goes on where this one stands",
            flush=True,
        )
        raise


def _nodes(grid: Any) -> list[tuple[str, bytes]]:
    return [(str(node.node_id), bytes(node.public_key)) for node in grid.get_nodes()]


def _tell_rounds(relay: Any) -> None:
    for line in relay.lines():
        print(line, flush=True)
    for record in relay.rounds():
        folded = ", ".join(relay.agents[agent] for agent in record["folded"]) or "nobody"
        print(f"round {record['round']} of {relay.total_rounds}: {folded}; {record['seconds']:.2f} s", flush=True)
        for failure in record["failures"]:
            print(f"  without {relay.agents[failure['agent']]}: {failure['kind']}: {failure['reason']}", flush=True)


def _tell_end(result: dict[str, Any], relay: Any) -> None:
    traffic = relay.traffic()
    print(f"{result['rounds']} rounds are done, {result['lost_rounds']} of them took nobody's update in", flush=True)
    print(f"messages: {traffic['bytes_down']} bytes to the agents, {traffic['bytes_up']} bytes from them", flush=True)
    print(result["posterior"], flush=True)
    print(f"run: {relay.state}; fedstein report {relay.state} draws it", flush=True)
