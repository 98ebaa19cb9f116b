# SPDX-License-Identifier: Apache-2.0
"""A real Flower deployment on this machine: one SuperLink, a SuperNode for each agent, and `flwr run`."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import numpy as np

from fedstein import _load

BIN = Path(sys.executable).parent


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def write_rows(path, rows, seed):
    """A file of two numbers and a label, different for every seed."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, 2)) + 0.3 * seed
    y = (x @ [1.0, -1.0] + 0.3 * random.normal(size=rows) > 0).astype(int)
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", fmt="%.6f", header="a,b,ill", comments="")


EXPERIMENT = """
[experiment]
name = "on-flower"
dataset = "rows.csv"
agents = {agents}
seed = 7
trials = 1
{scaling}
[federation]
rounds = {rounds}
[[algorithm]]
type = "{algorithm}"
{settings}
{model}
[data]
label = "ill"
classes = ["0", "1"]
columns = ["a", "b"]
[server]
agents = [{names}]
linger_seconds = 30
{server}
"""


class Deployment:
    """Everything in one folder. Processes are groups of their own, so that each can be killed with its children."""

    def __init__(self, folder, names, tls=False):
        self.folder = Path(folder)
        self.names = names
        self.tls = tls
        self.port, *self.node_ports = free_ports(1 + 2 * len(names))
        self.home = self.folder / "flwr"
        self.home.mkdir(parents=True, exist_ok=True)
        self.processes = {}
        self.environment = os.environ | {
            "FLWR_HOME": str(self.home),
            "FLWR_TELEMETRY_ENABLED": "0",
            "FLWR_DISABLE_UPDATE_CHECK": "1",
            "RAY_USAGE_STATS_ENABLED": "0",
            "PYTHONUNBUFFERED": "1",
            "PATH": f"{BIN}:{os.environ['PATH']}",
        }
        security = f'root-certificates = "{self.folder}/ca.crt"' if tls else "insecure = true"
        (self.home / "config.toml").write_text(
            f'[superlink]\ndefault = "here"\n[superlink.here]\naddress = "127.0.0.1:{self.port}"\n{security}\n'
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in list(self.processes):
            self.kill(name)

    def start(self, name, *command):
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self, name, how=signal.SIGKILL):
        process = self.processes.pop(name)
        for one in {process.pid, *descendants(process.pid)}:
            with suppress(ProcessLookupError):
                os.kill(one, how)
        process.wait()

    def log(self, name):
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def wait_for(self, name, words, seconds=240, times=1):
        until = time.monotonic() + seconds
        while self.log(name).count(words) < times:
            assert time.monotonic() < until, f"{name} never said {words!r}:\n{self.log(name)}"
            time.sleep(0.05)

    def start_link(self, *more):
        security = () if self.tls else ("--insecure",)
        before = self.log("link").count("Starting Flower SuperExec")
        self.start(
            "link", str(BIN / "flower-superlink"), *security, "--host", "127.0.0.1", "--port", str(self.port),
            "--database", str(self.folder / "link.db"), "--disable-runtime-dependency-installation", *more,
        )  # fmt: skip
        self.wait_for("link", "Starting Flower SuperExec", times=before + 1)

    def start_node(self, name, *more, state=None, data=None, as_name=None, extra=""):
        place = self.names.index(name)
        security = () if self.tls else ("--insecure",)
        state = state or self.folder / f"state-{name}"
        config = f"name='{as_name or name}' state-dir='{state}' data='{data or self.data(name)}' {extra}"
        self.start(
            f"node-{name}", str(BIN / "flower-supernode"), *security, "--superlink", f"127.0.0.1:{self.port}",
            "--port", str(self.node_ports[place]), "--node-config", config, *more,
        )  # fmt: skip

    def wait_for_nodes(self):
        for name in self.names:
            self.wait_for(f"node-{name}", "Starting Flower SuperExec")

    def data(self, name):
        return self.folder / f"{name}.csv"

    def write_data(self):
        for place, name in enumerate(self.names):
            write_rows(self.data(name), 30 + 25 * place, place)

    def new_app(
        self,
        algorithm="c-dsvgd",
        rounds=4,
        scaling="",
        settings="particles = 5\nlocal_steps = 5",
        server="",
        name="app",
        model="",
        own=(),
    ):
        experiment = self.folder / f"{name}.toml"
        names = ", ".join(f'"{name}"' for name in self.names)
        experiment.write_text(
            EXPERIMENT.format(
                agents=len(self.names), names=names, algorithm=algorithm, rounds=rounds, scaling=scaling,
                settings=settings, server=server, model=model,
            )
        )  # fmt: skip
        app = self.folder / name
        shutil.rmtree(app, ignore_errors=True)
        subprocess.run(
            [sys.executable, "-m", "fedstein.flower", "new", str(app), str(experiment), *own], check=True, env=self.environment
        )
        return app

    def start_run(self, name, app, *more):
        self.start(name, str(BIN / "flwr"), "run", str(app), "here", "--stream", *more)

    def start_simulation(self, name, app, *run_config):
        """The nodes are actors of Ray; the link was started for that."""
        federation = f"num-supernodes={len(self.names)} client-resources-num-cpus=1 init-args-num-cpus=2"
        config = " ".join(run_config)
        self.start_run(name, app, "--federation-config", federation, "--run-config", config)

    def finish_run(self, name, seconds=600):
        """What `flwr run` printed. Its exit status says nothing of the run."""
        self.processes.pop(name).wait(seconds)
        return self.log(name)


def descendants(pid):
    """All children of a process, theirs, and so on."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    out, front = [], [pid]
    while front:
        front = [child for child, parent in parents.items() if parent in front]
        out += front
    return out


def processes_named(words, among):
    """Those of the processes whose command line holds the words."""
    found = []
    for pid in among:
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words in line:
            found.append(pid)
    return found


def particles_in(state):
    """Of the last belief, from the run store; None while the run is not over."""
    with closing(sqlite3.connect(f"file:{state}/store.sqlite?mode=ro", uri=True)) as store:
        row = store.execute("SELECT row_count, column_count, number_bytes, numbers FROM particles ORDER BY round DESC").fetchone()
    return None if row is None else np.frombuffer(row[3], f"<f{row[2]}").reshape(row[0], row[1])


def undisturbed(network, experiment, folder, dtype="float32", **own):
    """The same federation with its messages carried by hand in this process. ``own``: model and method."""
    core = _load.core(dtype)
    server = core.ServerRelay(Path(experiment).read_text(), state=str(folder / "server"), **own)
    until = time.monotonic() + 120
    while not server.is_over:
        assert time.monotonic() < until, server.lines()
        server.see([(str(place), b"") for place in range(len(network.names))])
        for serial, place, _kind, head, numbers in server.dispatches(0.02):
            name = network.names[int(place)]
            agent = core.AgentRelay(name, str(folder / name), file=str(network.data(name)), **own)
            server.take(serial, *agent.answer(head, numbers))
    return server.result()["particles"]
