# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels print and assert while they run, on every target, and what is said while compiling."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")

TARGETS = ["interpreter", "interpreter:inferred", "interpreter:tiles", "cpu", "npu:tpuv3", "cuda:emulate"]
on_every_target = pytest.mark.parametrize("target", TARGETS)


@pl.jit.inline
def helper(t, j):
    pl.print("in helper", j, t)


@pl.jit
def printing(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    pl.print("all of {", M, "}", N)
    for i in pl.parallel(0, M, 2):
        rows = x[i : i + 2, :] + 1
        pl.print(f"rows {rows} of {M}")
        for j in pl.range(2):
            helper(rows, j)
        pl.print("done")
        y[i : i + 2, :] = rows


def expected(x):
    lines = [f"all of {{ {x.shape[0]} }} {x.shape[1]}"]
    for i in range(0, x.shape[0], 2):
        rows = x[i : i + 2] + 1
        lines.append(f"[i={i}] rows {rows} of {x.shape[0]}")
        lines += [f"[i={i}, j={j}] in helper {j} {rows}" for j in range(2)]
        lines.append(f"[i={i}] done")
    return "\n".join(lines) + "\n"


def records(text):
    """What each print printed, sorted: continuation lines begin with a space."""
    return sorted(text.replace("\n ", "\r").splitlines())


@on_every_target
@pytest.mark.parametrize("shape", [(5, 3), (1, 1), (0, 4), (4, 0)])
def test_prints_are_those_of_numpy(target, shape, capsys):
    x = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
    with tegula.config(target=target):
        np.testing.assert_array_equal(printing(x), x + 1)
    assert records(capsys.readouterr().out) == records(expected(x))


@on_every_target
def test_prints_of_one_iteration_keep_their_order(target, capsys):
    x = np.zeros((6, 2), np.int32)
    with tegula.config(target=target):
        printing(x)
    lines = capsys.readouterr().out.replace("\n ", "").splitlines()
    for i in range(0, 6, 2):
        words = [line.split("] ")[1].split()[0] for line in lines if line.startswith(f"[i={i}")]
        assert words == ["rows", "in", "in", "done"]


DTYPES = {
    "BOOL": np.bool_,
    **{f"{kind.upper()}{bits}": np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    "FP16": np.float16,
    "FP32": np.float32,
    "FP64": np.float64,
}


@pytest.mark.parametrize("target", ["interpreter", "cpu", "cuda:emulate"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_is_printed(dtype, target, capsys):
    element = getattr(pl, dtype)

    @pl.jit
    def typed(x: pl.Tensor[[N], element], y: pl.Out[pl.Tensor[[N], element]]):
        pl.print(x)
        pl.print(x[1])
        y[:] = x

    x = np.array([0, 1, 1, 0] if dtype == "BOOL" else [1, 0.5, 100, 7]).astype(DTYPES[dtype])
    with tegula.config(target=target):
        typed(x)
    assert capsys.readouterr().out == f"{x}\n{x[1]}\n"


@pytest.mark.parametrize("target", ["interpreter", "cpu", "cuda:emulate"])
def test_large_tensors_are_shortened(target, capsys):
    @pl.jit
    def large(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
        pl.print(x)
        y[:] = x

    for shape in [(300, 40), (2, 2000), (40, 25), (1001, 1)]:
        x = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
        with tegula.config(target=target):
            large(x)
        assert capsys.readouterr().out == f"{x}\n"


@pl.jit
def asserting(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 2):
        for j in pl.range(N):
            pl.assert_(x[i, j] < 8.0, "small")
        rows = x[i : i + 2, :]
        pl.assert_(rows >= 0.0)
        y[i : i + 2, :] = rows


@on_every_target
def test_an_assertion_says_where_and_when(target):
    x = np.ones((6, 3), np.float32)
    with tegula.config(target=target):
        np.testing.assert_array_equal(asserting(x), x)
        x[4, 1] = 9.0
        with pytest.raises(
            tegula.RunError,
            match=r"test_print.py:\d+:\d+: assertion failed in 'asserting': small, where i is 4 and j is 1$",
        ):
            asserting(x)
        x[4, 1] = 1.0
        x[3, 2] = -1.0
        with pytest.raises(
            tegula.RunError, match=r"test_print.py:\d+:\d+: assertion failed in 'asserting', where i is 2$"
        ):
            asserting(x)
        np.testing.assert_array_equal(asserting(np.abs(x)), np.abs(x))


@pl.jit.inline
def positive(t, least):
    pl.assert_(t > least, "positive")


@pl.jit
def asking(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    positive(x[0:1, :], 0.0)
    positive(x[1:3, :], 1.0)
    positive(x[0:4, :], 2)
    y[:] = x


@pytest.mark.parametrize("target", ["interpreter", "cpu"])
def test_an_assertion_names_the_helper_as_its_author_does(target):
    x = np.full((5, 3), 3.0, np.float32)
    with tegula.config(target=target):
        np.testing.assert_array_equal(asking(x), x)
        for row, least in ((0, 0.0), (1, 1.0), (3, 2.0)):
            low = x.copy()
            low[row, 1] = least
            with pytest.raises(tegula.RunError, match=r"assertion failed in 'positive': positive"):
                asking(low)


def test_static_print_prints_when_a_kernel_is_made(capsys):
    rows = 4

    @pl.jit
    def said(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        pl.static_print("rows", rows, x)
        y[:] = x

    said(np.zeros(3, np.float32))
    said(np.zeros(4, np.float32))
    assert capsys.readouterr().out == "rows 4 a tensor [?] of FP32\n"


def test_compiles_are_logged_with_their_reason(capfd):
    rows = 4

    @pl.jit
    def logged(x: pl.Tensor, n, y: pl.Out[pl.Tensor]):
        for _i in pl.unroll(n):
            y[:] = x + rows

    def call(dtype, size, n):
        x = np.zeros(size, dtype)
        logged(x, n, np.zeros_like(x))
        return capfd.readouterr().err

    with tegula.config(log="compiles", cache="off"):
        first = call(np.float32, 3, 2)
        assert first.startswith("tegula: compiled logged in ")
        assert "front end" in first and "passes" in first and "code" in first
        assert first.endswith("): the first call\n")
        assert call(np.float32, 3, 2) == ""
        assert "'x' holds FP64, not FP32" in call(np.float64, 3, 2)
        assert "'n' is 3, not 2" in call(np.float64, 3, 3)
        rows = 5
        assert call(np.float64, 3, 3).endswith("): rows changed from 4 to 5\n")
        # The nearest of what there is, not the latest.
        assert "): 'x' holds FP32, not FP64; 'n' is 6, not 3 (" in call(np.float32, 4, 6)
        last = call(np.float64, 3, 6)
        assert "): 'n' is 6, not 3 (" in last and "holds" not in last
        with tegula.config(target="interpreter"):
            assert call(np.float64, 3, 3).endswith("): the target changed from cpu to interpreter\n")
        assert call(np.float64, 3, 3) == ""
        rows = 6
        with tegula.config(target="interpreter"):
            assert call(np.float64, 3, 3).endswith("): rows changed from 5 to 6\n")
        rows = 5
    assert "captures rows = 5" in logged.explain()
    assert call(np.float32, 7, 1) == ""
    with pytest.raises(ValueError, match="log is 'compiles' or ''"):
        tegula.config.log = "everything"


@pl.jit
def shaped(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]], z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = x.T
    z[:] = x - x[0, :][None, :] + x[:, 0][:, None]


@pytest.mark.parametrize("target", ["interpreter", "cpu"])
def test_transposes_and_new_axes_as_in_numpy(target):
    x = np.random.default_rng(0).standard_normal((5, 70), np.float32)
    y, z = np.zeros((70, 5), np.float32), np.zeros((5, 70), np.float32)
    with tegula.config(target=target):
        shaped(x, y, z)
    np.testing.assert_array_equal(y, x.T)
    np.testing.assert_allclose(z, x - x[0, :][None, :] + x[:, 0][:, None], rtol=1e-6)


def test_time_is_measured_and_explained():
    x = np.random.default_rng(0).standard_normal((64, 64), np.float32)
    y, z = np.zeros_like(x), np.zeros_like(x)
    timing = shaped.bench(x, y, z, seconds=0.01)
    assert timing.calls >= 3 and 0 < timing.least <= timing.seconds
    assert timing.bytes == 3 * x.nbytes
    assert "GB/s" in repr(timing)
    text = shaped.explain(x, y, z, perf=True)
    assert "arithmetic" in text and "B/s, at which one core copies as much" in text
    assert "y[:] = x.T" in text
    with pytest.raises(ValueError, match="seconds is a time"):
        shaped.bench(x, y, z, seconds=-1)


def test_an_unknown_log_is_reported_once(tmp_path):
    program = (
        "import numpy as np, tegula.language as pl\n"
        "M = pl.dynamic('M')\n"
        "@pl.jit\n"
        "def twice(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):\n"
        "    y[:] = x * 2.0\n"
        "twice(np.ones(3, np.float32))\n"
        "twice(np.ones(4, np.float32))\n"
    )
    path = tmp_path / "twice.py"
    path.write_text(program)
    warning = "tegula: warning: TEGULA_LOG can be compiles, not 'bogus'\n"
    # What is on the disk already is not compiled, and it is told all the same.
    for _ in range(2):
        environment = {**os.environ, "TEGULA_LOG": "bogus", "TEGULA_CACHE": "on", "TEGULA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, warning)
