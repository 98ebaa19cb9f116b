# SPDX-License-Identifier: Apache-2.0
"""An app that carries a user's own model and method, with real processes of Flower: deployment and simulation."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("flwr")

from network import Deployment, particles_in, undisturbed
from own_parts import averaging, make_logit

from fedstein.flower._own import own_core

pytestmark = pytest.mark.slow

NAMES = ["north", "south"]
PARTS = Path(__file__).with_name("own_parts.py")
MODEL = '[model]\ntype = "my-logit"'


@pytest.fixture
def network(tmp_path):
    with Deployment(tmp_path / "network", NAMES) as one:
        one.write_data()
        yield one


def expect_as_by_hand(network, app, tmp_path, dtype="float32", method=None):
    own = own_core(make_logit(dtype), method, dtype)
    wanted = undisturbed(network, network.folder / "app.toml", tmp_path / "wanted", dtype, **own)
    found = particles_in(app / "state")
    assert found is not None
    assert found.dtype == dtype
    assert np.array_equal(found, wanted)


def test_a_deployment_of_a_model_and_a_method_of_ones_own(network, tmp_path):
    app = network.new_app(
        "averaging", rounds=3, settings="learning_rate = 0.01", model=MODEL,
        own=["--model", f"{PARTS}:make_logit", "--method", f"{PARTS}:averaging"],
    )  # fmt: skip
    assert (app / "app_app/own_parts.py").read_text() == PARTS.read_text()
    network.start_link()
    for name in NAMES:
        network.start_node(name)
    network.wait_for_nodes()
    network.start_run("run", app)
    told = network.finish_run("run")
    assert "3 rounds are done, 0 of them took nobody's update in" in told, told
    expect_as_by_hand(network, app, tmp_path, method=averaging)


def test_a_simulation_of_a_model_of_ones_own_in_double_precision(network, tmp_path):
    pytest.importorskip("ray")
    network.start_link("--simulation")
    app = network.new_app(rounds=3, model=MODEL, own=["--model", f"{PARTS}:make_logit"])
    network.start_simulation("run", app, f"agents-data='{network.folder}/{{name}}.csv'", "dtype='float64'")
    told = network.finish_run("run", 240)
    assert "3 rounds are done, 0 of them took nobody's update in" in told, told
    expect_as_by_hand(network, app, tmp_path, "float64")
