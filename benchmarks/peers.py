# SPDX-License-Identifier: Apache-2.0
"""What the comparisons with JAX and PyTorch share: an environment that has them, and programs that print JSON."""
import json
import subprocess
import sys


def peers_python(options):
    if options.python:
        return options.python
    environment = options.build.resolve().parent / "peers"
    ready = environment / "ready"  # written last: a half-made environment is made again
    if not ready.exists():
        print(f"race: installing jax and torch into {environment}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        subprocess.run([environment / "bin" / "python", "-m", "pip", "install", "--quiet", "jax", "torch"], check=True)
        ready.touch()
    return environment / "bin" / "python"


def last_line(command, allowed=(0,)):
    """The JSON on the last line that a program prints."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if done.returncode not in allowed:
        sys.exit(f"race: {command[0]} {command[1]} ended with status {done.returncode}; it must end with 0")
    return json.loads(done.stdout.strip().splitlines()[-1])
