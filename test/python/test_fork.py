# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that are forked while kernels are compiled."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest
from conftest import BUILD

HEADER = """
import os, sys, threading, time
import numpy as np
import tegula
import tegula.language as pl

tegula.config.cache = "off"
M = pl.dynamic("M")

@pl.jit
def long(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y = x * 1.0
    for i in pl.unroll(150):
        y = pl.exp(y) * 0.0 + x
    out[:] = y

@pl.jit
def short(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * 3.0

x = np.arange(5, dtype=np.float32)

def end_with(work, *arguments):
    # A child must not go on with what the parent was doing.
    try:
        work(*arguments)
    except BaseException:
        import traceback
        traceback.print_exc()
        os._exit(1)
    os._exit(0)

def wait_for(child):
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == 0, code
"""


def run(folder, text, seconds=60):
    script = folder / "script.py"
    script.write_text(textwrap.dedent(HEADER) + textwrap.dedent(text))
    process = subprocess.Popen(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": str(BUILD / "python")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("hangs: " + process.communicate()[0])
    assert process.returncode == 0, output
    return output


def test_a_child_compiles_what_another_thread_was_compiling(tmp_path):
    run(
        tmp_path,
        """
        def check():
            assert (long(x) == x).all() and (short(x) == 3 * x).all()

        compiling = threading.Thread(target=long, args=(x,))
        compiling.start()
        for delay in range(6):
            time.sleep(0.01)
            child = os.fork()
            if child == 0:
                end_with(check)
            wait_for(child)
        compiling.join()
        assert (long(x) == x).all()
    """,
    )


def test_children_of_many_threads_that_compile(tmp_path):
    run(
        tmp_path,
        """
        from concurrent.futures import ThreadPoolExecutor

        def work(number):
            kernel = long if number % 2 else short
            if number % 3 == 0:
                kernel.clear()
            assert (kernel(x) == (x if number % 2 else 3 * x)).all()

        def fork(number):
            child = os.fork()
            if child == 0:
                end_with(work, number)
            wait_for(child)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: (fork if number % 4 == 3 else work)(number), range(16)))
    """,
    )


@pytest.mark.parametrize(
    ("file", "use"),
    [
        ("tegula/_uses.py", "short(x)"),
        ("tegula/_methods.py", "short.clear()"),
        ("ml_dtypes/__init__.py", "brain()"),
    ],
)
def test_a_child_uses_what_another_thread_was_loading(tmp_path, file, use):
    run(
        tmp_path,
        f"""
        @pl.jit
        def brain(out: pl.Out[pl.Tensor[[4], pl.BF16]]):
            out[:] = 1.0

        begun = threading.Event()

        def slow_down(event, arguments):
            if event == "exec" and arguments[0].co_filename.endswith("{file}"):
                begun.set()
                time.sleep(0.5)

        sys.addaudithook(slow_down)
        loading = threading.Thread(target=lambda: {use})
        loading.start()
        assert begun.wait(20)
        child = os.fork()
        if child == 0:
            {use}
            os._exit(0)
        wait_for(child)
        loading.join()
    """,
        seconds=30,
    )


def test_a_fork_in_a_signal_handler_does_not_wait_for_its_own_thread(tmp_path):
    run(
        tmp_path,
        """
        import signal
        forked = []

        def check():
            assert (short(x) == 3 * x).all()

        def fork(*_):
            child = os.fork()
            if child == 0:
                end_with(check)
            wait_for(child)
            forked.append(child)

        signal.signal(signal.SIGALRM, fork)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        assert (long(x) == x).all()
        assert len(forked) == 1
    """,
    )


def test_a_process_of_its_own_may_be_started_meanwhile(tmp_path):
    run(
        tmp_path,
        """
        import subprocess
        compiling = threading.Thread(target=long, args=(x,))
        compiling.start()
        subprocess.run([sys.executable, "-c", ""], check=True)
        subprocess.run([sys.executable, "-c", ""], check=True, preexec_fn=lambda: None)
        compiling.join()
    """,
    )


def test_forked_while_another_thread_prints(tmp_path):
    run(
        tmp_path,
        """
        @pl.jit
        def show(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
            for i in pl.range(200):
                pl.print("line", i)
            out[:] = x * 3.0

        def print_on():
            while not done:
                show(x)

        # Lines go to nowhere: what is tried is the lock that printing takes.
        sys.stdout = open(os.devnull, "w")
        show(x)
        done = False
        printing = threading.Thread(target=print_on)
        printing.start()
        for _ in range(60):
            child = os.fork()
            if child == 0:
                end_with(show, x)
            wait_for(child)
        done = True
        printing.join()
    """,
    )
