# SPDX-License-Identifier: Apache-2.0
"""A federation on Flower: SuperLink and SuperNodes carry the bytes, fedstein's C++ does everything else.

``python -m fedstein.flower new FOLDER experiment.toml`` writes a ready app for ``flwr run``; its ``app.py`` is::

    from pathlib import Path
    from fedstein.flower import client_app, server_app

    experiment = Path(__file__).with_name("experiment.toml")
    server = server_app(experiment)
    client = client_app(experiment)

docs/flower.md has the commands, what is kept where, and what happens when something breaks.
"""

from fedstein.flower._client import client_app as client_app
from fedstein.flower._server import server_app as server_app

__all__ = ["client_app", "server_app"]
