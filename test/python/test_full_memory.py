# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiling where there is no room for shared memory, in a mount namespace with a small one."""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest
from conftest import BUILD

HEADER = """
import os, sys
import numpy as np
import tegula
import tegula.language as pl

tegula.config.cache = "off"
M = pl.dynamic("M")

@pl.jit
def alone(x: pl.Tensor[[M, 8], pl.FP32], out: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    for i in pl.range(M):
        out[i : i + 1, :] = x[i : i + 1, :] * 3.0

@pl.jit
def shared(x: pl.Tensor[[M, 8], pl.FP32], out: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    out[:] = pl.exp(x) * 0.0 + x

x = np.arange(800000, dtype=np.float32).reshape(-1, 8) % 10

def fill():
    with open("/dev/shm/fill", "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 1024):
                pass
        except OSError:
            pass
"""


def enter():
    """The words that make a namespace of mounts, if that is allowed here."""
    for words in (["unshare", "-m"], ["unshare", "-r", "-m"]):
        if shutil.which("unshare") and subprocess.run([*words, "true"], check=False).returncode == 0:
            return words
    pytest.skip("namespaces of mounts are not allowed here")


def run(folder, text):
    script = folder / "script.py"
    script.write_text(textwrap.dedent(HEADER) + textwrap.dedent(text))
    mount = 'mount -t tmpfs -o size=64k tmpfs /dev/shm && exec "$@"'
    done = subprocess.run(
        [*enter(), "sh", "-c", mount, "sh", sys.executable, script],
        env={**os.environ, "PYTHONPATH": str(BUILD / "python"), "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)


def test_compiling_needs_no_room(tmp_path):
    run(
        tmp_path,
        """
        fill()
        assert (alone(x[:5]) == 3 * x[:5]).all()
        assert os.listdir("/dev/shm") == ["fill"]
        """,
    )


def test_threads_need_no_room(tmp_path):
    run(
        tmp_path,
        """
        fill()
        assert (shared(x) == x).all()
        assert os.listdir("/dev/shm") == ["fill"]
        """,
    )


def test_a_killed_compile_leaves_nothing_behind(tmp_path):
    run(
        tmp_path,
        """
        import signal, time
        for delay in range(10, 100, 10):
            child = os.fork()
            if child == 0:
                while True:
                    alone.clear()
                    alone(x[:5])
            time.sleep(delay / 1000)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        assert os.listdir("/dev/shm") == [], os.listdir("/dev/shm")
        assert (alone(x[:5]) == 3 * x[:5]).all()
        """,
    )
