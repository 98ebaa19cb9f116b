# SPDX-License-Identifier: Apache-2.0
"""Defaults that depend on the model, as `fedstein run` has them (docs/reference.md names them)."""

from __future__ import annotations

from typing import Any

from fedstein.methods import method_named

_NETWORK_RATE = 0.001
_NETWORK_EPSILON = 1e-6
_NETWORK_NOISE = 1e-4
_POINT_RATE = 0.1


def suited_settings(method: str, network: bool, classifies: bool, given: dict[str, Any]) -> dict[str, Any]:
    """The settings of a method on a table: those given, and what suits the model beside them."""
    settings = {setting["key"]: setting for setting in method_named(method)["settings"]}
    out: dict[str, Any] = {}
    start = settings.get("start")
    if not network and start and start["default"] == "prior" and "near-zero" in start["choices"]:
        out["start"] = "near-zero"
    if network and "a0" in settings:
        out["a0"] = _NETWORK_NOISE
    rule = given.get("step_rule", settings.get("step_rule", {}).get("default"))
    if network and rule == "adagrad":
        if "kernel_bandwidth" not in settings and classifies:  # a point
            out.update(step_rule="plain", learning_rate=_POINT_RATE)
        else:
            out.update(learning_rate=_NETWORK_RATE, epsilon=_NETWORK_EPSILON)
    return {key: value for key, value in {**out, **given}.items() if key in given or key in settings}


def suited_prior(model: str, features: int) -> dict[str, Any]:
    """A prior other than the program's, where that one is too narrow.

    The program's softmax regression has a variance of 10 / features. On scikit-learn's wine, iris and digits the log-likelihood
    of held-out rows is better with a deviation of at least 1.5.
    """
    return {"prior_deviation": max(1.5, (10 / features) ** 0.5)} if model == "softmax-regression" else {}


def takes_particles(method: str) -> bool:
    return any(setting["key"] == "particles" for setting in method_named(method)["settings"])
