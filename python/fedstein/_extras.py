# SPDX-License-Identifier: Apache-2.0
"""Packages that only parts of fedstein need, imported when such a part is used."""

from __future__ import annotations

import importlib
from typing import Any

from fedstein.errors import MissingExtra

# The extra of our package that brings each of them.
_EXTRA_OF = {
    "sklearn": "sklearn",
    "pandas": "sklearn",
    "matplotlib": "plot",
    "jax": "jax",
    "torch": "torch",
    "arviz_base": "arviz",
    "flwr": "flower",
}


def needed(module: str, what: str) -> Any:
    """The module, or one sentence that says what to install; `what` needs it."""
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != package:
            raise  # the package is there and lacks something itself
        extra = _EXTRA_OF[package]
        raise MissingExtra(f"{what} needs {package}; pip install 'fedstein[{extra}]' installs it") from None
