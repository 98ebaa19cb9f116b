# SPDX-License-Identifier: Apache-2.0
"""Writes a Flower app around a configuration."""

from __future__ import annotations

import re
from pathlib import Path

from fedstein import _load
from fedstein.errors import FileError, InvalidArgument

_PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "1.0.0"
description = "{name}: a federation of fedstein on Flower"
license = "Apache-2.0"
dependencies = ["fedstein[flower]"]

[tool.hatch.build.targets.wheel]
packages = ["."]

[tool.flwr.app]
publisher = "{publisher}"

[tool.flwr.app.components]
serverapp = "{module}.app:server"
clientapp = "{module}.app:client"

# Each can be changed for one run: flwr run . --run-config "dtype='float64'"
[tool.flwr.app.config]
state = "{state}"          # on the SuperLink's machine: journal, run and posterior
data-folder = ""           # where datasets known by name may lie
dtype = "float32"          # or float64; the same at server and agents
bind-seats = false         # true: each seat belongs to the key of the node that takes it first
tries = 3                  # how often Flower may fail with one task before its round goes on without the agent
probe-seconds = 15         # after which a node that does not answer is asked for its hello
agents-state = "{agents}"  # of a simulation: one folder in it for each agent
agents-data = ""           # of a simulation: the agents' files, as rows-{{name}}.csv; empty: shares of a dataset known by name
"""

_APP = '''\
"""A federation of fedstein on Flower."""

from pathlib import Path

from fedstein.flower import client_app, server_app

experiment = Path(__file__).with_name("experiment.toml")
server = server_app(experiment)
client = client_app(experiment)
'''


def new_app(folder: Path, experiment: Path, state: Path | None = None, publisher: str = "fedstein") -> list[str]:
    """Write a Flower app that runs a configuration. Gives the lines to tell, the next command last."""
    try:
        document = experiment.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise FileError(f"{experiment}: cannot be read: {problem}") from None
    _load.core("float32").check_federation(document, str(experiment))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError(f"{folder}: is there already; name a folder that is new or empty")
    if not re.fullmatch(r"[a-z0-9](-?[a-z0-9])*", publisher):
        raise InvalidArgument(f"publisher is {publisher!r}; allowed: small letters and digits, with - between them")
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-") or "federation"
    module = "app_" + name.replace("-", "_")
    where = folder.resolve()
    texts = {
        "pyproject.toml": _PROJECT.format(
            name=name,
            module=module,
            publisher=publisher,
            state=_toml(str((state or where / "state").resolve())),
            agents=_toml(str(where / "agents")),
        ),
        f"{module}/__init__.py": "",
        f"{module}/app.py": _APP,
        f"{module}/experiment.toml": document,
    }
    for path, contents in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(contents, encoding="utf-8")
    return [f"wrote {folder}", f"flwr run {folder}"]


def _toml(value: str) -> str:
    if any(ord(letter) < 32 for letter in value):
        raise InvalidArgument(f"the path {value!r} holds a control character")
    return value.replace("\\", "\\\\").replace('"', '\\"')
