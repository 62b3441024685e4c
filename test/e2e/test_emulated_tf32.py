# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls that may round FP32 to TF32, as GPUs run them, on this processor: sizes around tiles, operands of every
layout, and epilogues."""

import functools

import numpy as np
import pytest
from tegula_library import Kernel, KernelError

SOURCE = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def plain(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b, precision="tf32")


@pl.jit
def right_transposed(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[N, K], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b, b_trans=True, precision="tf32")


@pl.jit
def both_transposed(a: pl.Tensor[[K, M], pl.FP32], b: pl.Tensor[[N, K], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b, a_trans=True, b_trans=True, precision="tf32")


@pl.jit
def layer(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], bias: pl.Tensor[[1, N], pl.FP32], residual: pl.Tensor[[M, N], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    s = pl.matmul_bias(a, b, bias, precision="tf32")
    c[:] = pl.maximum(s, 0.0) * 0.5 + pl.cast(residual, pl.FP32)


@pl.jit
def in_tiles(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 32):
        for j in pl.range(0, N, 64):
            acc = pl.full([32, 64], pl.FP32, 0.0)
            for k in pl.range(0, K, 32):
                acc = pl.matmul_acc(acc, a[i : i + 32, k : k + 32], b[k : k + 32, j : j + 64], precision="tf32")
            c[i : i + 32, j : j + 64] = acc


@pl.jit
def of_two(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = pl.matmul(a, b, precision="tf32") - pl.matmul(a, b)
"""
# One element, tiles of 64 and 128 rows and columns and those of 256 columns, K of 16 or 32, rings of buffers, split-K,
# more tiles than SMs.
SHAPES = [
    (1, 1, 1),
    (7, 5, 3),
    (63, 65, 15),
    (64, 64, 16),
    (65, 63, 17),
    (127, 131, 67),
    (129, 257, 40),
    (61, 59, 1031),
]
SHAPES += [(31, 33, 32), (128, 192, 31), (257, 127, 33), (300, 521, 130), (400, 128, 300), (5, 100, 1300)]
EMPTY = [(0, 5, 5), (5, 0, 5), (5, 5, 0)]
LAYOUTS = ("aligned", "rows", "columns", "apart", "shifted")
HOPPER, TILES = "cuda:emulate", "cuda:emulate-sm_80"


@functools.cache
def find_kernel(folder, name, target):
    path = folder / "tf32.py"
    if not path.exists():
        path.write_text(SOURCE)
    return Kernel(path, name=name, target=target)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return functools.partial(find_kernel, tmp_path_factory.mktemp("tf32"))


def make(random, rows, columns, layout="rows"):
    """A matrix whose rows begin at multiples of 16 bytes if that is said, or one that lies in another way."""
    if layout == "columns":
        return make(random, columns, rows, "aligned").T
    step = 2 if layout == "apart" else 1
    pitch = -(-columns // 4) * 4 if layout == "aligned" else step * columns + (3 if layout == "shifted" else 0)
    memory = np.full(rows * pitch + 32, 1e30, np.float32)
    start = -memory.ctypes.data % 64 // 4 + (layout == "shifted")
    matrix = memory[start : start + rows * pitch].reshape(rows, pitch)[:, : step * columns : step]
    matrix[...] = random.standard_normal((rows, columns))
    return matrix


def rounded(matrix, target):
    """In the middle copies of Hopper chips round to even, instructions of others away from zero."""
    bits = np.ascontiguousarray(matrix).view(np.uint32)
    half = 0xFFF + (bits >> 13) % 2 if target == HOPPER else 0x1000
    return ((bits + half) & 0xFFFFE000).astype(np.uint32).view(np.float32)


def multiply(a, b, target):
    """The matmul of rounded operands, and the size of its terms."""
    left, right = (rounded(operand, target).astype(np.float64) for operand in (a, b))
    return left @ right, np.abs(left) @ np.abs(right)


def assert_near(found, wanted, size):
    assert not np.isnan(found).any()
    assert (np.abs(found - wanted) <= 1e-6 * size).all()


@pytest.mark.parametrize("target", [HOPPER, TILES, "cuda:emulate-sm_120"])
def test_sizes(kernels, target):
    kernel = kernels("plain", target)
    for m, n, k in SHAPES[::3] if target == "cuda:emulate-sm_120" else SHAPES + EMPTY:
        random = np.random.default_rng(m + n + k)
        a, b, c = make(random, m, k), make(random, k, n), make(random, m, n)
        kernel(a, b, c)
        assert_near(c, *multiply(a, b, target))


@pytest.mark.parametrize("name", ["plain", "right_transposed", "both_transposed"])
@pytest.mark.parametrize("left", LAYOUTS)
@pytest.mark.parametrize("target", [HOPPER, TILES])
def test_layouts(kernels, name, left, target):
    kernel = kernels(name, target)
    for number, right in enumerate(LAYOUTS):
        m, n, k = ((66, 70, 35), (131, 67, 33) if target == TILES else (131, 140, 141))[number % 2]
        random = np.random.default_rng(number)
        a, b = make(random, m, k, left), make(random, k, n, right)
        if name == "both_transposed":
            a = make(random, k, m, left).T
        if name != "plain":
            b = make(random, n, k, right).T
        c = make(random, m, n, ("rows", "aligned", "shifted")[number % 3])
        kernel(a.T if name == "both_transposed" else a, b if name == "plain" else b.T, c)
        assert_near(c, *multiply(a, b, target))


@pytest.mark.parametrize("target", [HOPPER, TILES])
def test_what_follows(kernels, target):
    import ml_dtypes

    kernel = kernels("layer", target)
    for m, n, k in ((1, 1, 1), (65, 130, 31), (3, 129, 700), (400, 136, 260), (0, 5, 5)):
        random = np.random.default_rng(k)
        a, b, bias, c = make(random, m, k), make(random, k, n), make(random, 1, n), make(random, m, n)
        residual = random.standard_normal((m, n)).astype(ml_dtypes.bfloat16)
        kernel(a, b, bias, residual, c)
        wanted, size = multiply(a, b, target)
        wanted = np.maximum(wanted + bias, 0) * 0.5 + residual.astype(np.float64)
        assert_near(c, wanted, size + np.abs(bias) + np.abs(residual.astype(np.float64)))


@pytest.mark.parametrize("target", [HOPPER, TILES])
def test_loops_over_tiles(kernels, target):
    kernel = kernels("in_tiles", target)
    for m, n, k in ((1, 1, 1), (31, 65, 33), (70, 129, 100)):
        random = np.random.default_rng(k)
        a, b, c = make(random, m, k), make(random, k, n), make(random, m, n)
        kernel(a, b, c)
        assert_near(c, *multiply(a, b, target))


@pytest.mark.parametrize("target", [HOPPER, TILES])
def test_numbers_that_are_none(kernels, target):
    """NaN and infinities stay what they are, and the largest numbers become infinite as TF32 has none as large."""
    kernel = kernels("plain", target)
    numbers = [0x7F800000, 0xFF800000, 0x7FC00000, 0x7FFFFFFF, 0xFFFFFFFF, 0x7F7FFFFF, 0x7F7FEFFF, 1, 0x80000000]
    a = np.array(numbers, np.uint32).view(np.float32).reshape(-1, 1)
    c = np.zeros_like(a)
    kernel(a, np.ones((1, 1), np.float32), c)
    wanted = np.array([np.inf, -np.inf, *[np.nan] * 3, np.inf, 0, 0, 0], np.float32)
    wanted[6] = np.array(0x7F7FE000, np.uint32).view(np.float32)
    np.testing.assert_array_equal(c[:, 0], wanted)


@pytest.mark.parametrize("target", ["", "interpreter", "cuda:emulate-sm_70"])
def test_others_do_not_round(kernels, target):
    kernel = kernels("plain", target)
    random = np.random.default_rng(1)
    a, b, c = make(random, 33, 20), make(random, 20, 17), make(random, 33, 17)
    kernel(a, b, c)
    left, right = a.astype(np.float64), b.astype(np.float64)
    assert_near(c, left @ right, np.abs(left) @ np.abs(right))


def test_two_precisions_are_two_matmuls(kernels):
    """One may be rounded where there are tensor cores, the other is exact: they never become one."""
    for target in ("", HOPPER, TILES):
        random = np.random.default_rng(2)
        a, b, c = make(random, 9, 20), make(random, 20, 17), make(random, 9, 17)
        kernels("of_two", target)(a, b, c)
        assert (np.abs(c) <= (2e-2 if target else 1e-5)).all()
        assert not target or (np.abs(c) > 1e-5).any()


def test_other_operands_are_refused(tmp_path):
    path = tmp_path / "halves.py"
    path.write_text(SOURCE.replace("[M, K], pl.FP32", "[M, K], pl.BF16").replace("[K, N], pl.FP32", "[K, N], pl.BF16"))
    with pytest.raises(KernelError, match="precision 'tf32' is for operands of FP32, got"):
        Kernel(path, name="plain")
