# SPDX-License-Identifier: Apache-2.0
"""The same app in Flower's simulation, which is Ray: for every method the particles of one process."""

import pytest

pytest.importorskip("flwr")
pytest.importorskip("ray")

import numpy as np
from network import Deployment, particles_in, undisturbed

from fedstein import method_list

pytestmark = pytest.mark.slow

FEDERATED = [method for method in method_list() if not method["centralised"] and method["name"] != "fedbe"]
NAMES = ["north", "middle", "south"]


def small(method):
    keys = {setting["key"] for setting in method["settings"]}
    return "\n".join(f"{key} = {value}" for key, value in (("particles", 4), ("local_steps", 5)) if key in keys)


@pytest.mark.parametrize("method", FEDERATED, ids=lambda method: method["name"])
def test_particles_of_one_process(method, tmp_path):
    with Deployment(tmp_path / "network", NAMES) as network:
        network.write_data()
        app = network.new_app(algorithm=method["name"], rounds=2, settings=small(method))
        (network.home / "config.toml").write_text('[superlink]\ndefault = "local"\n[superlink.local]\noptions.num-supernodes = 3\n')
        network.start_simulation("run", app, f"agents-data='{network.folder}/{{name}}.csv'")
        code, told = network.finish_run("run", 240)
        assert "2 rounds are done, 0 of them took nobody's update in" in told, told
        wanted = undisturbed(network, network.folder / "experiment.toml", tmp_path / "wanted")
        assert np.array_equal(particles_in(app / "state"), wanted)
