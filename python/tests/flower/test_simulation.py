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


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    with Deployment(tmp_path_factory.mktemp("simulation"), NAMES) as one:
        one.write_data()
        one.start_link("--simulation")
        yield one


def small(method):
    keys = {setting["key"] for setting in method["settings"]}
    return "\n".join(f"{key} = {value}" for key, value in (("particles", 4), ("local_steps", 5)) if key in keys)


@pytest.mark.parametrize("method", FEDERATED, ids=lambda method: method["name"])
def test_particles_of_one_process(method, network, tmp_path):
    name = method["name"]
    app = network.new_app(algorithm=name, rounds=2, settings=small(method), name=name)
    network.start_simulation(name, app, f"agents-data='{network.folder}/{{name}}.csv'")
    told = network.finish_run(name, 240)
    assert "2 rounds are done, 0 of them took nobody's update in" in told, told
    wanted = undisturbed(network, network.folder / f"{name}.toml", tmp_path / "wanted")
    assert np.array_equal(particles_in(app / "state"), wanted)
