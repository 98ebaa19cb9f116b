# SPDX-License-Identifier: Apache-2.0
"""Examples run: those of docstrings, docs/python.md, the README and the notebooks. Types and style hold."""

import doctest
import importlib
import importlib.util
import json
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import fedstein

ROOT = pathlib.Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))
MODULES = sorted(module.name for module in pkgutil.iter_modules(fedstein.__path__) if not module.name.startswith("_levels"))


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name):
    found = doctest.testmod(importlib.import_module(f"fedstein.{name}"), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


def test_some_docstrings_have_examples():
    modules = [importlib.import_module(f"fedstein.{name}") for name in MODULES]
    assert sum(len(test.examples) for module in modules for test in doctest.DocTestFinder().find(module)) > 50


def python_blocks(page):
    text = (ROOT / page).read_text()
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_pages_run_as_they_stand(page, tmp_path):
    blocks = python_blocks(page)
    assert blocks
    if "jax" in "".join(blocks) and importlib.util.find_spec("jax") is None:
        blocks = [block for block in blocks if "jax" not in block]
    program = "import matplotlib; matplotlib.use('Agg')\n" + "\n".join(blocks)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(notebook, tmp_path):
    cells = json.loads(notebook.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) >= 5
    if "jax" in "".join(code) and importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed: the notebook is not run")
    program = "import matplotlib; matplotlib.use('Agg')\n" + "\n".join(code)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_there_are_three_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["first-steps", "heterogeneous-hospitals", "own-model-in-jax"]


def tool(*arguments):
    if importlib.util.find_spec(arguments[0]) is None:
        pytest.skip(f"{arguments[0]} is not installed: it is not asked")
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_hold_strictly():
    tool("mypy", "--config-file", "python/mypy.ini", "-p", "fedstein")


def test_style_holds():
    tool("ruff", "check", "python/fedstein", "python/tests")
    tool("ruff", "format", "--check", "python/fedstein", "python/tests")
