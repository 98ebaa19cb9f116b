# SPDX-License-Identifier: Apache-2.0
"""Python's results are those of the C++ library, to the bit: every method beside a C++ program (parity.cc)."""

import os
import subprocess

import numpy as np
import pytest

from fedstein import _load

PROGRAMS = {"float32": "FEDSTEIN_PARITY_F32", "float64": "FEDSTEIN_PARITY_F64"}


@pytest.fixture(scope="module", params=["float32", "float64"])
def case(request):
    program = os.environ.get(PROGRAMS[request.param])
    if program is None:
        pytest.skip("scripts/python-test builds the C++ side")
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    expected = {}
    for line in lines:
        name, rows, columns, digits = line.split()
        numbers = np.frombuffer(bytes.fromhex(digits), dtype=request.param)
        expected[name] = numbers.reshape(int(rows), int(columns))
    return _load.core(request.param), expected


def rows(dtype):
    i, j = np.meshgrid(np.arange(60), np.arange(4), indexing="ij")
    x = (((7 * i + 5 * j * j + i * j) % 11 - 5) / 4).astype(dtype)
    return x, np.where(x[:, 0] + x[:, 1] > 0, 1, -1).astype(dtype)


def test_svgd(case):
    core, expected = case
    model = core.Model("logistic-regression", {}, 4)
    found = core.svgd(core.Target(model, *rows(core.precision)), model.start(10, 3), steps=100)["particles"]
    assert np.array_equal(found, expected["svgd()"])


def test_every_method(case):
    core, expected = case
    x, y = rows(core.precision)
    model = core.Model("logistic-regression", {}, 4)
    methods = core.methods()
    assert {method["name"] for method in methods} | {"svgd()"} == expected.keys()
    for method in methods:
        shards = [(x, y)] if method["centralised"] else [(x[:30], y[:30]), (x[30:], y[30:])]
        federation = core.Federation(method["name"], {}, model, shards, 7, unlabelled=x)
        assert federation.run(3)["lost_rounds"] == 0
        assert np.array_equal(federation.particles(), expected[method["name"]]), method["name"]


def test_columns_and_strides_do_not_matter(case):
    core, _ = case
    x, y = rows(core.precision)
    model = core.Model("logistic-regression", {}, 4)
    theta = model.start(5, 1)
    straight = model.posterior_score(theta, x, y)
    wide = np.zeros((120, 9), dtype=core.precision)
    wide[::2, 1:9:2] = x
    for other in (np.asfortranarray(x), wide[::2, 1:9:2], x.astype("float64"), x.tolist(), x[::-1][::-1], x.astype(">f8")):
        assert np.array_equal(model.posterior_score(theta, other, y), straight)


def test_results_are_not_copied(case):
    core, _ = case
    particles = core.Model("logistic-regression", {}, 4).start(1000, 1)
    assert type(particles.base).__name__ == "PyCapsule" or not particles.flags.owndata
    assert particles.flags.writeable
    assert particles.flags.c_contiguous
