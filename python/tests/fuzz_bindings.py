# SPDX-License-Identifier: Apache-2.0
"""Calls everything in the extensions with arguments that make no sense: ``fuzz_bindings.py SECONDS SEED``.

A process of its own, started by test_fuzz.py: what it looks for is an end by a signal. Memory is limited, so that a wish for
much of it is refused instead of slowing the machine down.
"""

import json
import os
import random
import resource
import sys
import time

import numpy as np

from fedstein import _load
from fedstein.errors import Error

ALLOWED = (Error, TypeError, ValueError, MemoryError, OverflowError, ZeroDivisionError, OSError)
MEMORY = 6 << 30
# A computation that long is what was asked for; these numbers stay small.
SMALL = {"steps", "rounds", "n", "most_coordinates", "retries", "batch"}


def damaged(rng, array):
    array = array.copy()
    if array.size:
        array.flat[rng.randrange(array.size)] = rng.choice([np.nan, np.inf, -np.inf, 1e300, 1e-300])
    return array


def frozen(_rng, array):
    array = array.astype("f4")
    array.flags.writeable = False
    return array


def unaligned(_rng, array):
    size = array.size * 4
    return np.frombuffer(b"\0" * (size + 1), dtype="u1")[1:].view("f4").reshape(array.shape) if size else array


TYPES = ["float16", "float32", "float64", "int8", "int64", "uint8", "bool", ">f4", ">f8", "longdouble"]
FOREIGN_TYPES = ["complex64", "object", "U5", "S3"]
# Every type and layout of the same numbers.
LAYOUTS = [
    lambda rng, array: array.astype(rng.choice(TYPES)),
    lambda rng, array: array.astype(rng.choice(FOREIGN_TYPES)),
    lambda _, array: array[:, ::-1],
    lambda _, array: array.T,
    lambda _, array: array[::2, ::2],
    damaged,
    lambda _, array: np.lib.stride_tricks.as_strided(np.zeros(1), shape=array.shape, strides=(0, 0)),
    unaligned,
    lambda _, array: array.reshape(-1),
    lambda _, array: array.reshape(1, *array.shape),
    lambda rng, _: np.float64(rng.random()),
    lambda _, array: array.tolist(),
    lambda _, array: np.sign(array[:, 0]) if array.shape[1] else array,
    lambda _, array: np.ma.masked_array(array, array > 0),
    frozen,
    lambda _, array: memoryview(np.ascontiguousarray(array)),
    lambda _, array: array.astype("f4"),
    lambda _, array: array.astype("f4"),
]


def arrays(rng):
    """An array of some shape, type and layout."""
    shape = (rng.choice([0, 1, 2, 5, 60]), rng.choice([0, 1, 2, 4, 5, 7]))
    plain = np.random.default_rng(rng.randrange(1000)).normal(size=shape)
    return rng.choice(LAYOUTS)(rng, plain)


INTEGERS = [0, 1, -1, 2, 5, 2**31, 2**63 - 1, 2**63, -(2**63), 10**30]
NUMBERS = [0.0, 1.0, -1.0, 0.5, float("nan"), float("inf"), -float("inf"), 1e308, 5e-324]
TEXTS = [
    "",
    "rbf",
    "adam",
    "paper",
    "binary",
    "dsvgd",
    "c-dsvgd",
    "total",
    "x" * 10000,
    "\udcff",
    "\0",
    "none",
    "standardise",
    "{}",
]
OBJECTS = [None, True, False, (), [], {}, b"", b"\xff" * 50, object(), type, ...]
FUNCTIONS = [
    lambda *a: a[0],
    lambda *a: 1 / 0,
    lambda *a: None,
    lambda *a: np.zeros((1, 1)),
    lambda *a: a[0] * np.nan,
    lambda *a: -a[0],
    lambda *a: "x",
]
KEYS = ["particles", "prior", "hidden", "batch", "rounds", "", "key", 3]
MAKERS = [
    *[arrays] * 5,
    lambda rng: rng.choice(INTEGERS),
    lambda rng: rng.choice(NUMBERS),
    lambda rng: rng.choice(TEXTS),
    lambda rng: rng.choice(OBJECTS),
    lambda rng: rng.choice(FUNCTIONS),
    lambda rng: {rng.choice(KEYS): anything(rng) for _ in range(rng.randrange(3))},
    lambda rng: [anything(rng) for _ in range(rng.randrange(4))],
    lambda rng: [(arrays(rng), arrays(rng)) for _ in range(rng.randrange(4))],
    lambda rng: rng.randrange(1, 5),
]


def anything(rng, name=""):
    """A value for an argument, sometimes one that fits."""
    if name in SMALL:
        return rng.choice([0, 1, 2, 3, 5, -1, 1.5, "3", None, -(2**40)])
    return rng.choice(MAKERS)(rng)


def good(core):
    """Objects whose methods are called."""
    x = np.random.default_rng(0).normal(size=(60, 4)).astype("f4")
    y = np.where(x[:, 0] > 0, 1, -1)
    logistic = core.Model("logistic-regression", {}, 4)
    network = core.Model("bnn-regression", {"hidden": 3}, 4)
    own = core.OwnModel(4, score=lambda t, a, b: -t, log_likelihood=lambda t, a, b: -(t**2).sum(axis=1), features=4)
    federation = core.Federation("dsvgd", {"particles": 4, "local_steps": 3}, logistic, [(x[:30], y[:30]), (x[30:], y[30:])])
    header = (
        '{"model":{"type":"logistic-regression","features":4,"classes":2,"labels":"binary","class_names":["a","b"],"settings":'
        + json.dumps(logistic.settings)
        + '},"temperature":1.0,"training":{"experiment":"","dataset":"","algorithm":"","method":"","rounds":1,"agents":1,"rows":60,'
        '"trial":1,"seed":1,"version":"","precision":""},"particles":8,"dimension":5,"number_bytes":4,"scaling":{"rule":"none","shift":[0,0,0,0],'
        '"spread":[1,1,1,1],"target_shift":0.0,"target_spread":1.0},"covariance":false}'
    )
    posterior = core.Posterior(header, logistic.start(8, 1))
    return [core, logistic, network, own, core.Target(logistic, x, y), federation, posterior, core.ThreadLimit(1)]


def names_of(function):
    """The arguments that nanobind's signature tells."""
    signature = (function.__doc__ or "").split("\n")[0]
    inside = signature[signature.find("(") + 1 : signature.rfind(")")]
    names = [part.split(":")[0].strip() for part in inside.split(", ") if ":" in part]
    return [name for name in names if name.isidentifier() and name != "self"]


def main(seconds, seed):
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which takes terabytes of addresses for itself
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    rng = random.Random(seed)
    cores = [_load.core(dtype) for dtype in ("float32", "float64")]
    end = time.monotonic() + seconds
    calls = passed = 0
    while time.monotonic() < end:
        subjects = good(rng.choice(cores))
        for _ in range(100):
            subject = rng.choice(subjects)
            attribute = rng.choice(
                [name for name in dir(subject) if not name.startswith("__") or name in ("__call__", "__enter__")]
            )
            function = getattr(subject, attribute)
            if not callable(function):
                continue
            names = names_of(function)
            given = {name: anything(rng, name) for name in names if rng.random() < 0.9}
            calls += 1
            try:
                function(**given) if rng.random() < 0.7 else function(*given.values())
                passed += 1
            except ALLOWED:
                pass
            if time.monotonic() > end:
                break
    print(calls, passed)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
