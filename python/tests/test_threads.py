# SPDX-License-Identifier: Apache-2.0
"""Python's lock and the library's threads: no deadlock, Ctrl-C within a second, no run twice at a time."""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from fedstein import _load
from fedstein.errors import InvalidArgument

# A deadlock is seen by this: everything here takes a second or two.
WATCHDOG = 60


def run(program, *, interrupt_after=None):
    """The output of a Python program, and how long it took to end after the interrupt."""
    # Whoever is started in the background ignores Ctrl-C, and so does Python then.
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    process = subprocess.Popen(
        [sys.executable, "-c", heeding + textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    began = time.monotonic()
    try:
        if interrupt_after is not None:
            assert process.stdout.readline() == "begins\n"
            time.sleep(interrupt_after)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=WATCHDOG)
    finally:
        process.kill()
    return process.returncode, out, errors, time.monotonic() - began


PARALLEL = """
    import threading
    import numpy as np
    from fedstein import _load
    core = _load.core("float32")
    x = np.random.default_rng(0).normal(size=(40000, 5)).astype("f4")  # many: loops within the loop over agents
    y = np.where(x[:, 0] > 0, 1, -1)
    inner = core.Model("logistic-regression", {{"intercept": False}}, 5)
    seen = set()
    def score(theta, a, b):
        seen.add(threading.get_ident())
        return inner.likelihood_score(theta, a, b)      # which releases the lock and comes back
    def density(theta, a, b):
        return inner.log_likelihood(theta, a, b)
    model = core.OwnModel(5, score=score, log_likelihood=density, features=5, labels="binary")
    shards = [(x[k::8], y[k::8]) for k in range(8)]
    for method in ["c-dsvgd", "p-dsvgd", "fedavg"]:
        federation = core.Federation(method, {{}}, model, shards)
        summary = federation.run(2)
        assert summary["lost_rounds"] == 0, summary
    print(len(seen) >= 1)
"""


def test_scores_of_parallel_agents_do_not_deadlock():
    code, out, errors, _ = run(PARALLEL.format())
    assert (code, out) == (0, "True\n"), errors


def test_several_python_threads_compute_at_once():
    core = _load.core("float64")
    found = [None] * 4

    def work(k):
        found[k] = core.svgd(lambda theta: -theta, np.full((10, 2), float(k)) + np.eye(10, 2), steps=200)["particles"]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WATCHDOG)
    assert not any(thread.is_alive() for thread in threads)
    assert all(np.isfinite(particles).all() for particles in found)


ENDLESS = {
    "svgd": "core.svgd(core.Target(model, x, y), model.start(50, 1), steps=10**9)",
    "callable": "core.svgd(lambda theta: -theta, model.start(50, 1), steps=10**9)",
    "rounds": 'core.Federation("c-dsvgd", {}, model, shards).run(10**9)',
    "one long round": 'core.Federation("dsvgd", {"local_steps": 10**8}, model, shards).run(1)',
    "parallel": 'core.Federation("p-dsvgd", {"local_steps": 10**8}, model, shards).run(1)',
    "point method": 'core.Federation("fedavg", {"local_steps": 10**8}, model, shards).run(1)',
    "chain": 'core.Federation("dsgld", {"local_steps": 10**8}, model, shards).run(1)',
}


@pytest.mark.parametrize("name", ENDLESS)
def test_ctrl_c_ends_within_a_second(name):
    code, _, errors, seconds = run(
        f"""
        import numpy as np
        from fedstein import _load
        core = _load.core("float32")
        x = np.random.default_rng(0).normal(size=(400, 5)).astype("f4")
        y = np.where(x[:, 0] > 0, 1, -1)
        shards = [(x[k::4], y[k::4]) for k in range(4)]
        model = core.Model("logistic-regression", {{}}, 5)
        print("begins", flush=True)
        {ENDLESS[name]}
        """,
        interrupt_after=0.5,
    )
    assert "KeyboardInterrupt" in errors
    assert code != 0
    assert seconds < 1.5  # a second, and the interpreter's own end


def test_a_federation_is_not_run_twice_at_a_time():
    core = _load.core("float32")
    x = np.random.default_rng(0).normal(size=(40, 2))
    model = core.Model("logistic-regression", {}, 2)
    federation = core.Federation("dsvgd", {}, model, [(x, np.sign(x[:, 0]))])
    refused = []

    def look(record, particles):
        assert federation.particles().shape == particles.shape
        assert len(federation.save()) > 0
        assert federation.rounds == record["round"]
        for forbidden in (lambda: federation.run(1), lambda: federation.restore(b"")):
            with pytest.raises(InvalidArgument, match="while run"):
                forbidden()
            refused.append(True)

    federation.run(2, look)
    assert len(refused) == 4


def test_figures_are_those_that_the_callback_left():
    """A value that changes the dictionary while it is read changes nothing of what is taken."""
    core = _load.core("float32")
    x = np.random.default_rng(0).normal(size=(40, 2))
    model = core.Model("logistic-regression", {}, 2)
    federation = core.Federation("dsvgd", {}, model, [(x, np.sign(x[:, 0]))])

    class Clears:
        def __init__(self, figures):
            self.figures = figures

        def __float__(self):
            self.figures.clear()
            return 1.0

    def look(record, particles):
        for place in range(5):
            record["figures"][f"figure {place}"] = Clears(record["figures"])

    (record,) = federation.run(1, look)["records"]
    assert {name for name in record["figures"] if name.startswith("figure")} == {f"figure {place}" for place in range(5)}
