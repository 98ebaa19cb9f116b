# SPDX-License-Identifier: Apache-2.0
"""The extension modules themselves: what they take in, how quickly they come and go, what their stubs say."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fedstein
from fedstein import _core, _load
from fedstein.errors import Error, InvalidArgument

STUBS = Path(__file__).resolve().parents[2] / "scripts" / "python-stubs"


def test_stubs_are_those_of_the_modules():
    pytest.importorskip("nanobind")
    if _load.level() != "native":
        pytest.skip("stubs are written from the modules of scripts/python-build")
    subprocess.run([sys.executable, str(STUBS), "--check"], check=True)


def test_no_library_of_the_servers_is_inside():
    """A Python package that carried OpenSSL would have to follow its updates, and gRPC is of no use to it."""
    folder = Path(fedstein.__file__).parent
    modules = sorted(folder.rglob("*.abi3.so"))
    assert {module.name.split(".")[0] for module in modules} >= {"_cpu", "_core_f32", "_core_f64", "_runs"}
    for module in modules:
        needed = subprocess.run(["readelf", "-d", str(module)], check=True, capture_output=True, text=True).stdout
        for foreign in ("ssl", "crypto", "grpc", "protobuf", "matio", "hdf5", "httplib", "libpython"):
            assert foreign not in needed, (module, foreign)


def test_modules_show_their_entry_point_only():
    module = Path(_load.core("float32").__file__)
    shown = subprocess.run(["nm", "-D", "--defined-only", str(module)], check=True, capture_output=True, text=True).stdout
    assert [line.split()[-1] for line in shown.splitlines()] == ["PyInit__core_f32"]


def test_both_precisions_in_one_process():
    single, double = _load.core("float32"), _load.core(np.float64)
    start = np.array([[0.1], [0.7]])
    assert single.svgd(lambda t: -t, start, steps=3)["particles"].dtype == np.float32
    assert double.svgd(lambda t: -t, start, steps=3)["particles"].dtype == np.float64
    model = single.Model("logistic-regression", {}, 2)
    with pytest.raises(TypeError):
        double.Target(model, np.zeros((2, 2)), [1, -1])
    with pytest.raises(Error):
        single.Model("logistic-regression", {"intercept": 3}, 2)
    with pytest.raises(InvalidArgument, match="float16"):
        _load.core("float16")


def test_the_typed_name_is_single_precision():
    assert _core.precision == "float32"
    assert _core.svgd is _load.core("float32").svgd


@pytest.mark.parametrize(("wanted", "why"), [("x86-64-v9", "allowed"), ("nonsense", "allowed")])
def test_a_level_that_is_not_there(wanted, why):
    program = "from fedstein import _load\n_load.core()"
    ended = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "FEDSTEIN_CPU": wanted}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "InvalidArgument" in ended.stderr
    assert why in ended.stderr


def test_import_takes_less_than_a_third_of_a_second():
    program = "import time; t = time.perf_counter(); from fedstein import _load; _load.core(); print(time.perf_counter() - t)"
    seconds = min(
        float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout) for _ in range(5)
    )
    assert seconds < 0.3


def test_a_python_score_costs_less_than_ten_microseconds_a_step():
    """Over the score itself, which costs nothing here; the least of many short loops, so that other processes do not count."""
    core = _load.core("float32")
    particles = np.zeros((30, 2), dtype="f4")
    scores = np.zeros_like(particles)
    model = core.Model("logistic-regression", {"intercept": False}, 2)
    inside = core.Target(model, np.zeros((1, 2)), [1.0])

    def least(target):
        steps = 50
        best = np.inf
        for _ in range(200):
            begin = time.perf_counter()
            core.svgd(target, particles, steps=steps)
            best = min(best, time.perf_counter() - begin)
        return best / steps * 1e6

    assert least(lambda theta: scores) - least(inside) < 10
