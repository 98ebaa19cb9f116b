# SPDX-License-Identifier: Apache-2.0
"""The ServerApp and the ClientApp with Flower's own messages, carried by hand from one to the other.

python/tests/flower has the same with SuperLink, SuperNodes and Ray.
"""

import json
import sqlite3
from contextlib import closing

import crank
import numpy as np
import pytest

pytest.importorskip("flwr")

from flwr.app import Array, ArrayRecord, ConfigRecord, Message, RecordDict
from flwr.app.error import Error as FlowerError
from hand_grid import NAMES, HandGrid

from fedstein import DataError, _load
from fedstein.errors import Error, FileError, InvalidArgument
from fedstein.flower import client_app, server_app
from fedstein.flower._configuration import station
from fedstein.flower._records import HEAD, NUMBERS, pack, unpack


@pytest.fixture
def experiment(tmp_path):
    path = tmp_path / "experiment.toml"
    path.write_text(crank.text("c-dsvgd", {"particles": 4, "local_steps": 5}, agents=2))
    return path


def rows_of(name):
    return crank.shards(2)[NAMES.index(name)]


def wanted(experiment, tmp_path):
    return crank.run(experiment.read_text(), crank.shards(2), tmp_path / "wanted")["particles"]


def test_flower_carries_the_particles_of_one_process(experiment, tmp_path, capsys):
    grid = HandGrid(client_app(rows=rows_of), tmp_path)
    grid.serve(server_app(experiment))
    assert np.array_equal(grid.particles(), wanted(experiment, tmp_path))
    told = capsys.readouterr().out
    assert "round 4 of 4: agent-0, agent-1" in told
    assert "4 rounds are done, 0 of them took nobody's update in" in told
    assert "bytes to the agents" in told


def test_double_precision_on_both_sides(experiment, tmp_path):
    try:
        _load.core("float64")
    except Error:
        pytest.skip("the module of double precision is not built")
    grid = HandGrid(client_app(rows=rows_of), tmp_path, {"dtype": "float64"})
    grid.serve(server_app(experiment))
    found = crank.run(experiment.read_text(), crank.shards(2), tmp_path / "double", dtype="float64")["particles"]
    assert np.array_equal(grid.particles(), found)


@pytest.mark.parametrize("code", [2, 3, 5, 8])
def test_an_error_of_flowers_is_tried_again(code, experiment, tmp_path):
    grid = HandGrid(client_app(rows=rows_of), tmp_path)
    grid.mishap = lambda count, message: Message(FlowerError(code, "words of Flower"), reply_to=message) if count == 6 else None
    grid.serve(server_app(experiment))
    assert np.array_equal(grid.particles(), wanted(experiment, tmp_path))


def test_a_message_that_flower_does_not_take_and_one_that_it_loses(experiment, tmp_path):
    grid = HandGrid(client_app(rows=rows_of), tmp_path)
    grid.mishap = lambda count, message: False if count == 5 else None
    plain = grid.push_messages
    grid.push_messages = lambda messages: plain(messages) if grid.count != 6 else [grid.__setattr__("count", 7)]
    grid.serve(server_app(experiment))
    assert np.array_equal(grid.particles(), wanted(experiment, tmp_path))


def test_a_client_that_raises_keeps_its_words(experiment, tmp_path, capsys):
    raised = []

    def rows(name):
        if name == "agent-1" and len(raised) < 2:
            raised.append(name)
            raise ValueError("patient 4711 is ill")
        return rows_of(name)

    grid = HandGrid(client_app(rows=rows), tmp_path)
    grid.serve(server_app(experiment))
    told = capsys.readouterr()
    assert "patient 4711" not in told.out
    assert "this agent cannot take part; its own log says why" in told.out
    assert "patient 4711 is ill" in told.err
    assert np.array_equal(grid.particles(), wanted(experiment, tmp_path))


def test_an_interrupted_server_goes_on_with_the_next_run(experiment, tmp_path):
    class Killed(BaseException):
        pass

    def kill(count, message):
        if count == 9:
            raise Killed

    grid = HandGrid(client_app(rows=rows_of), tmp_path)
    grid.mishap = kill
    with pytest.raises(Killed):
        grid.serve(server_app(experiment))
    grid.mishap = lambda count, message: None
    grid.answers.clear()
    grid.serve(server_app(experiment))
    assert np.array_equal(grid.particles(), wanted(experiment, tmp_path))


def test_foreign_records_are_refused_with_a_sentence():
    assert unpack(pack(b"head", [b"12345678"], "float32")) == (b"head", [b"12345678"])
    head, numbers = ConfigRecord({"bytes": b"head"}), ArrayRecord()
    for content, words in [
        (RecordDict({HEAD: head}), "a message of fedstein has fedstein.head and fedstein.numbers"),
        (RecordDict({HEAD: ConfigRecord({"bytes": "text"}), NUMBERS: numbers}), "does not hold bytes"),
        (RecordDict({HEAD: head, NUMBERS: head}), "is no ArrayRecord"),
        (RecordDict({HEAD: head, NUMBERS: ArrayRecord([np.zeros(3)])}), "allowed: 'fedstein.raw'"),
        (RecordDict({HEAD: head, NUMBERS: ArrayRecord({"0000": Array(np.zeros(3))})}), "is of the type 'numpy.ndarray'"),
        (RecordDict({HEAD: head, NUMBERS: ArrayRecord({"0001": Array("float32", (1,), "fedstein.raw", b"1234")})}), "numbered"),
    ]:
        with pytest.raises(DataError, match=words):
            unpack(content)


def test_a_foreign_answer_ends_in_the_log(experiment, tmp_path, capsys):
    grid = HandGrid(client_app(rows=rows_of), tmp_path)
    foreign = RecordDict({"weights": ArrayRecord([np.zeros(3)])})
    grid.mishap = lambda count, message: Message(foreign, reply_to=message) if count == 6 else None
    grid.serve(server_app(experiment))
    assert "broken: a message with the records weights" in capsys.readouterr().out
    assert np.array_equal(grid.particles(), wanted(experiment, tmp_path))


def test_who_a_node_is(tmp_path):
    experiment = tmp_path / "e.toml"
    experiment.write_text('[server]\nagents = ["north", "south"]\n')
    run = {"agents-state": str(tmp_path), "agents-data": "/data/{name}.csv"}
    simulated = station({"partition-id": 1, "num-partitions": 2}, run, experiment)
    assert (simulated.name, simulated.state, simulated.data["file"]) == ("south", str(tmp_path / "south"), "/data/south.csv")
    own = station({"name": "north", "state-dir": "/s", "data": "north.csv", "num-partitions": 2}, run, None)
    assert (own.name, own.state, own.data["file"]) == ("north", "/s", "north.csv")
    # A run names no file of a node that has a folder of its own.
    assert station({"name": "north", "state-dir": "/s"}, run, None).data["simulate"] is True
    for node, words in [
        ({"name": "north"}, "the node has no state-dir"),
        ({"state-dir": "/s"}, "the node has no name"),
        ({"partition-id": 2, "num-partitions": 3}, "the configuration names 2 agents"),
        ({"name": 3, "state-dir": "/s"}, "name of the node configuration .* is 3; a text is wanted"),
    ]:
        with pytest.raises(InvalidArgument, match=words):
            station(node, run, experiment)


def test_missing_configuration_has_a_sentence(experiment, tmp_path):
    grid = HandGrid(client_app(rows=rows_of), tmp_path, {"state": ""})
    with pytest.raises(InvalidArgument, match="state of the run configuration is empty"):
        grid.serve(server_app(experiment))
    grid.run_config = {"state": str(tmp_path / "s"), "bind-seats": "yes"}
    with pytest.raises(InvalidArgument, match="bind-seats of the run configuration is 'yes'; allowed: true, false"):
        grid.serve(server_app(experiment))
    grid.run_config = {"state": str(experiment / "below-a-file")}
    with pytest.raises((FileError, Error)):
        grid.serve(server_app(experiment))


def test_the_run_is_in_the_store_like_any_other(experiment, tmp_path):
    grid = HandGrid(client_app(rows=rows_of), tmp_path)
    grid.serve(server_app(experiment))
    with closing(sqlite3.connect(tmp_path / "server/store.sqlite")) as store:
        assert [row[0] for row in store.execute("SELECT round FROM round ORDER BY round")] == [1, 2, 3, 4]
        name, configuration, finished = store.execute("SELECT name, configuration, finished FROM run").fetchone()
    assert name == "relayed"
    assert finished
    assert json.loads(configuration)["cases"][0]["algorithms"][0]["type"] == "c-dsvgd"
    assert (tmp_path / "server/posteriors/c-dsvgd-1.fedstein").is_file()
