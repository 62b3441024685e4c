# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products as Hopper chips run them, on this processor: sizes around tiles, and factors that are copied first."""

import functools

import ml_dtypes
import numpy as np
import pytest
from tegula_library import ROOT, Kernel

BF16 = ml_dtypes.bfloat16
# One element, tiles of 128 rows, 128, 192 or 256 columns, 64 summed up, rings of buffers, more tiles than processors.
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


# Of Hopper chips, in tiles, and the plain form.
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


def test_half_precision(tmp_path):
    path = tmp_path / "linear.py"
    path.write_text((ROOT / "bench/linear.py").read_text().replace("BF16", "FP16"))
    kernel = Kernel(path, name="linear", target="cuda:emulate")
    random = np.random.default_rng(0)
    a, b, c = (make(random, rows, columns, dtype=np.float16) for rows, columns in ((70, 129), (129, 130), (70, 130)))
    kernel(a, b, c)
    assert_right(c, a.astype(np.float32) @ b.astype(np.float32), 1)
