# SPDX-License-Identifier: Apache-2.0
"""The extension that reads run folders, under a name that type checkers know (``_runs.pyi``)."""

from __future__ import annotations

from typing import Any

from fedstein import _load


def __getattr__(name: str) -> Any:
    return getattr(_load.runs(), name)
