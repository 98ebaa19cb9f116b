# SPDX-License-Identifier: Apache-2.0
"""SuperLink, SuperNodes and `flwr run` as users start them, and kill -9 of each of their processes."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest

pytest.importorskip("flwr")

from network import Deployment, descendants, particles_in, processes_named, undisturbed

pytestmark = pytest.mark.slow

NAMES = ["north", "south"]


@pytest.fixture
def network(tmp_path):
    with Deployment(tmp_path / "network", NAMES) as one:
        one.write_data()
        yield one


def start(network, **app):
    folder = network.new_app(**app)
    network.start_link()
    for name in NAMES:
        network.start_node(name)
    network.wait_for_nodes()
    return folder


def expect_undisturbed(network, app, tmp_path):
    wanted = undisturbed(network, network.folder / "app.toml", tmp_path / "wanted")
    found = particles_in(app / "state")
    assert found is not None
    assert np.array_equal(found, wanted)


def kill_process(network, owner, words, seconds=60):
    """kill -9 of the first process below `owner` whose command line holds the words."""
    until = time.monotonic() + seconds
    while not (found := processes_named(words, descendants(network.processes[owner].pid))):
        assert time.monotonic() < until, f"no {words} below {owner}:\n{network.log(owner)}"
        time.sleep(0.01)
    for one in found:
        os.kill(one, signal.SIGKILL)


def test_particles_of_one_process(network, tmp_path):
    app = start(network, rounds=3, scaling='scaling = "standardise"')
    network.start_run("run", app)
    told = network.finish_run("run")
    assert "round 3 of 3: north, south" in told, told
    expect_undisturbed(network, app, tmp_path)
    # Once more: the run is over, and says so.
    network.start_run("again", app)
    told = network.finish_run("again")
    assert "3 rounds are done" in told, told


@pytest.mark.parametrize("moment", ["hello", "work", "settle"])
def test_a_client_app_that_is_killed(network, tmp_path, moment):
    app = start(network, rounds=2)
    network.start_run("run", app)
    if moment == "work":
        network.wait_for("run", "round 1 of 2")
    if moment == "settle":
        network.wait_for("run", "round 2 of 2")
    kill_process(network, "node-north", "flwr-clientapp")
    told = network.finish_run("run")
    assert "2 rounds are done, 0 of them took nobody's update in" in told, told
    expect_undisturbed(network, app, tmp_path)


@pytest.mark.parametrize("rounds_before", [0, 1])
def test_a_server_app_that_is_killed(network, tmp_path, rounds_before):
    app = start(network, rounds=3)
    network.start_run("run", app)
    network.wait_for("run", f"round {rounds_before} of 3" if rounds_before else "2 of 2 agents")
    time.sleep(3)  # some of the next round is done
    kill_process(network, "link", "flwr-serverapp")
    network.finish_run("run")
    assert particles_in(app / "state") is None
    network.start_run("again", app)
    told = network.finish_run("again")
    assert "3 rounds are done, 0 of them took nobody's update in" in told, told
    assert f"round {rounds_before} of 3" not in told
    expect_undisturbed(network, app, tmp_path)


def test_a_super_link_that_is_killed(network, tmp_path):
    app = start(network, rounds=3)
    network.start_run("run", app)
    network.wait_for("run", "round 1 of 3")
    network.kill("link")
    network.finish_run("run")
    network.start_link()
    network.start_run("again", app)
    told = network.finish_run("again")
    assert "3 rounds are done, 0 of them took nobody's update in" in told, told
    expect_undisturbed(network, app, tmp_path)


def test_a_super_node_that_is_killed_and_started_again(network, tmp_path):
    app = start(network, rounds=3)
    network.start_run("run", app)
    network.wait_for("run", "round 1 of 3")
    network.kill("node-north")
    network.start_node("north")
    told = network.finish_run("run", 300)
    assert "3 rounds are done, 0 of them took nobody's update in" in told, told
    expect_undisturbed(network, app, tmp_path)


def test_an_emptied_state_folder_and_swapped_seats_are_refused(network, tmp_path):
    app = start(network, rounds=4)
    network.start_run("run", app)
    network.wait_for("run", "round 2 of 4")
    kill_process(network, "link", "flwr-serverapp")
    network.finish_run("run")
    for name in NAMES:
        network.kill(f"node-{name}")
    # Each node with the other's state; then north's is empty; then all is well.
    network.start_node("north", state=network.folder / "state-south")
    network.start_node("south", state=network.folder / "state-empty")
    network.start_run("wrong", app)
    network.wait_for("wrong", "the state folder is that of agent 1, and this is agent 0")
    network.wait_for("wrong", "its data would count twice")
    kill_process(network, "link", "flwr-serverapp")
    network.finish_run("wrong")
    for name in NAMES:
        network.kill(f"node-{name}")
        network.start_node(name)
    network.start_run("right", app)
    told = network.finish_run("right", 300)
    assert "4 rounds are done, 0 of them took nobody's update in" in told, told
    expect_undisturbed(network, app, tmp_path)


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def make_certificates(folder):
    """An authority and a certificate of it for this machine."""
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=test")  # fmt: skip
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "link.key", "-out", "link.csr", "-subj", "/CN=link")  # fmt: skip
    (folder / "san").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    openssl(folder, "x509", "-req", "-in", "link.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
            "-days", "2", "-extfile", "san", "-out", "link.crt")  # fmt: skip


def test_tls_and_seats_bound_to_keys(tmp_path):
    with Deployment(tmp_path / "network", NAMES, tls=True) as network:
        network.write_data()
        make_certificates(network.folder)
        app = network.new_app(rounds=2)
        folder = network.folder
        network.start_link(
            "--ssl-ca-certfile", f"{folder}/ca.crt", "--ssl-certfile", f"{folder}/link.crt", "--ssl-keyfile", f"{folder}/link.key",
            "--enable-supernode-auth",
        )  # fmt: skip
        for name in NAMES:
            subprocess.run(["ssh-keygen", "-q", "-t", "ecdsa", "-b", "384", "-N", "", "-f", f"{folder}/{name}"], check=True)
            subprocess.run(
                ["flwr", "supernode", "register", f"{folder}/{name}.pub", "here"],
                check=True, env=network.environment, cwd=folder,
            )  # fmt: skip

        def start_node(name, key):
            network.start_node(name, "--root-certificates", f"{folder}/ca.crt", "--auth-supernode-private-key", f"{folder}/{key}")

        for name in NAMES:
            start_node(name, name)
        network.wait_for_nodes()
        network.start_run("run", app, "--run-config", "bind-seats=true")
        network.wait_for("run", "round 1 of 2")
        kill_process(network, "link", "flwr-serverapp")
        network.finish_run("run")
        # South's operator calls its node north: the seat is bound to the other key.
        for name in NAMES:
            network.kill(f"node-{name}", signal.SIGTERM)  # Flower takes a key again once its node is gone
        start_node("north", "south")
        network.start_run("wrong", app, "--run-config", "bind-seats=true")
        network.wait_for("wrong", "the seat 'north' is bound to the key of another node")
        kill_process(network, "link", "flwr-serverapp")
        network.finish_run("wrong")
        network.kill("node-north", signal.SIGTERM)
        for name in NAMES:
            start_node(name, name)
        network.start_run("right", app, "--run-config", "bind-seats=true")
        told = network.finish_run("right", 300)
        assert "2 rounds are done, 0 of them took nobody's update in" in told, told
        expect_undisturbed(network, app, tmp_path)
