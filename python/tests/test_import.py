# SPDX-License-Identifier: Apache-2.0
"""Importing is quick and needs numpy alone; a missing extra gives one sentence."""

import subprocess
import sys

import pytest

import fedstein


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_takes_less_than_three_tenths_of_a_second():
    program = "import time; t = time.perf_counter(); import fedstein; print(time.perf_counter() - t)"
    assert min(float(python(program)) for _ in range(3)) < 0.3


def test_the_extension_loads_in_less_than_three_tenths_of_a_second():
    program = (
        "import time; import numpy; t = time.perf_counter(); from fedstein import svgd; svgd(lambda x: -x, [[1.0]], 1);"
        "print(time.perf_counter() - t)"
    )
    assert min(float(python(program)) for _ in range(3)) < 0.3


def test_extras_are_imported_when_they_are_used_only():
    program = (
        "import sys, fedstein; fedstein.svgd(lambda x: -x, [[1.0]], 1);"
        "print(sorted({'sklearn', 'pandas', 'matplotlib', 'jax', 'torch', 'scipy'} & set(sys.modules)))"
    )
    assert python(program).strip() == "[]"


@pytest.mark.parametrize(
    ("package", "use", "extra"),
    [
        ("sklearn", "fedstein.SteinClassifier", "sklearn"),
        ("matplotlib", "fedstein.plot.particles([[1.0, 2.0]])", "plot"),
        ("jax", "fedstein.from_jax(lambda theta: 0.0)", "jax"),
        ("torch", "fedstein.from_torch(lambda theta: 0.0)", "torch"),
    ],
)
def test_a_missing_extra_gives_one_sentence_that_says_what_to_install(package, use, extra):
    program = f"""
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
import fedstein
try:
    {use}
except fedstein.MissingExtra as problem:
    print(problem)
"""
    assert python(program).strip().endswith(f"needs {package}; pip install 'fedstein[{extra}]' installs it")


def test_every_name_is_there_and_documented():
    for name in fedstein.__all__:
        assert (getattr(fedstein, name).__doc__ or "").strip(), name
    assert set(fedstein.__all__) <= set(dir(fedstein))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'SteinTransformer'"):
        _ = fedstein.SteinTransformer


def test_the_version_is_the_librarys():
    assert fedstein.__version__.count(".") >= 1
