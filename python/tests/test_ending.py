# SPDX-License-Identifier: Apache-2.0
"""A program that ends while a thread computes ends as it says, and not with a crash."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import threading, time
import numpy as np
import fedstein

start = np.random.default_rng(1).normal(size=(20, 2))
x = np.random.default_rng(2).normal(size=(50, 2))
federation = fedstein.Federation("c-dsvgd", "logistic-regression", [(x, np.sign(x[:, 0])), (x, np.sign(x[:, 0]))])
work = {{
    "score": lambda: fedstein.svgd(lambda theta: -theta, start, steps=10**8),
    "slow score": lambda: fedstein.svgd(lambda theta: [time.sleep(0.01), -theta][1], start, steps=10**8),
    "callback": lambda: federation.run(10**7, on_round=lambda round: False),
    "federation": lambda: federation.run(10**7),
}}
threading.Thread(target=work[{work!r}], daemon=True).start()
time.sleep(0.3)
print("done", flush=True)
"""


@pytest.mark.parametrize("work", ["score", "slow score", "callback", "federation"])
def test_a_daemon_thread_at_work_does_not_crash_the_end(work):
    for _ in range(3):
        command = [sys.executable, "-c", PROGRAM.format(work=work)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
