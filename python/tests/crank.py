# SPDX-License-Identifier: Apache-2.0
"""A carrier cranked by hand between the relays of the extension: every message meets a new agent object."""

import json
import sqlite3
import time
from contextlib import closing

import numpy as np

from fedstein import _load

EXPERIMENT = """
[experiment]
name = "relayed"
dataset = "rows.csv"
agents = {agents}
seed = 7
trials = 1
scaling = "none"
[federation]
rounds = {rounds}
{model}
[[algorithm]]
type = "{method}"
{settings}
[server]
features = {features}
linger_seconds = 20
"""

# Of the trial that a configuration with the seed 7 runs: the seed that a federation in this process is given.
SEED = 7 * 1000003 + 1


def text(method, settings=None, agents=3, rounds=4, features=2, model=""):
    lines = "\n".join(
        f"{key} = {value!r}".replace("True", "true").replace("False", "false") for key, value in (settings or {}).items()
    )
    return EXPERIMENT.format(agents=agents, rounds=rounds, method=method, settings=lines, features=features, model=model)


def shards(agents=3, seed=0):
    """Of unequal sizes, with labels -1 and 1."""
    random = np.random.default_rng(seed)
    out = []
    for k in range(agents):
        x = random.normal(size=(12 + 9 * k, 2)).astype(np.float32)
        out.append((x, np.where(x[:, 0] - x[:, 1] > 0.1, 1.0, -1.0).astype(np.float32)))
    return out


def resolved(folder):
    """The settings of method and model as the configuration's defaults have completed them."""
    with closing(sqlite3.connect(folder / "server/store.sqlite")) as store:
        row = store.execute("SELECT configuration FROM run").fetchone()
    case = json.loads(row[0])["cases"][0]
    return case["algorithms"][0]["settings"], case["model"]["settings"]


def run(document, rows, folder, dtype="float32", seconds=60, **own):
    """Until the run is over; gives its result."""
    core = _load.core(dtype)
    server = core.ServerRelay(document, state=str(folder / "server"), **own)
    until = time.monotonic() + seconds
    try:
        while not server.is_over:
            assert time.monotonic() < until, server.lines()
            server.see([(str(node), b"") for node in range(len(rows))])
            for serial, node, _kind, head, numbers in server.dispatches(0.02):
                x, y = rows[int(node)]
                agent = core.AgentRelay(f"agent-{node}", str(folder / f"agent-{node}"), x=x, y=y, **own)
                server.take(serial, *agent.answer(head, numbers))
    finally:
        server.stop()
    return server.result()
