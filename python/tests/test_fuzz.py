# SPDX-License-Identifier: Apache-2.0
"""Nothing that is given to the extensions ends the interpreter. FEDSTEIN_FUZZ_SECONDS makes it longer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = float(os.environ.get("FEDSTEIN_FUZZ_SECONDS", "6"))


@pytest.mark.parametrize("seed", [1, 2])
def test_fuzz_arguments(seed, tmp_path):
    program = Path(__file__).with_name("fuzz_bindings.py")
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-W", "ignore", str(program), str(SECONDS), str(seed)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60 + 10 * SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    calls, passed = map(int, ended.stdout.split())
    assert calls > 100
    assert passed > 0
