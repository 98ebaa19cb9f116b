# SPDX-License-Identifier: Apache-2.0
"""docs/flower.md as it stands, where nothing can leave the machine."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("flwr")
pytest.importorskip("ray")

HERE = Path(__file__).parent


@pytest.mark.slow
def test_the_guide():
    alone = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("this machine lets nobody have a network of his own (unshare)")
    guide = HERE.parents[2] / "docs/flower.md"
    found = subprocess.run(
        [*alone, str(HERE / "run_guide"), sys.executable, str(guide)], check=False, capture_output=True, text=True, timeout=600
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "a simulation and a deployment of 2 rounds each" in found.stdout
    assert "differ" not in found.stderr
