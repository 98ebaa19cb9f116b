# SPDX-License-Identifier: Apache-2.0
"""What Flower's run and node configurations say to us, with one sentence for every mistake."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedstein.errors import InvalidArgument

# The keys of a node that are ours; Flower and other apps may have further ones.
NODE_KEYS = ("name", "state-dir", "data", "labels", "test-data", "test-labels", "data-folder", "forget-factor")


def text(config: Mapping[str, Any], key: str, where: str, default: str = "") -> str:
    value = config.get(key, default)
    if isinstance(value, str):
        return value
    raise InvalidArgument(f"{key} of the {where} is {value!r}; a text is wanted, in quotes")


def flag(config: Mapping[str, Any], key: str, where: str, default: bool = False) -> bool:
    value = config.get(key, default)
    if isinstance(value, bool):
        return value
    raise InvalidArgument(f"{key} of the {where} is {value!r}; allowed: true, false")


def number(config: Mapping[str, Any], key: str, where: str, default: float) -> float:
    value = config.get(key, default)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise InvalidArgument(f"{key} of the {where} is {value!r}; a number is wanted")


@dataclass
class Station:
    """Who a node is, and where its rows and its state are."""

    name: str
    state: str
    data: dict[str, Any]
    forget_factor: str


def station(node: Mapping[str, Any], run: Mapping[str, Any], experiment: Path | None) -> Station:
    """A node's own configuration says everything; what a run says counts for nodes of a simulation alone.

    A run comes from whoever may start one. It names no file on a machine whose operator has given it a state folder.
    """
    here = "node configuration (--node-config)"
    name = text(node, "name", here) or _name_of_partition(node, experiment)
    if "state-dir" in node:
        data_file, where = text(node, "data", here), here
        source: Mapping[str, Any] = node
        state = text(node, "state-dir", here)
    elif "num-partitions" in node:
        where, source = "run configuration", run
        data_file = text(run, "agents-data", where).replace("{name}", name)
        folder = text(run, "agents-state", where)
        if not folder:
            raise InvalidArgument("agents-state of the run configuration is empty; a simulated agent needs a folder to remember in")
        state = str(Path(folder) / name)
    else:
        raise InvalidArgument(
            "the node has no state-dir; start it with --node-config \"name='...' state-dir='/a/folder/of/its/own' data='rows.csv'\""
        )
    data: dict[str, Any] = {"data_folder": text(source, "data-folder", where)}
    if data_file:
        data |= {"file": data_file, "label_file": text(source, "labels", where)}
        data |= {"test_file": text(source, "test-data", where), "test_label_file": text(source, "test-labels", where)}
    else:
        data["simulate"] = True
    return Station(name, state, data, text(node, "forget-factor", here))


def _name_of_partition(node: Mapping[str, Any], experiment: Path | None) -> str:
    partition = node.get("partition-id")
    if not isinstance(partition, int) or isinstance(partition, bool) or partition < 0:
        raise InvalidArgument("the node has no name; start it with --node-config \"name='...' state-dir='...' data='...'\"")
    names = _agents_of(experiment)
    if not names:
        return f"agent-{partition}"
    if partition >= len(names):
        raise InvalidArgument(f"partition-id is {partition}; the configuration names {len(names)} agents, counted from 0")
    return names[partition]


def _agents_of(experiment: Path | None) -> list[str]:
    if experiment is None:
        return []
    text = experiment.read_text(encoding="utf-8-sig")  # editors of some systems write a mark in front
    names = tomllib.loads(text).get("server", {}).get("agents", [])
    return [str(name) for name in names]
