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
ITERATIONS = 1500
X = np.arange(5, dtype=np.float32)


@pl.jit
def long(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y = x * 1.0
    for _ in pl.unroll(ITERATIONS):
        y = pl.exp(y) * 0.0 + x
    out[:] = y


@pl.jit
def endless(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y = x * 1.0
    for _ in pl.unroll(10 * ITERATIONS):
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


@pytest.fixture
def slow_assembler(tmp_path, monkeypatch):
    """Notes its number and what it was given, and takes a minute; the folder for temporary files is empty."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program = tmp_path / "ptxas"
    program.write_text(f'#!/bin/sh\ncat "$3" > {tmp_path}/given.$$\necho $$ > {tmp_path}/started.$$\nexec sleep 60\n')
    program.chmod(0o755)
    monkeypatch.setenv("TEGULA_PTXAS", str(program))
    monkeypatch.setenv("TMPDIR", str(temporary))
    return tmp_path


def started(folder, count):
    """The processes that began, which are waited for."""
    for _ in range(600):
        found = [path for path in folder.glob("started.*") if path.read_text().endswith("\n")]
        if len(found) >= count:
            return [int(path.read_text()) for path in found]
        time.sleep(0.05)
    raise AssertionError("no assembler was started")


def assert_ended(processes, folder):
    for process in processes:
        for _ in range(100):
            if not pathlib.Path(f"/proc/{process}").exists():
                break
            time.sleep(0.05)
        else:
            raise AssertionError(f"the assembler {process} still runs")
    assert not list((folder / "temporary").iterdir())


@pl.jit(target="cuda:sm_80")
def product(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Tensor[[8, 8], pl.FP32], out: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    out[:] = pl.matmul(x, y)


@pl.jit(target="cuda:sm_80")
def elements(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Tensor[[8, 8], pl.FP32], out: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    out[:] = x * 2.0


@pytest.mark.parametrize(("kernel", "count"), [(elements, 1), (product, 2)])
def test_ctrl_c_ends_the_assembler(kernel, count, slow_assembler):
    """One for the kernel, and one next to it for the tuned code of a matmul."""
    found = []

    def interrupt():
        found.extend(started(slow_assembler, count))
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        kernel.compile(np.ones((3, 8), np.float32), np.ones((8, 8), np.float32), np.ones((3, 8), np.float32))
    assert time.monotonic() - begun < 40
    for process in found:
        assert (slow_assembler / f"given.{process}").read_text().lstrip().startswith("//")
    assert_ended(found, slow_assembler)
    assert len(os.listdir("/proc/self/fd")) < 200


@pytest.mark.parametrize("delay", [0.3, 0.6])
def test_ctrl_c_stops_code_for_gpus(delay, monkeypatch):
    """Matmul variants take seconds, in threads of their own."""
    monkeypatch.setenv("TEGULA_PTXAS", "")
    kernel = pl.jit(target="cuda:sm_90a,sm_80,sm_100a,sm_120,sm_89,sm_86")(product.__wrapped__)
    interrupt_after(delay)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        kernel.compile(np.ones((3, 8), np.float32), np.ones((8, 8), np.float32), np.ones((3, 8), np.float32))
    assert time.monotonic() - begun < delay + 5


def test_ctrl_c_at_any_time_is_nothing_else(monkeypatch):
    """While a kernel is compiled, or just as it is done: the interrupt, or a compiled kernel and the interrupt later."""
    monkeypatch.setenv("TEGULA_CACHE", "off")
    for step in range(12):
        kernel = pl.jit(target="cuda:sm_80")(product.__wrapped__)
        monkeypatch.setenv("TEGULA_PTXAS", "")
        interrupt_after(0.1 + 0.05 * step)
        with pytest.raises(KeyboardInterrupt):
            kernel.compile(np.ones((3, 8), np.float32), np.ones((8, 8), np.float32), np.ones((3, 8), np.float32))
            time.sleep(2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_the_assembler_ends_with_the_command(number, slow_assembler):
    (slow_assembler / "kernel.py").write_text(
        "import tegula.language as pl\n\nM = pl.dynamic('M')\n\n\n@pl.jit\n"
        "def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n    out[:] = x * 2.0\n"
    )
    words = ["build", "kernel.py", "--target", "cuda:sm_80", "-o", "libk.so"]
    process = subprocess.Popen([BUILD / "bin" / "tegula", *words], cwd=slow_assembler, stderr=subprocess.PIPE)
    found = started(slow_assembler, 1)
    process.send_signal(number)
    process.communicate(timeout=20)
    # By the signal itself: a shell ends its loop at Ctrl-C only if the command did.
    assert process.returncode == -number
    assert_ended(found, slow_assembler)


@pytest.mark.parametrize("command", ["run", "build"])
def test_ctrl_c_ends_the_command_and_leaves_no_file(command, tmp_path):
    (tmp_path / "kernel.py").write_text(
        "import tegula.language as pl\n\nM = pl.dynamic('M')\n\n\n@pl.jit\n"
        "def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
        f"    y = x * 1.0\n    for _ in pl.unroll({10 * ITERATIONS}):\n        y = pl.exp(y) * 0.0 + x\n    out[:] = y\n"
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
    assert process.returncode == -signal.SIGINT
    assert [path.name for path in pathlib.Path(tmp_path).iterdir() if path.name != "cache"] == ["kernel.py"]


def test_ctrl_c_ends_a_loop_of_a_shell(tmp_path):
    """Bash goes on with a loop if a command handles the interrupt and exits, whatever its code is."""
    (tmp_path / "kernel.py").write_text(
        "import tegula.language as pl\n\nM = pl.dynamic('M')\n\n\n@pl.jit\n"
        "def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
        f"    y = x * 1.0\n    for _ in pl.unroll({10 * ITERATIONS}):\n        y = pl.exp(y) * 0.0 + x\n    out[:] = y\n"
    )
    command = f"{BUILD}/bin/tegula build kernel.py -o libk.so"
    shell = subprocess.Popen(
        ["bash", "-c", f"for number in 1 2 3; do echo $number; {command}; done"],
        cwd=tmp_path,
        env={**os.environ, "TEGULA_CACHE": "off"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert shell.stdout.readline() == "1\n"
    time.sleep(0.5)
    os.killpg(shell.pid, signal.SIGINT)
    assert shell.communicate(timeout=60)[0] == ""


def test_a_signal_that_is_ignored_stays_so(slow_assembler):
    """As under nohup."""
    (slow_assembler / "kernel.py").write_text(
        "import tegula.language as pl\n\nM = pl.dynamic('M')\n\n\n@pl.jit\n"
        "def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):\n    out[:] = x * 2.0\n"
    )
    words = [BUILD / "bin" / "tegula", "build", "kernel.py", "--target", "cuda:sm_80", "-o", "libk.so"]
    process = subprocess.Popen(["nohup", *words], cwd=slow_assembler, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    started(slow_assembler, 1)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
