# SPDX-License-Identifier: Apache-2.0
"""Models and methods of the user's own, in the precision of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedstein.errors import InvalidArgument
from fedstein.methods import Method
from fedstein.models import Model

#: A model of your own, or a function of the precision ("float32", "float64") that makes one.
OwnModel = Model | Callable[[str], Model]


def own_model(given: OwnModel | None, dtype: str) -> Model | None:
    """The model for a run in this precision."""
    if given is None:
        return None
    made = given if isinstance(given, Model) else _made(given, dtype)
    if not made._core.is_own:
        raise InvalidArgument(f"model is fedstein's own '{made.type}'; name it in the configuration and give none in the app")
    if made.dtype != dtype:
        raise InvalidArgument(
            f"model is in {made.dtype} and the run in {dtype}; give the app a function of the precision that makes the model"
        )
    return made


def _made(make: Any, dtype: str) -> Model:
    if not callable(make):
        raise InvalidArgument(
            f"model is {make!r}; allowed: a fedstein.Model of your own, or a function of the precision that makes one"
        )
    made = make(dtype)
    if isinstance(made, Model):
        return made
    name = getattr(make, "__name__", repr(make))
    raise InvalidArgument(f"model: {name}({dtype!r}) gave {type(made).__name__}; it must give a fedstein.Model")


def own_core(model: Model | None, method: Method | None, dtype: str) -> dict[str, Any]:
    """Both as the extension takes them."""
    if method is not None and not isinstance(method, Method):
        raise InvalidArgument(
            f"method is {method!r}; allowed: a fedstein.Method of your own; fedstein's are named in the configuration"
        )
    return {
        "model": None if model is None else model._core,
        "method": None if method is None else method._core_method(dtype),
    }


def check_own(method_name: str, model: Model | None) -> None:
    """Whether the configuration's method can do with such a model."""
    if method_name == "c-dsvgd" and model is not None and model._silent is not None:
        raise InvalidArgument(f"the model '{model.type}' was made without log_likelihood, by which c-dsvgd controls its steps")
