# SPDX-License-Identifier: Apache-2.0
"""A model and a method of a user's own, as the app of a slow test carries them: this file is copied into it."""

import struct

import numpy as np

import fedstein


def make_line(dtype):
    """Linear regression with noise 1, in NumPy."""

    def score(theta, x, y):
        return (y - theta @ x.T) @ x

    def log_likelihood(theta, x, y):
        return -0.5 * ((y - theta @ x.T) ** 2).sum(axis=1)

    return fedstein.Model.own(score, 2, features=2, log_likelihood=log_likelihood, name="my-line", dtype=dtype)


def make_logit(dtype):
    """Logistic regression without intercept, in NumPy; the labels are -1 and 1."""

    def log_likelihood(theta, x, y):
        return -np.logaddexp(0, -y * (theta @ x.T)).sum(axis=1)

    def score(theta, x, y):
        return (y / (1 + np.exp(y * (theta @ x.T)))) @ x

    return fedstein.Model.own(score, 2, features=2, labels="binary", log_likelihood=log_likelihood, name="my-logit", dtype=dtype)


class Mean(fedstein.Server):
    """Averages what the agents send, plus a start that depends on the seed."""

    def start(self, model, rows, seed):
        return [np.random.default_rng(seed % 2**32).normal(size=(3, model.dimension))]

    def fold(self, belief, updates):
        return [np.mean([update.belief[0] for update in updates], axis=0)]


class Step(fedstein.Agent):
    """A step along the score, shorter with every update of its own that was folded: so the state between rounds counts."""

    folded = 0

    def update(self, task):
        rate = self.settings["learning_rate"] / (1 + self.folded)
        noise = 1e-3 * self.rng(task.round).normal(size=task.belief[0].shape)
        return [task.belief[0] + rate * self.model.likelihood_score(task.belief[0], self.x, self.y) + noise]

    def settle(self, verdict, as_sent):
        self.folded += verdict.folded

    def save(self):
        return struct.pack("q", self.folded)

    def restore(self, state):
        (self.folded,) = struct.unpack("q", state)


averaging = fedstein.Method("averaging", Mean, Step, settings=[fedstein.Setting("learning_rate", 0.02, "of a step", least=0)])
