#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the expected result into every scenario: an independent program, double precision, one plain loop per formula.

Usage: expect.py SCENARIO.json...   (needs numpy). Start, data and labels come from SplitMix64, so that the benchmark has
the same. What is expected is a short round: `check_steps` tilted and as many distillation steps on the first `batch` rows.
"""
import json
import sys

import numpy as np

BANDWIDTH = 0.55


def uniform(seed, count):
    """`count` numbers of unit variance from [-sqrt 3, sqrt 3): the state counts up, SplitMix64 mixes it."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) * np.uint64(1 << 32) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(40)).astype(np.float64) / 2**24 * 2 - 1) * np.sqrt(3)


def squared_distances(x, y):
    return np.stack([((row - y) ** 2).sum(1) for row in x])


def kde_score(x, centres):
    exponents = -squared_distances(x, centres) / (2 * BANDWIDTH**2)
    weights = np.exp(exponents - exponents.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    return (weights @ centres - x) / BANDWIDTH**2


def direction(x, score):
    n = len(x)
    distances = squared_distances(x, x)
    h = np.median(np.sqrt(distances[np.triu_indices(n, 1)])) ** 2 / np.log(n)
    kernel = np.exp(-distances / h)
    repulsion = 2 / h * (kernel.sum(1, keepdims=True) * x - kernel @ x)
    return (kernel @ score + repulsion) / n


def svgd(x, score, steps, rate, epsilon):
    square = None
    for _ in range(steps):
        phi = direction(x, score(x))
        square = phi**2 if square is None else 0.9 * square + 0.1 * phi**2
        x = x + rate / (epsilon + np.sqrt(square)) * phi
    return x


def logistic_score(s, x, y, theta):
    margins = x @ theta[:, :-1].T
    pull = y[:, None] / (1 + np.exp(y[:, None] * margins))
    return np.concatenate([pull.T @ x, np.zeros((len(theta), 1))], 1)


def network_score(s, x, y, theta):
    inputs, hidden, classes = s["features"], s["hidden"], s["classes"]
    rows = []
    for particle in theta:
        w1, b1, w2, b2 = np.split(particle, np.cumsum([inputs * hidden, hidden, hidden * classes]))
        w1, w2 = w1.reshape(inputs, hidden), w2.reshape(hidden, classes)
        active = np.maximum(x @ w1 + b1, 0)
        logits = active @ w2 + b2
        p = np.exp(logits - logits.max(1, keepdims=True))
        pull = np.eye(classes)[y.astype(int)] - p / p.sum(1, keepdims=True)
        back = (pull @ w2.T) * (active > 0)
        rows.append(np.concatenate([(x.T @ back).ravel(), back.sum(0), (active.T @ pull).ravel(), pull.sum(0)]))
    return np.stack(rows)


def mixture_score(theta):
    near, far = np.exp(-((theta + 3) ** 2) / 2), np.sqrt(0.5) * np.exp(-((theta - 3) ** 2) / 4)
    return (near * (-3 - theta) + far * (3 - theta) / 2) / (near + far)


def likelihood(s):
    if s["kind"] == "mixture":
        return mixture_score
    if s["kind"] == "standard_normal":
        return lambda theta: -theta
    x = uniform(1, s["rows"] * s["features"]).reshape(s["rows"], -1)[: s["batch"]].astype(np.float32).astype(float)
    scale = s["rows"] / s["batch"]
    if s["kind"] == "logistic_regression":
        y = np.where(x[:, 0] > 0, 1.0, -1.0)
        return lambda theta: scale * logistic_score(s, x, y, theta)
    y = np.arange(s["batch"]) % s["classes"]
    return lambda theta: scale * network_score(s, x, y, theta)


def dimension(s):
    if s["kind"] == "logistic_regression":
        return s["features"] + 1
    if s["kind"] == "bnn_classification":
        return (s["features"] + 1) * s["hidden"] + (s["hidden"] + 1) * s["classes"]
    return s["features"]


def start(s, seed):
    return s["start_scale"] * uniform(seed, s["particles"] * dimension(s)).reshape(s["particles"], -1)


def digest(x):
    return {"mean": x.mean(), "root_mean_square": np.sqrt((x**2).mean()), "first": x[0, : min(4, x.shape[1])].tolist(),
            "last": x[-1, -min(4, x.shape[1]):].tolist()}


def main(path):
    s = json.load(open(path))
    score = likelihood(s)
    q, t = start(s, 2), start(s, 3)
    rest = (s["check_steps"], s["learning_rate"], s["epsilon"])
    after = svgd(q, lambda x: kde_score(x, q) - kde_score(x, t) + score(x), *rest)
    local = svgd(t, lambda x: kde_score(x, after) - kde_score(x, q) + kde_score(x, t), *rest)
    s["expected"] = {"global": digest(after), "local": digest(local)}
    with open(path, "w") as out:
        json.dump(s, out, indent=1)
        out.write("\n")


for argument in sys.argv[1:]:
    main(argument)
