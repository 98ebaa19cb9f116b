# SPDX-License-Identifier: Apache-2.0
"""Federations whose bytes Python carries: the particles of a federation in this process, to the bit."""

import crank
import numpy as np
import pytest

from fedstein import Federation, InvalidArgument, Model, _load, method_list

FEDERATED = [method for method in method_list() if not method["centralised"] and method["name"] != "fedbe"]


def small(method):
    keys = {setting["key"] for setting in method["settings"]}
    return {key: value for key, value in (("particles", 4), ("local_steps", 5)) if key in keys}


@pytest.mark.parametrize("method", FEDERATED, ids=lambda method: method["name"])
def test_every_method_is_as_in_one_process(method, tmp_path):
    rows, settings = crank.shards(), small(method)
    usual = "all" if method["parallel"] else "round-robin"
    document = crank.text(method["name"], settings | {"scheduler": usual})
    found = crank.run(document, rows, tmp_path)
    core = _load.core("float32")
    settings, model_settings = crank.resolved(tmp_path)
    model = core.Model("logistic-regression", model_settings, 2, 2, "binary")
    local = core.Federation(method["name"], settings, model, rows, seed=crank.SEED)
    local.run(4, scheduler=None if method["parallel"] else "round-robin")
    assert found["rounds"] == 4
    assert np.array_equal(found["particles"], local.particles())


def test_a_model_of_ones_own_is_served_too(tmp_path):
    def score(theta, x, y):
        return (y - theta @ x.T) @ x

    def log_likelihood(theta, x, y):
        return -0.5 * ((y - theta @ x.T) ** 2).sum(axis=1)

    model = Model.own(score, 2, features=2, log_likelihood=log_likelihood, name="my-line")
    rows = crank.shards()
    document = crank.text("c-dsvgd", {"particles": 4, "local_steps": 5}, model='[model]\ntype = "my-line"\n')
    document = document.replace("[server]", '[data]\nlabels = "regression"\n[server]')
    found = crank.run(document, rows, tmp_path, model=model._core)
    local = Federation("c-dsvgd", model, rows, seed=crank.SEED, particles=4, local_steps=5)
    local.run(4)
    assert np.array_equal(found["particles"], local.particles)


def test_what_a_model_of_ones_own_raises_at_an_agent_is_its_rounds_failure(tmp_path):
    def score(theta, x, y):
        raise ZeroDivisionError("mine")

    model = Model.own(score, 2, features=2, name="my-line")
    document = crank.text("dsvgd", {"particles": 4, "local_steps": 5}, model='[model]\ntype = "my-line"\n')
    document = document.replace("[server]", '[data]\nlabels = "regression"\n[server]')
    found = crank.run(document, crank.shards(), tmp_path, model=model._core)
    assert (found["rounds"], found["lost_rounds"]) == (4, 4)
    assert "a function of the user's own has failed; the agent's own log says how" in found["loss"]


def test_an_interrupt_in_a_function_of_ones_own_comes_out_of_the_call(tmp_path):
    def score(theta, x, y):
        raise KeyboardInterrupt

    model = Model.own(score, 2, features=2, name="my-line")
    document = crank.text("dsvgd", {"particles": 4, "local_steps": 5}, model='[model]\ntype = "my-line"\n')
    document = document.replace("[server]", '[data]\nlabels = "regression"\n[server]')
    with pytest.raises(KeyboardInterrupt):
        crank.run(document, crank.shards(), tmp_path, model=model._core)


def test_a_stopped_server_goes_on_with_the_next_one(tmp_path):
    rows = crank.shards()
    document = crank.text("c-dsvgd", {"particles": 4, "local_steps": 5})
    wanted = crank.run(document, rows, tmp_path / "whole")["particles"]
    core = _load.core("float32")
    folder = tmp_path / "halves"
    server = core.ServerRelay(document, state=str(folder / "server"))
    seen = 0
    while seen < 2:
        server.see([(str(node), b"") for node in range(3)])
        for serial, node, _kind, head, numbers in server.dispatches(0.02):
            x, y = rows[int(node)]
            agent = core.AgentRelay(f"agent-{node}", str(folder / f"agent-{node}"), x=x, y=y)
            server.take(serial, *agent.answer(head, numbers))
        seen += len(server.rounds())
    server.stop()
    del server
    assert np.array_equal(crank.run(document, rows, folder)["particles"], wanted)


def test_mistakes_have_sentences(tmp_path):
    core = _load.core("float32")
    with pytest.raises(InvalidArgument, match=r"algorithm\.type is 'dsvdg'"):
        core.ServerRelay(crank.text("dsvdg"), state=str(tmp_path / "s"))
    with pytest.raises(InvalidArgument, match="0 sources of rows"):
        core.AgentRelay("north", str(tmp_path / "a")).answer(b"", [])
    with pytest.raises(InvalidArgument, match="an entry is a str; all must be bytes"):
        core.AgentRelay("north", str(tmp_path / "a"), simulate=True).answer(b"", ["x"])
    with pytest.raises(ValueError, match="not a fedstein state"):
        core.AgentRelay("north", str(tmp_path / "a"), simulate=True).answer(b"nothing of ours", [])
    with pytest.raises(InvalidArgument, match="one of fedstein's own models"):
        core.AgentRelay("north", str(tmp_path / "a"), simulate=True, model=core.Model("logistic-regression", {}, 2, 2, "binary"))
    server = core.ServerRelay(crank.text("dsvgd"), state=str(tmp_path / "s"))
    with pytest.raises(InvalidArgument, match="kind is 'gone'"):
        server.fail(1, "gone", "")
