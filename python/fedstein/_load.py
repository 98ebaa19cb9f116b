# SPDX-License-Identifier: Apache-2.0
"""Chooses among the installed extension modules: by precision, and by what this processor can do.

An installation has a folder ``_levels/<level>`` for each level of instructions, with the same modules in each. The
environment variable ``FEDSTEIN_CPU`` names a lower level than the best, as for the program.
"""

from __future__ import annotations

import importlib
import os
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from fedstein.errors import Error, InvalidArgument

_FOLDER = Path(__file__).parent / "_levels"
_PRECISIONS = {"float32": "_core_f32", "float64": "_core_f64"}
_ENDING = ".abi3.so"


def _folder_of(level: str) -> str:
    return level.replace("-", "_")


def _level_of(folder: str) -> str:
    return folder.replace("x86_64", "x86-64").replace("_v", "-v")


@lru_cache(maxsize=1)
def level() -> str:
    """The level of instructions that is used: "x86-64-v3", or "native" for a build for one machine."""
    found = sorted(path.name for path in _FOLDER.iterdir() if path.is_dir()) if _FOLDER.is_dir() else []
    if not found:
        raise Error(f"fedstein is installed without its extension modules; {_FOLDER} is missing or empty")
    wanted = os.environ.get("FEDSTEIN_CPU", "")
    if len(found) == 1:
        only = _level_of(found[0])
        if wanted not in ("", only):
            raise InvalidArgument(
                f"FEDSTEIN_CPU is '{wanted}', and this fedstein was built for one kind of processor; allowed: {only}"
            )
        return only
    cpu = importlib.import_module("fedstein._cpu")
    try:
        chosen: str = cpu.choose([_level_of(name) for name in found], wanted)
    except ValueError as problem:
        raise InvalidArgument(str(problem)) from None
    return chosen


def _module(name: str) -> ModuleType:
    folder = _FOLDER / _folder_of(level())
    if not (folder / (name + _ENDING)).is_file():
        raise Error(f"fedstein is installed without {name}{_ENDING}, which belongs into {folder}")
    return importlib.import_module(f"fedstein._levels.{folder.name}.{name}")


def core(dtype: Any = "float32") -> ModuleType:
    """The extension for "float32" or "float64", or for NumPy's types of these names."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    if name not in _PRECISIONS:
        raise InvalidArgument(f'dtype is {dtype!r}; allowed: "float32", "float64"')
    return _module(_PRECISIONS[name])


def runs() -> ModuleType:
    """The extension that reads run folders."""
    return _module("_runs")


def version() -> str:
    """Of the C++ library inside."""
    return str(core("float32").version)
