# SPDX-License-Identifier: Apache-2.0
"""Prints the table of docs/flower.md: what a round costs in process, with `fedstein serve`, and on Flower in both of its ways.

Usage: costs.py PROGRAM, from inside `unshare -rn` with the loopback interface up.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np
from network import Deployment, undisturbed

from fedstein import Federation

ROUNDS = 8
NAMES = ["north", "south"]


def seconds_in(state):
    with closing(sqlite3.connect(f"{state}/store.sqlite")) as store:
        rows = store.execute("SELECT round, seconds FROM round ORDER BY round").fetchall()
    assert [row[0] for row in rows] == list(range(1, ROUNDS + 1)), rows
    return median(row[1] for row in rows[1:])


def payload_in(state):
    with closing(sqlite3.connect(f"{state}/store.sqlite")) as store:
        return store.execute("SELECT (sum(bytes_down) + sum(bytes_up)) / count(*) FROM round").fetchone()[0]


def messages_in(told):
    line = next(line for line in told.splitlines() if line.startswith("messages: "))
    words = line.split()
    return (int(words[1]) + int(words[6])) // ROUNDS


def told_of(network, name):
    until = time.monotonic() + 400
    told = network.finish_run(name, 400)
    assert time.monotonic() < until
    assert f"{ROUNDS} rounds are done" in told, told
    return told


def in_process(network):
    shards = []
    for name in NAMES:
        table = np.loadtxt(network.data(name), delimiter=",", skiprows=1)
        shards.append((table[:, :2], table[:, 2]))
    federation = Federation("c-dsvgd", "logistic-regression", shards, seed=1, particles=5, local_steps=5)
    return median([round.seconds for round in federation.rounds(ROUNDS)][1:])


def serve(network, program, app):
    document = (network.folder / "app.toml").read_text()
    state = network.folder / "served"
    (network.folder / "served.toml").write_text(
        document.replace("[server]", f'[server]\naddress = "127.0.0.1:7431"\nstate = "{state}"')
    )
    processes = [subprocess.Popen([program, "serve", str(network.folder / "served.toml"), "--insecure", "--quiet"])]
    time.sleep(1)
    for name in NAMES:
        processes.append(
            subprocess.Popen(
                [program, "agent", "127.0.0.1:7431", "--insecure", name, "--data", str(network.data(name)), "--quiet",
                 "--state", str(network.folder / f"served-{name}")]
            )
        )  # fmt: skip
    for process in processes:
        assert process.wait(120) == 0
    return state


def main(program):
    rows = []
    with tempfile.TemporaryDirectory() as folder, Deployment(Path(folder) / "network", NAMES) as network:
        network.write_data()
        app = network.new_app(rounds=ROUNDS)
        rows.append(("in process (`fedstein run`)", in_process(network), "0"))
        # By hand: the relays in one process, which is the round loop with both ends' disks and nothing between them.
        undisturbed(network, network.folder / "app.toml", Path(folder) / "wanted")
        rows.append(("the same with journal and agents' disks", seconds_in(Path(folder) / "wanted/server"), "0"))
        served = serve(network, program, app)
        payload = payload_in(served)
        rows.append(("`fedstein serve`, without TLS", seconds_in(served), f"{payload} and gRPC's own"))
        network.start_link("--simulation")
        network.start_simulation("simulated", app, f"agents-data='{network.folder}/{{name}}.csv'")
        told = told_of(network, "simulated")
        rows.append(("Flower, simulation (Ray)", seconds_in(app / "state"), messages_in(told)))
        network.kill("link")
    with tempfile.TemporaryDirectory() as folder, Deployment(Path(folder) / "network", NAMES) as network:
        network.write_data()
        app = network.new_app(rounds=ROUNDS)
        network.start_link()
        for name in NAMES:
            network.start_node(name)
        network.wait_for_nodes()
        network.start_run("deployed", app)
        told = told_of(network, "deployed")
        rows.append(("Flower, deployment", seconds_in(app / "state"), messages_in(told)))
    print(f"payload of a round, numbers alone: {payload} bytes; load of the machine: {os.getloadavg()[0]:.1f}")
    print("| | seconds a round | bytes a round |\n|---|---|---|")
    for name, seconds, size in rows:
        print(f"| {name} | {seconds:.4f} | {size} |")


if __name__ == "__main__":
    main(sys.argv[1])
