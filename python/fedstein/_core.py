# SPDX-License-Identifier: Apache-2.0
"""The extension of single precision under a name that type checkers know (``_core.pyi``)."""

from __future__ import annotations

from typing import Any

from fedstein import _load


def __getattr__(name: str) -> Any:
    return getattr(_load.core("float32"), name)
