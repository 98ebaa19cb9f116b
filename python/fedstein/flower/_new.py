# SPDX-License-Identifier: Apache-2.0
"""Writes a Flower app around a configuration: C++ does, which checks it; here are the user's own models and methods."""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedstein import _load
from fedstein.errors import InvalidArgument
from fedstein.flower._own import check_own, own_core, own_model


@dataclass(frozen=True)
class Source:
    """A name in a Python file."""

    file: str = ""
    name: str = ""

    def value(self, what: str) -> Any:
        """What has the name, after the file has run."""
        if not self.file:
            return None
        path = Path(self.file)
        spec = importlib.util.spec_from_file_location(f"fedstein_flower_{what}_{path.stem}", path)
        if spec is None or spec.loader is None or not path.is_file():
            raise InvalidArgument(f"{what} is in '{self.file}', which is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as problem:
            raise InvalidArgument(f"{self.file} cannot be imported: {type(problem).__name__}: {problem}") from problem
        if not hasattr(module, self.name):
            raise InvalidArgument(f"{self.file} has no {self.name}; {what} is FILE.py:NAME")
        return getattr(module, self.name)


def source_of(given: str, what: str) -> Source:
    """FILE.py:NAME; nothing for nothing."""
    if not given:
        return Source()
    file, colon, name = given.rpartition(":")
    if not (colon and file.endswith(".py") and name):
        raise InvalidArgument(f"{what} is '{given}'; allowed: FILE.py:NAME, such as models.py:make_model")
    return Source(file, name)


def new_app(folder: str, experiment: str, state: str = "", publisher: str = "fedstein", model: str = "", method: str = "") -> Any:
    """Write a Flower app that runs a configuration. Gives the exit code and the lines to tell."""
    models, methods = source_of(model, "model"), source_of(method, "method")
    made = own_model(models.value("model"), "float32")
    own = own_core(made, methods.value("method"), "float32")
    core = _load.core("float32")
    if made is not None and os.path.isfile(experiment):
        check_own(core.check_federation(Path(experiment).read_text(encoding="utf-8", errors="replace"), experiment, **own), made)
    return core.new_flower_app(
        folder,
        experiment,
        state=state,
        publisher=publisher,
        model_file=models.file,
        model_name=models.name,
        method_file=methods.file,
        method_name=methods.name,
        **own,
    )
