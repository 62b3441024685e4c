# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signals while kernels are compiled: Ctrl-C stops, and the process goes on."""

import ctypes
import os
import pathlib
import signal
import subprocess
import threading
import time

import numpy as np
import pytest
from conftest import BUILD

import tegula
import tegula.language as pl

M = pl.dynamic("M")
TURNS = 1500
X = np.arange(5, dtype=np.float32)


@pl.jit
def long(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y = x * 1.0
    for _ in pl.unroll(TURNS):
        y = pl.exp(y) * 0.0 + x
    out[:] = y


@pl.jit
def endless(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y = x * 1.0
    for _ in pl.unroll(10 * TURNS):
        y = pl.exp(y) * 0.0 + x
    out[:] = y


@pl.jit
def triple(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * 3.0


@pytest.fixture(autouse=True)
def interruptible():
    """A process that was started in the background may ignore interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def without_cache():
    with tegula.config(cache="off"):
        long.clear()
        yield


def interrupt_after(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def handlers():
    """What the system does at each signal: handler, mask and flags, but for one flag of the C library."""
    library, found = ctypes.CDLL(None), {}
    for number in range(1, 65):
        action = ctypes.create_string_buffer(256)
        if library.sigaction(number, None, action) == 0:
            flags = int.from_bytes(action.raw[136:140], "little") & ~0x04000000
            found[number] = (action.raw[:16], flags)
    return found


def test_handlers_are_as_before(tmp_path):
    before = handlers()
    triple.clear()
    triple(X)
    assert handlers() == before
    triple.lower(X, stage="asm")
    assert handlers() == before
    triple.export(tmp_path / "libtriple.so")
    assert handlers() == before
    with pytest.raises(tegula.Error):
        triple.export("/nowhere/libtriple.so")
    assert handlers() == before


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.4, 0.7])
def test_after_ctrl_c_the_kernel_is_whole(delay):
    interrupt_after(delay)
    with pytest.raises(KeyboardInterrupt):
        long(X)
        # The compile was over before.
        while True:
            time.sleep(0.01)
    assert (triple(X) == 3 * X).all()
    assert (long(X) == X).all()
    assert long.compile_count == 1


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.4])
def test_ctrl_c_stops_a_compile(delay):
    interrupt_after(delay)
    with pytest.raises(KeyboardInterrupt):
        endless(X)
    assert endless.compile_count == 0


def test_ctrl_c_stops_waiting_for_another_thread():
    compiling = threading.Thread(target=long, args=(X,))
    compiling.start()
    time.sleep(0.05)
    interrupt_after(0.05)
    with pytest.raises(KeyboardInterrupt):
        long(X)
        while True:
            time.sleep(0.01)
    compiling.join()
    assert (long(X) == X).all()


def test_handlers_of_python_run_meanwhile():
    calls = []

    def handle(*_):
        calls.append((triple(X) == 3 * X).all())
        with pytest.raises(tegula.CallError, match="this thread is compiling the kernel just now"):
            long(X)

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert (long(X) == X).all()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert calls == [True]


def test_a_handler_may_raise_what_it_likes():
    def handle(*_):
        raise TimeoutError("too long")

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeoutError, match="too long"):
            long(X)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("command", ["run", "build"])
def test_ctrl_c_ends_the_command_and_leaves_no_file(command, tmp_path):
    (tmp_path / "kernel.py").write_text(
        "import tegula.language as pl\n\nM = pl.dynamic('M')\n\n\n@pl.jit\n"
        "def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
        f"    y = x * 1.0\n    for _ in pl.unroll({10 * TURNS}):\n        y = pl.exp(y) * 0.0 + x\n    out[:] = y\n"
    )
    words = {"run": ["--dim", "M=5", "--out", "out=out.npy"], "build": ["-o", "libk.so", "--header", "k.h"]}[command]
    process = subprocess.Popen(
        [BUILD / "bin" / "tegula", command, "kernel.py", *words],
        cwd=tmp_path,
        env={**os.environ, "TEGULA_CACHE_DIR": str(tmp_path / "cache")},
        stderr=subprocess.PIPE,
    )
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert [path.name for path in pathlib.Path(tmp_path).iterdir() if path.name != "cache"] == ["kernel.py"]
