# SPDX-License-Identifier: Apache-2.0
"""``python -m fedstein.flower new FOLDER experiment.toml``: a ready Flower app, as ``fedstein flower new`` writes it."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from fedstein.errors import Error
from fedstein.flower._new import new_app

_WRONG_COMMAND_LINE = 64  # as the program has it


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(_WRONG_COMMAND_LINE, f"fedstein: {message}; {self.prog} --help explains it\n")


def main(arguments: list[str] | None = None) -> int:
    """The command; gives its exit code."""
    parser = _Parser(prog="python -m fedstein.flower", description="Federations on Flower.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    new = verbs.add_parser("new", help="write a Flower app that runs a configuration", description="Writes a Flower app.")
    new.add_argument("folder", help="of the app; new or empty")
    new.add_argument("experiment", help="the configuration, as for `fedstein serve`")
    new.add_argument("--state", default="", help="the server's state folder (default: state in the app's folder)")
    new.add_argument("--publisher", default="fedstein", help="of the app, as Flower wants it named (default: %(default)s)")
    new.add_argument("--model", default="", metavar="FILE.py:NAME", help="a model of your own, or a function of the precision")
    new.add_argument("--method", default="", metavar="FILE.py:NAME", help="a method of your own")
    given = parser.parse_args(arguments)
    try:
        code, lines = new_app(given.folder, given.experiment, given.state, given.publisher, given.model, given.method)
    except Error as problem:
        code, lines = _WRONG_COMMAND_LINE, [f"fedstein: {problem}"]
    for line in lines:
        print(line, file=sys.stderr if code else sys.stdout)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
