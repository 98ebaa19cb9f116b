# SPDX-License-Identifier: Apache-2.0
"""``python -m fedstein.flower new FOLDER experiment.toml``: a ready Flower app."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fedstein.errors import Error
from fedstein.flower._new import new_app


def main(arguments: list[str] | None = None) -> int:
    """The command; gives its exit code."""
    parser = argparse.ArgumentParser(prog="python -m fedstein.flower", description="Federations on Flower.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    new = verbs.add_parser("new", help="write a Flower app that runs a configuration", description=new_app.__doc__)
    new.add_argument("folder", type=Path, help="of the app; made, and never written over")
    new.add_argument("experiment", type=Path, help="the configuration, as for `fedstein serve`")
    new.add_argument("--state", type=Path, help="the server's state folder (default: state in the app's folder)")
    new.add_argument("--publisher", default="fedstein", help="of the app, as Flower wants it named (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        for line in new_app(given.folder, given.experiment, given.state, given.publisher):
            print(line)
    except Error as problem:
        print(f"fedstein: {problem}", file=sys.stderr)
        return 64
    return 0


if __name__ == "__main__":
    sys.exit(main())
