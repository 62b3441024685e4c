# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls as Hopper chips run them, on this processor: sizes around tiles, and operands that are copied first."""

import functools

import ml_dtypes
import numpy as np
import pytest
from tegula_library import ROOT, Kernel

BF16 = ml_dtypes.bfloat16
# One element, tiles of 128 rows, 128, 192 or 256 columns, 64 summed up, rings of buffers, more tiles than SMs.
SHAPES = [(1, 1, 1), (7, 8, 64), (128, 128, 64), (129, 193, 65), (64, 257, 500), (300, 520, 130)]
# So many steps that two blocks share them; nothing.
SHAPES += [(5, 100, 2500), (3, 0, 5), (3, 5, 0)]


def make(random, rows, columns, layout="rows", dtype=BF16):
    """A matrix whose rows begin at multiples of 16 bytes if that is said, or one that lies in another way."""
    pitch = -(-columns // 8) * 8 if layout == "aligned" else columns + (3 if layout == "apart" else 0)
    if layout == "columns":
        return make(random, columns, rows, "aligned", dtype).T
    memory = np.zeros(2 * rows * pitch + 96, np.uint8)
    start = -memory.ctypes.data % 64 + (2 if layout == "shifted" else 0)
    matrix = memory[start : start + 2 * rows * pitch].view(dtype).reshape(rows, pitch)[:, :columns]
    matrix[...] = random.standard_normal((rows, columns))
    return matrix


def assert_right(found, wanted, depth):
    np.testing.assert_allclose(found.astype(np.float32), wanted, rtol=2e-2, atol=1e-3 * max(depth, 1))


@functools.cache
def find_kernel(name, target):
    return Kernel(ROOT / "bench/linear.py", name=name, target=target)


# Of Hopper chips, in tiles, and the fallback.
@pytest.mark.parametrize("target", ["cuda:emulate", "cuda:emulate-sm_80", "cuda:emulate-sm_120", "cuda:emulate-sm_70"])
def test_linear(target):
    kernel = find_kernel("linear", target)
    for m, n, k in SHAPES if target == "cuda:emulate" else [*SHAPES[:3], *SHAPES[-2:]]:
        random = np.random.default_rng(m + n + k)
        a, b, c = make(random, m, k), make(random, k, n), make(random, m, n)
        kernel(a, b, c)
        assert_right(c, a.astype(np.float32) @ b.astype(np.float32), k)


# Blocks with one to four tiles, read and written eight, two and one column at a time.
@pytest.mark.parametrize("m, n", [(400, 128), (1000, 104), (1300, 98), (700, 101)])
def test_groups_share_the_last_tile(m, n):
    kernel = find_kernel("linear_silu", "cuda:emulate")
    for k in (448, 512, 640):
        random = np.random.default_rng(m + k)
        a, b = make(random, m, k), make(random, k, n, "aligned")
        bias, residual, c = make(random, 1, n), make(random, m, n), make(random, m, n)
        kernel(a, b, bias, residual, c)
        sums = a.astype(np.float64) @ b.astype(np.float64) + bias.astype(np.float64)
        assert_right(c, sums / (1 + np.exp(-sums)) + residual.astype(np.float64), k)


@pytest.mark.parametrize("left", ["aligned", "rows", "columns", "apart", "shifted"])
def test_layouts(left):
    kernel = find_kernel("linear_silu", "cuda:emulate")
    m, n, k = 131, 141, 203
    for right in ("aligned", "columns", "apart"):
        random = np.random.default_rng(k)
        a, b = make(random, m, k, left), make(random, k, n, right)
        bias, residual, c = make(random, 1, n), make(random, m, n, left), make(random, m, n)
        kernel(a, b, bias, residual, c)
        sums = a.astype(np.float32) @ b.astype(np.float32) + bias.astype(np.float32)
        assert_right(c, sums / (1 + np.exp(-sums)) + residual.astype(np.float32), k)


GATED = """
import tegula.language as pl

M, N, K = pl.dynamic("M"), pl.dynamic("N"), pl.dynamic("K")


@pl.jit
def gated(
    a: pl.Tensor[[M, K], pl.BF16],
    b: pl.Tensor[[K, N], pl.BF16],
    gate: pl.Tensor[[M, N], pl.GATE],
    scale: pl.Tensor[[1, N], pl.FP32],
    more: pl.Tensor[[M, N], pl.BF16],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    acc = pl.matmul(a, b, out_dtype=pl.FP32)
    c[:] = acc * pl.cast(gate, pl.FP32) + scale * pl.cast(more, pl.FP32)
"""


# Tiles of 256, 192 and 128 columns, alone, one below the other and with ping-pong; boxes that are quick and others, which
# blocks of a cluster share. The epilogue operand is copied to the ring, in one, two or four buffers.
@pytest.mark.parametrize("gate", ["BF16", "FP16", "FP32", "INT32", "INT8"])
def test_epilogue_operands(tmp_path, gate):
    path = tmp_path / "gated.py"
    path.write_text(GATED.replace("pl.GATE", f"pl.{gate}"))
    kernel = Kernel(path, name="gated", target="cuda:emulate")
    dtypes = {"BF16": BF16, "FP16": np.float16, "FP32": np.float32, "INT32": np.int32, "INT8": np.int8}
    for m, n, k in [(1, 8, 8), (130, 104, 192), (128, 200, 200), (384, 256, 64), (300, 392, 200), (200, 768, 136)]:
        random = np.random.default_rng(m + n)
        a, b, more = make(random, m, k), make(random, k, n, "aligned"), make(random, m, n, "aligned")
        values = random.integers(-9, 9, (m + 1, n + 8)).astype(dtypes[gate])
        scale, c = random.standard_normal((1, n)).astype(np.float32), np.empty((m, n), np.float32)
        products = a.astype(np.float64) @ b.astype(np.float64)
        # Aligned, with gaps, not aligned, and the same row again and again.
        for gates in (values[:m, :n], values[1:, 8:], values[1:, 3 : n + 3], np.broadcast_to(values[0, :n], (m, n))):
            c.fill(np.nan)
            kernel(a, b, gates, scale, more, c)
            wanted = products * gates.astype(np.float64) + scale.astype(np.float64) * more.astype(np.float64)
            np.testing.assert_allclose(c, wanted, rtol=1e-4, atol=1e-3 * k)


# Two neighbours share an inverse: neither sees the other's NaN, nor how large it is.
def test_silu_of_any_neighbours():
    kernel = find_kernel("linear_silu", "cuda:emulate")
    values = np.float32([np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 20, -20, -40, -60, -87, -100, 3e38, -3e38, 1e-30])
    pairs = np.stack(np.meshgrid(values, values), -1).reshape(1, -1).astype(BF16)
    n = pairs.shape[1]
    a, b = np.zeros((3, 8), BF16), np.zeros((8, n), BF16)
    residual, c = np.zeros((3, n), BF16), np.empty((3, n), BF16)
    kernel(a, b, pairs, residual, c)
    x = pairs.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        wanted = x / (1 + np.exp(-x))
    # NumPy has -inf / inf as NaN, as IEEE has.
    np.testing.assert_allclose(c.astype(np.float64), np.broadcast_to(wanted, c.shape), rtol=1e-2, atol=1e-17)


def test_half_precision(tmp_path):
    path = tmp_path / "linear.py"
    path.write_text((ROOT / "bench/linear.py").read_text().replace("BF16", "FP16"))
    kernel = Kernel(path, name="linear", target="cuda:emulate")
    random = np.random.default_rng(0)
    a, b, c = (make(random, rows, columns, dtype=np.float16) for rows, columns in ((70, 129), (129, 130), (70, 130)))
    kernel(a, b, c)
    assert_right(c, a.astype(np.float32) @ b.astype(np.float32), 1)
