# SPDX-License-Identifier: Apache-2.0
"""Scores derived by JAX or PyTorch from a log density."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fedstein import _checks
from fedstein._arguments import checked
from fedstein._extras import needed

Pair = tuple[Callable[..., np.ndarray], Callable[..., np.ndarray]]


class AutoScore:
    """A score (N x d to N x d) with its log density beside it: see :func:`from_jax` and :func:`from_torch`."""

    def __init__(self, pair: Pair, origin: str, dtype: str = "float64") -> None:
        self._log_density, self._score = pair
        self._origin = origin
        #: What it computes in.
        self.dtype = dtype

    def __call__(self, theta: np.ndarray) -> np.ndarray:
        return self._score(_points(theta))

    def log_density(self, theta: np.ndarray) -> np.ndarray:
        """One entry for each row of theta."""
        return self._log_density(_points(theta))

    def __repr__(self) -> str:
        return f"<score by {self._origin}>"


@checked
def from_jax(log_density: Callable[[Any], Any]) -> AutoScore:
    """The score of a log density that is written in ``jax.numpy``: of one point (d) a scalar, up to a constant.

    All particles are one call, compiled once for each shape.
    """
    double = needed("jax", "from_jax").config.jax_enable_x64
    return AutoScore(_jax_pair(log_density, ()), "JAX", "float64" if double else "float32")


@checked
def from_torch(log_density: Callable[[Any], Any]) -> AutoScore:
    """The score of a log density that is written in ``torch``: of one point (d) a scalar tensor, up to a constant."""
    return AutoScore(_torch_pair(log_density, ()), "PyTorch")


def _points(theta: Any) -> np.ndarray:
    ready = isinstance(theta, np.ndarray) and theta.ndim == 2 and theta.dtype.kind == "f"
    return theta if ready else _checks.matrix("theta", theta).astype(np.float64)


def jax_likelihood(log_likelihood: Callable[[Any, Any, Any], Any]) -> Pair:
    return _jax_pair(log_likelihood, (None, None))


def torch_likelihood(log_likelihood: Callable[[Any, Any, Any], Any]) -> Pair:
    return _torch_pair(log_likelihood, (None, None))


def _jax_pair(log_density: Callable[..., Any], shared: tuple[None, ...]) -> Pair:
    jax = needed("jax", "from_jax")
    axes = (0, *shared)  # over particles; rows are the same for all of them
    value = jax.jit(jax.vmap(log_density, in_axes=axes))
    gradient = jax.jit(jax.vmap(jax.grad(log_density), in_axes=axes))
    return (lambda *given: np.asarray(value(*given))), (lambda *given: np.asarray(gradient(*given)))


def _torch_pair(log_density: Callable[..., Any], shared: tuple[None, ...]) -> Pair:
    torch = needed("torch", "from_torch")
    needed("torch.func", "from_torch")
    axes = (0, *shared)
    value = torch.func.vmap(log_density, in_dims=axes)
    gradient = torch.func.vmap(torch.func.grad(log_density), in_dims=axes)

    def with_arrays(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
        def call(*given: np.ndarray) -> np.ndarray:
            tensors = [torch.from_numpy(np.require(array, requirements=["C", "W"])) for array in given]
            return np.asarray(function(*tensors).detach().numpy())

        return call

    return with_arrays(value), with_arrays(gradient)
