# SPDX-License-Identifier: Apache-2.0
"""Federated Bayesian learning with Stein particles.

A server and its agents learn one posterior over a model's weights without moving their data; a few particles travel. Begin with
:class:`SteinClassifier`, :class:`SteinRegressor` or :class:`SteinCounts` on a table, :func:`svgd` on a density of your own, and
:class:`Federation` on a model of your own.

Everything is loaded when it is first used, so that ``import fedstein`` takes no time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fedstein import plot as plot
    from fedstein.autodiff import from_jax as from_jax
    from fedstein.autodiff import from_torch as from_torch
    from fedstein.classifier import SteinClassifier as SteinClassifier
    from fedstein.errors import DataError as DataError
    from fedstein.errors import Divergence as Divergence
    from fedstein.errors import Error as Error
    from fedstein.errors import FileError as FileError
    from fedstein.errors import InvalidArgument as InvalidArgument
    from fedstein.errors import MissingExtra as MissingExtra
    from fedstein.federation import Federation as Federation
    from fedstein.methods import Agent as Agent
    from fedstein.methods import Method as Method
    from fedstein.methods import Server as Server
    from fedstein.methods import Setting as Setting
    from fedstein.methods import method_list as method_list
    from fedstein.models import Model as Model
    from fedstein.models import model_types as model_types
    from fedstein.particles import check_gradient as check_gradient
    from fedstein.particles import collapse as collapse
    from fedstein.particles import ksd as ksd
    from fedstein.particles import svgd as svgd
    from fedstein.posterior import Posterior as Posterior
    from fedstein.regressor import SteinCounts as SteinCounts
    from fedstein.regressor import SteinRegressor as SteinRegressor
    from fedstein.runs import Run as Run

    __version__: str

# Where each name is defined.
_HOME = {
    "SteinClassifier": "classifier",
    "SteinRegressor": "regressor",
    "SteinCounts": "regressor",
    "Posterior": "posterior",
    "Run": "runs",
    "Federation": "federation",
    "Model": "models",
    "model_types": "models",
    "Method": "methods",
    "Server": "methods",
    "Agent": "methods",
    "Setting": "methods",
    "method_list": "methods",
    "svgd": "particles",
    "ksd": "particles",
    "collapse": "particles",
    "check_gradient": "particles",
    "from_jax": "autodiff",
    "from_torch": "autodiff",
    "Error": "errors",
    "InvalidArgument": "errors",
    "Divergence": "errors",
    "DataError": "errors",
    "FileError": "errors",
    "MissingExtra": "errors",
}
_MODULES = ("plot",)

__all__ = [*_HOME, *_MODULES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _HOME:
        found = getattr(importlib.import_module(f"fedstein.{_HOME[name]}"), name)
    elif name in _MODULES:
        found = importlib.import_module(f"fedstein.{name}")
    elif name == "__version__":
        found = importlib.import_module("fedstein._load").version()
    else:
        raise AttributeError(f"module 'fedstein' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
