# SPDX-License-Identifier: Apache-2.0
"""Models and methods of a user's own over Flower's messages, carried by hand: the particles of one process, or a sentence."""

import dataclasses

import crank
import numpy as np
import pytest

pytest.importorskip("flwr")

from hand_grid import NAMES, HandGrid
from own_parts import Mean, Step, averaging, make_line

from fedstein import Federation, InvalidArgument, Model, _load
from fedstein.errors import Error
from fedstein.flower import client_app, server_app

LINE = '[model]\ntype = "my-line"\n'
REGRESSION = '[data]\nlabels = "regression"\n[server]'
DSVGD = {"particles": 4, "local_steps": 5}


def rows_of(name):
    return crank.shards(2)[NAMES.index(name)]


def configuration(folder, method="c-dsvgd", settings=None, model=LINE):
    path = folder / "experiment.toml"
    document = crank.text(method, settings, agents=2, model=model)
    path.write_text(document.replace("[server]", REGRESSION) if model == LINE else document)
    return path


def in_one_process(method, model, dtype="float32", **settings):
    federation = Federation(method, model, crank.shards(2), seed=crank.SEED, dtype=dtype, **settings)
    federation.run(4)
    return federation.particles


def served(folder, experiment, config=None, **own):
    grid = HandGrid(client_app(rows=rows_of, **own), folder, config)
    grid.serve(server_app(experiment, **own))
    return grid.particles()


@pytest.fixture(params=["float32", "float64"])
def dtype(request):
    try:
        _load.core(request.param)
    except Error:
        pytest.skip(f"the module of {request.param} is not built")
    return request.param


@pytest.mark.parametrize("method", ["c-dsvgd", "dsvgd", "pvi"])
def test_a_model_of_ones_own(method, dtype, tmp_path):
    settings = {} if method == "pvi" else DSVGD
    experiment = configuration(tmp_path, method, settings)
    found = served(tmp_path, experiment, {"dtype": dtype}, model=make_line)
    assert found.dtype == dtype
    assert np.array_equal(found, in_one_process(method, make_line(dtype), **settings))


def test_a_model_and_a_method_of_ones_own(dtype, tmp_path):
    experiment = configuration(tmp_path, "averaging", {"learning_rate": 0.01})
    found = served(tmp_path, experiment, {"dtype": dtype}, model=make_line, method=averaging)
    assert np.array_equal(found, in_one_process(averaging, make_line(dtype), learning_rate=0.01))
    # The agents' own state counted: without it the steps would all be of one length.
    assert not np.array_equal(found, in_one_process(dataclasses.replace(averaging, agent=Forgetful), make_line(dtype)))


class Forgetful(Step):
    def settle(self, verdict, as_sent):
        pass


def test_a_method_of_ones_own_on_a_model_of_fedsteins(dtype, tmp_path):
    experiment = configuration(tmp_path, "averaging", model='[model]\ntype = "logistic-regression"\nintercept = false\n')
    found = served(tmp_path, experiment, {"dtype": dtype}, method=averaging)
    _, settings = crank.resolved(tmp_path)
    model = Model("logistic-regression", features=2, dtype=dtype, **settings)
    assert model.dimension == found.shape[1]
    assert np.array_equal(found, in_one_process(averaging, model))


def test_double_precision_is_that_of_one_process(tmp_path):
    try:
        _load.core("float64")
    except Error:
        pytest.skip("the module of double precision is not built")
    experiment = configuration(tmp_path, settings=DSVGD, model="")
    found = served(tmp_path, experiment, {"dtype": "float64"})
    settings, model_settings = crank.resolved(tmp_path)
    model = Model("logistic-regression", features=2, dtype="float64", **model_settings)
    assert found.dtype == np.float64
    assert np.array_equal(found, in_one_process("c-dsvgd", model, **settings))


def test_test_rows_beside_a_model_that_predicts_nothing_change_nothing(tmp_path):
    experiment = configuration(tmp_path, settings=DSVGD)
    plain = served(tmp_path / "plain", experiment, model=make_line)

    def rows(name):
        x, y = rows_of(name)
        return x, y, x[:11], y[:11]

    grid = HandGrid(client_app(rows=rows, model=make_line), tmp_path / "tested")
    grid.serve(server_app(experiment, model=make_line))
    assert np.array_equal(grid.particles(), plain)


def test_a_run_keeps_its_precision(tmp_path):
    try:
        _load.core("float64")
    except Error:
        pytest.skip("the module of double precision is not built")
    experiment = configuration(tmp_path, settings=DSVGD, model="")
    grid = HandGrid(client_app(rows=rows_of), tmp_path)
    grid.mishap = stop_after(9)
    with pytest.raises(Stopped):
        grid.serve(server_app(experiment))
    grid.run_config["dtype"] = "float64"
    with pytest.raises(Error, match="precision"):
        grid.serve(server_app(experiment))


class Stopped(BaseException):
    """Ends a run that would wait for its operator."""


def stop_after(messages):
    def mishap(count, message):
        if count > messages:
            raise Stopped

    return mishap


def method_with(**changes):
    """The method, with one of its functions raising."""

    def raises(self, *given):
        raise LookupError("patient 4711 is ill")

    server = type("Broken", (Mean,), {name: raises for name in changes.get("server", ())})
    agent = type("Broken", (Step,), {name: raises for name in changes.get("agent", ())})
    return dataclasses.replace(averaging, server=server, agent=agent)


def test_an_own_method_that_raises_at_the_agents_costs_their_rounds_and_keeps_its_words(tmp_path, capsys):
    experiment = configuration(tmp_path, "averaging")
    grid = HandGrid(client_app(rows=rows_of, model=make_line, method=method_with(agent=["update"])), tmp_path)
    grid.serve(server_app(experiment, model=make_line, method=averaging))
    told = capsys.readouterr()
    assert "without agent-0: broken: a function of the user's own has failed; the agent's own log says how" in told.out
    assert "4 rounds are done, 4 of them took nobody's update in" in told.out
    assert "4711" not in told.out
    assert "agent-0: round 1: a function of your own has failed" in told.err
    assert "LookupError: patient 4711 is ill" in told.err


def test_a_model_that_raises_at_one_agent_costs_that_agents_rounds(tmp_path, capsys):
    experiment = configuration(tmp_path, settings=DSVGD)

    def make(dtype):
        def score(theta, x, y):
            if len(x) == len(rows_of("agent-1")[0]):
                raise ZeroDivisionError("patient 4711")
            return (y - theta @ x.T) @ x

        def log_likelihood(theta, x, y):
            return -0.5 * ((y - theta @ x.T) ** 2).sum(axis=1)

        return Model.own(score, 2, features=2, log_likelihood=log_likelihood, name="my-line", dtype=dtype)

    assert np.isfinite(served(tmp_path, experiment, model=make)).all()
    told = capsys.readouterr()
    assert "round 4 of 4: agent-0;" in told.out
    assert "without agent-1: broken: a function of the user's own has failed" in told.out
    assert "4711" not in told.out
    assert "ZeroDivisionError: patient 4711" in told.err


@pytest.mark.parametrize("function", ["start", "fold"])
def test_an_own_method_that_raises_at_the_server_ends_the_run_and_the_next_goes_on(function, tmp_path, capsys):
    experiment = configuration(tmp_path, "averaging")
    grid = HandGrid(client_app(rows=rows_of, model=make_line, method=averaging), tmp_path)
    with pytest.raises(LookupError, match="4711"):
        grid.serve(server_app(experiment, model=make_line, method=method_with(server=[function])))
    told = capsys.readouterr().out
    assert "fedstein: a function of your own has failed at the server: LookupError: patient 4711 is ill; mend it" in told
    grid.answers.clear()
    grid.serve(server_app(experiment, model=make_line, method=averaging))
    assert np.array_equal(grid.particles(), in_one_process(averaging, make_line("float32")))


def test_what_settling_raises_stops_the_agent_until_it_is_mended(tmp_path, capsys):
    experiment = configuration(tmp_path, "averaging")
    grid = HandGrid(client_app(rows=rows_of, model=make_line, method=method_with(agent=["settle"])), tmp_path)
    grid.mishap = stop_after(14)
    with pytest.raises(Stopped):
        grid.serve(server_app(experiment, model=make_line, method=averaging))
    told = capsys.readouterr()
    assert "refused agent-0 (agent): it can do nothing with this message; its own log says why" in told.out
    assert "4711" not in told.out
    assert "agent-0: this message could not be worked on, and the state on disk is as it was: Traceback" in told.err
    assert "LookupError: patient 4711 is ill" in told.err
    grid.client = client_app(rows=rows_of, model=make_line, method=averaging)
    grid.mishap = lambda count, message: None
    grid.answers.clear()
    grid.serve(server_app(experiment, model=make_line, method=averaging))
    assert np.array_equal(grid.particles(), in_one_process(averaging, make_line("float32")))


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"method": averaging}, "model.type is 'my-line'; allowed: "),
        ({"model": make_line}, "algorithm.type is 'averaging'; allowed: "),
    ],
)
def test_what_the_server_knows_and_a_client_does_not_has_a_sentence(own, words, tmp_path, capsys):
    experiment = configuration(tmp_path, "averaging")
    grid = HandGrid(client_app(rows=rows_of, **own), tmp_path)
    grid.mishap = stop_after(6)
    with pytest.raises(Stopped):
        grid.serve(server_app(experiment, model=make_line, method=averaging))
    told = capsys.readouterr()
    assert "which calls itself agent-0: it cannot take part: it can do nothing with this configuration" in told.out
    assert words in told.err
    # The app was mended, and the run goes on.
    grid.client = client_app(rows=rows_of, model=make_line, method=averaging)
    grid.mishap = lambda count, message: None
    grid.answers.clear()
    grid.serve(server_app(experiment, model=make_line, method=averaging))
    assert np.array_equal(grid.particles(), in_one_process(averaging, make_line("float32")))


def no_likelihood(dtype):
    return Model.own(lambda theta, x, y: -theta, 2, features=2, name="my-line", dtype=dtype)


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({}, "model.type is 'my-line'; allowed: "),
        ({"model": 7}, "model is 7; allowed: a fedstein.Model of your own, or a function of the precision"),
        ({"model": lambda dtype: dtype}, r"<lambda>\('float32'\) gave str; it must give a fedstein.Model"),
        (
            {"model": make_line("float32"), "dtype": "float64"},
            "model is in float32 and the run in float64; give the app a function",
        ),
        ({"model": Model("logistic-regression", features=2)}, "fedstein's own 'logistic-regression'; name it in the configuration"),
        ({"model": make_line, "method": "dsvgd"}, "method is 'dsvgd'; allowed: a fedstein.Method of your own"),
        ({"model": no_likelihood}, "'my-line' was made without log_likelihood, by which c-dsvgd controls its steps"),
    ],
)
def test_mistakes_of_the_app_have_sentences(own, words, tmp_path):
    if own.pop("dtype", None):
        try:
            _load.core("float64")
        except Error:
            pytest.skip("the module of double precision is not built")
        config = {"dtype": "float64"}
    else:
        config = {}
    experiment = configuration(tmp_path, settings=DSVGD)
    grid = HandGrid(client_app(rows=rows_of), tmp_path, config)
    with pytest.raises(InvalidArgument, match=words):
        grid.serve(server_app(experiment, **own))
    assert not (tmp_path / "server/journal.sqlite").exists()
