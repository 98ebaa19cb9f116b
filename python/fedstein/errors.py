# SPDX-License-Identifier: Apache-2.0
"""What fedstein raises. Each class is also one of Python's own, so that ``except ValueError`` keeps its meaning."""

from __future__ import annotations


class Error(Exception):
    """Anything that fedstein raises by itself. What your own functions raise passes through as it is."""


class InvalidArgument(Error, ValueError):
    """An argument that is not allowed. The message names the argument, its value and what is allowed."""


class Divergence(Error, ArithmeticError):
    """A computation that left the finite numbers."""


class DataError(Error, ValueError):
    """A file or a table that cannot be read."""


class FileError(Error, OSError):
    """A file that is not there, is there already, or cannot be read or written."""


class MissingExtra(Error, ImportError):
    """A package that this part of fedstein needs is not installed. The message says what to install."""
