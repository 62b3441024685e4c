# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled kernels on disk, between real processes."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from conftest import BUILD

import tegula
import tegula.language as pl

M = pl.dynamic("M")

KERNEL = """
import sys
import numpy as np
import tegula
import tegula.language as pl
from tegula import _tegula

M = pl.dynamic("M")

@pl.jit
def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * 3.0

@pl.jit
def double(x, out: pl.Out[pl.Tensor]):
    out[:] = x + x

def use():
    x = np.arange(5, dtype=np.float32)
    assert (scale(x) == 3 * x).all()
    for size in (3, 4):
        x = np.arange(size, dtype=np.int32)
        out = np.empty_like(x)
        double(x, out)
        assert (out == 2 * x).all()
    return _tegula.process_compile_count()

if __name__ == "__main__":
    count = use()
    loaded = "libLLVM" in open("/proc/self/maps").read()
    print(count, int(loaded))
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text(textwrap.dedent(KERNEL))
    return path


def environment(tmp_path, **more):
    return {**os.environ, "PYTHONPATH": str(BUILD / "python"), "TEGULA_CACHE_DIR": str(tmp_path / "cache"), **more}


def run(script, tmp_path, **more):
    done = subprocess.run(
        [sys.executable, script], env=environment(tmp_path, **more), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()], done.stderr


def test_a_second_process_compiles_nothing_and_loads_no_llvm(script, tmp_path):
    assert run(script, tmp_path) == ([3, 1], "")
    assert run(script, tmp_path) == ([0, 0], "")


def test_a_changed_kernel_is_compiled_anew(script, tmp_path):
    run(script, tmp_path)
    script.write_text(script.read_text().replace("x * 3.0", "x * 3.0 + 0.0"))
    assert run(script, tmp_path)[0][0] == 1


def test_modes(script, tmp_path):
    assert run(script, tmp_path, TEGULA_CACHE="off")[0][0] == 3
    assert not (tmp_path / "cache").exists()
    assert run(script, tmp_path, TEGULA_CACHE="readonly")[0][0] == 3
    run(script, tmp_path)
    assert run(script, tmp_path, TEGULA_CACHE="readonly") == ([0, 0], "")


def test_many_processes_at_once(script, tmp_path):
    started = [
        subprocess.Popen([sys.executable, script], env=environment(tmp_path), stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    assert [process.wait() for process in started] == [0] * 6
    for process in started:
        process.stdout.close()
    assert run(script, tmp_path) == ([0, 0], "")


def test_processes_killed_while_they_write(script, tmp_path):
    for delay in (0.15, 0.25, 0.35, 0.45):
        process = subprocess.Popen([sys.executable, script], env=environment(tmp_path), stdout=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert run(script, tmp_path)[1] == ""
    assert run(script, tmp_path) == ([0, 0], "")


@pytest.mark.parametrize("damage", ["truncate", "flip", "empty"])
def test_damaged_entries_are_replaced(script, tmp_path, damage):
    run(script, tmp_path)
    for path in (tmp_path / "cache").glob("*.so"):
        content = bytearray(path.read_bytes())
        if damage == "truncate":
            content = content[: len(content) // 2]
        elif damage == "flip":
            content[len(content) // 3] ^= 16
        else:
            content = b""
        path.write_bytes(content)
    assert run(script, tmp_path)[0][0] == 3
    assert run(script, tmp_path) == ([0, 0], "")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_entries_of_others_are_not_executed(script, tmp_path):
    run(script, tmp_path)
    for path in (tmp_path / "cache").glob("*.so"):
        os.chown(path, 12345, 12345)
    counts, message = run(script, tmp_path)
    assert counts[0] == 3
    assert "belongs to another user" in message
    assert message.count("\n") == 1


def test_entries_that_others_may_write_are_not_executed(script, tmp_path):
    run(script, tmp_path)
    for path in (tmp_path / "cache").glob("*.so"):
        path.chmod(0o666)
    counts, message = run(script, tmp_path)
    assert counts[0] == 3
    assert "others may write it" in message


def test_a_folder_that_cannot_be_made(script, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    counts, message = run(script, tmp_path)
    assert counts[0] == 3
    assert message.count("\n") == 1
    assert "cannot keep compiled kernels" in message


def test_settings_for_a_while(tmp_path):
    @pl.jit
    def negate(x: pl.Tensor[[8], pl.FP32], out: pl.Out[pl.Tensor[[8], pl.FP32]]):
        out[:] = -x

    x = np.ones(8, np.float32)
    with tegula.config(cache_dir=tmp_path / "here"):
        assert tegula.config.cache_dir == str(tmp_path / "here")
        negate(x)
    assert tegula.config.cache_dir is None
    assert len(list((tmp_path / "here").glob("*.so"))) == 2
    with (
        pytest.raises(ValueError, match="cache is 'on', 'readonly' or 'off', got 'maybe'"),
        tegula.config(cache="maybe"),
    ):
        pass
    with pytest.raises(AttributeError, match="there is no setting 'speed'"):
        tegula.config.speed = 11


THREADED = """
import numpy as np
import tegula
import tegula.language as pl
from tegula import _tegula

M = pl.dynamic("M")

@pl.jit
def wide(x: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    out[:] = pl.exp(x) * 0.0 + x

x = np.ones((20000, 64), np.float32)
assert (wide(x) == x).all()
print(_tegula.process_compile_count(), int("libLLVM" in open("/proc/self/maps").read()))
"""


def test_threads_are_found_wherever_the_package_is(tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(textwrap.dedent(THREADED))
    assert run(script, tmp_path, OMP_NUM_THREADS="2") == ([1, 1], "")
    assert run(script, tmp_path, OMP_NUM_THREADS="2") == ([0, 0], "")


def test_a_library_says_nothing_of_where_tegula_is(tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(textwrap.dedent(THREADED))
    run(script, tmp_path)
    (library,) = [path for path in (tmp_path / "cache").glob("*.so") if path.read_bytes().startswith(b"\x7fELF")]
    code = library.read_bytes()
    assert b"tegulaParallelFor" in code
    assert b"llvm" not in code
    assert str(BUILD).encode() not in code


def test_errors_of_the_machine_are_not_those_of_the_kernel(tmp_path):
    @pl.jit
    def triple(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * 3.0

    with pytest.raises(tegula.ResourceError, match="cannot write '/nowhere/lib.so': No such file or directory"):
        triple.export("/nowhere/lib.so")
    with pytest.raises(tegula.ResourceError, match="cannot write '/dev/full'|it is not a regular file"):
        triple.export("/dev/full")

    @pl.jit
    def short(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * 3.0

    with pytest.raises(tegula.CallError, match="no C function can be called 'short'"):
        short.export(tmp_path / "lib.so")


def test_a_file_table_that_is_full_is_an_error_of_the_machine(tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(
        textwrap.dedent(
            """
            import os
            import numpy as np
            import tegula
            import tegula.language as pl

            tegula.config.cache = "off"
            M = pl.dynamic("M")

            @pl.jit
            def first(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
                out[:] = x * 3.0

            @pl.jit
            def second(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
                out[:] = x * 4.0

            x = np.ones(5, np.float32)
            first(x)
            open_files = []
            try:
                while True:
                    open_files.append(open("/dev/null"))
            except OSError:
                pass
            try:
                second(x)
            except tegula.ResourceError as error:
                message = str(error)
            for file in open_files:
                file.close()
            assert (second(x) == 4 * x).all()
            print(1 if "Too many open files" in message else 0)
            """
        )
    )
    assert run(script, tmp_path) == ([1], "")
