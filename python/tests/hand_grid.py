# SPDX-License-Identifier: Apache-2.0
"""Carries Flower's own messages by hand between one ServerApp and the ClientApps of a few nodes, in this process."""

import sqlite3
import uuid
from contextlib import closing

import numpy as np
from flwr.app import Context, Message, RecordDict
from flwr.app.error import Error as FlowerError
from flwr.proto.node_pb2 import NodeInfo
from flwr.serverapp import Grid
from flwr.supercore.task_identity import TaskIdentity

NAMES = ("agent-0", "agent-1")


class HandGrid(Grid):
    """Carries Flower's messages between one ServerApp and the ClientApps of a few nodes, in this process."""

    def __init__(self, client, folder, config=None):
        self.client = client
        self.folder = folder
        self.nodes = {11 + k: {"name": name, "state-dir": str(folder / name)} for k, name in enumerate(NAMES)}
        self.run_config = {"state": str(folder / "server"), "probe-seconds": 0.2} | (config or {})
        self.answers = {}
        self.mishap = lambda count, message: None
        self.count = 0

    def set_run(self, run):
        raise NotImplementedError

    @property
    def run(self):
        raise NotImplementedError

    def create_message(self, content, message_type, dst_node_id, group_id, ttl=None):
        raise NotImplementedError

    def get_node_ids(self):
        return list(self.nodes)

    def get_nodes(self):
        return [NodeInfo(node_id=node) for node in self.nodes]

    def push_messages(self, messages):
        ids = []
        for message in messages:
            message.metadata.__dict__["_message_id"] = str(uuid.uuid4())
            ids.append(message.metadata.message_id)
            self.count += 1
            answer = self.mishap(self.count, message)
            if answer is None:
                answer = self.deliver(message)
            if answer is not False:
                self.answers[ids[-1]] = answer
        return ids

    def deliver(self, message):
        node = message.metadata.dst_node_id
        context = Context(run_id=1, node_id=node, node_config=self.nodes[node], state=RecordDict(), run_config=self.run_config)
        try:
            return self.client(message, context)
        except Exception as problem:  # as Flower does it, words and all
            return Message(FlowerError(2, f"{type(problem)}:<'{problem}'>"), reply_to=message)

    def pull_messages(self, message_ids):
        return [self.answers.pop(one) for one in message_ids if one in self.answers]

    def send_and_receive(self, messages, *, timeout=None):
        raise NotImplementedError

    def serve(self, app):
        TaskIdentity.task_id = TaskIdentity.run_id = TaskIdentity.node_id = 1  # Flower sets them in a task's process
        context = Context(run_id=1, node_id=1, node_config={}, state=RecordDict(), run_config=self.run_config)
        app(self, context)

    def particles(self):
        with closing(sqlite3.connect(self.folder / "server/store.sqlite")) as store:
            row = store.execute(
                "SELECT row_count, column_count, number_bytes, numbers FROM particles ORDER BY round DESC"
            ).fetchone()
        return np.frombuffer(row[3], f"<f{row[2]}").reshape(row[0], row[1])
