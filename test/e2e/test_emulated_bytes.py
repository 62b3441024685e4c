# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls of INT8, UINT8 and FP8 as GPUs run them, on this processor: sizes around tiles, operands of every layout, the
largest integers, and epilogues. FP8 becomes FP16, or stays what it is where that is asked for."""

import functools

import ml_dtypes
import numpy as np
import pytest
from tegula_library import Kernel, KernelError

SOURCE = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def plain(a: pl.Tensor[[M, K], pl.{0}], b: pl.Tensor[[K, N], pl.{0}], c: pl.Out[pl.Tensor[[M, N], pl.{1}]]):
    c[:] = pl.matmul(a, b, out_dtype=pl.{1}, precision={2})


@pl.jit
def right_transposed(a: pl.Tensor[[M, K], pl.{0}], b: pl.Tensor[[N, K], pl.{0}], c: pl.Out[pl.Tensor[[M, N], pl.{1}]]):
    c[:] = pl.matmul(a, b, b_trans=True, out_dtype=pl.{1}, precision={2})


@pl.jit
def layer(
    a: pl.Tensor[[M, K], pl.{0}],
    b: pl.Tensor[[N, K], pl.{0}],
    scale: pl.Tensor[[1, N], pl.FP32],
    residual: pl.Tensor[[M, N], pl.BF16],
    c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    s = pl.cast(pl.matmul(a, b, b_trans=True, out_dtype=pl.{1}, precision={2}), pl.FP32) * scale
    c[:] = pl.maximum(s, 0.0) + pl.cast(residual, pl.FP32)


@pl.jit
def in_tiles(a: pl.Tensor[[M, K], pl.{0}], b: pl.Tensor[[K, N], pl.{0}], c: pl.Out[pl.Tensor[[M, N], pl.{1}]]):
    for i in pl.parallel(0, M, 32):
        for j in pl.range(0, N, 64):
            acc = pl.full([32, 64], pl.{1}, 3)
            for k in pl.range(0, K, 32):
                acc = pl.matmul_acc(acc, a[i : i + 32, k : k + 32], b[k : k + 32, j : j + 64], precision={2})
            c[i : i + 32, j : j + 64] = acc
"""
TYPES = {
    "INT8": (np.int8, "INT32"),
    "UINT8": (np.uint8, "INT32"),
    "FP8E4M3FN": (ml_dtypes.float8_e4m3fn, "FP32"),
    "FP8E5M2": (ml_dtypes.float8_e5m2, "FP32"),
}
# Their accumulators may have fewer bits.
ROUNDED = {f"{dtype} as FP8": TYPES[dtype] for dtype in ("FP8E4M3FN", "FP8E5M2")}
TYPES |= ROUNDED
HOPPER, TILES = "cuda:emulate", "cuda:emulate-sm_80"
# One element, 32 summed up by an instruction and 128 by a step, 64 and 128 rows, 128, 192 and 256 columns, steps that
# two blocks share, and more tiles than SMs.
SHAPES = [(1, 1, 1), (7, 5, 31), (63, 65, 32), (64, 64, 33), (65, 63, 127), (129, 257, 128), (127, 131, 129)]
SHAPES += [(5, 100, 5003), (300, 521, 257)]
EMPTY = [(0, 5, 5), (5, 0, 5), (5, 5, 0)]
LAYOUTS = ("aligned", "rows", "columns", "odd columns", "apart", "shifted")


@functools.cache
def find_kernel(folder, dtype, name, target):
    path = folder / f"{dtype.replace(' ', '_')}.py"
    if not path.exists():
        path.write_text(SOURCE.format(dtype.split()[0], TYPES[dtype][1], '"fp8"' if dtype in ROUNDED else None))
    return Kernel(path, name=name, target=target)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return functools.partial(find_kernel, tmp_path_factory.mktemp("bytes"))


def make(random, rows, columns, dtype, layout="rows"):
    """A matrix whose rows begin at multiples of 16 bytes if that is said, or one that lies in another way."""
    if layout.endswith("columns"):
        return make(random, columns, rows, dtype, "aligned" if layout == "columns" else "rows").T
    type_ = TYPES[dtype][0]
    step = 2 if layout == "apart" else 1
    pitch = -(-columns // 16) * 16 if layout == "aligned" else step * columns + (3 if layout == "shifted" else 0)
    memory = np.full(rows * pitch + 64, 99, np.uint8)
    start = -memory.ctypes.data % 64 + (layout == "shifted")
    matrix = memory[start : start + rows * pitch].view(type_).reshape(rows, pitch)[:, : step * columns : step]
    if dtype.endswith("INT8"):
        matrix[...] = random.integers(np.iinfo(type_).min, np.iinfo(type_).max + 1, (rows, columns))
    else:
        matrix[...] = random.standard_normal((rows, columns))
    return matrix


def assert_matmul(kernel, a, b, c, dtype):
    """Whether results are right: integers to the bit."""
    kernel(a, b, c)
    left, right = a.astype(np.float64), b.astype(np.float64)
    assert_near(c, left @ right, np.abs(left) @ np.abs(right), dtype)


def assert_near(found, wanted, size, dtype):
    if dtype.endswith("INT8"):
        np.testing.assert_array_equal(found, wanted)
    else:
        assert (np.abs(found - wanted) <= 1e-6 * size).all()


def result(rows, columns, dtype, pad=0):
    return np.full((rows, columns + pad), -7, np.dtype(TYPES[dtype][1].lower().replace("fp", "float")))[:, :columns]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("target", [HOPPER, TILES])
def test_sizes(kernels, dtype, target):
    kernel = kernels(dtype, "plain", target)
    for m, n, k in SHAPES + EMPTY if target == HOPPER else SHAPES[:5]:
        random = np.random.default_rng(m + n + k)
        assert_matmul(kernel, make(random, m, k, dtype), make(random, k, n, dtype), result(m, n, dtype), dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("left", LAYOUTS)
def test_layouts(kernels, dtype, left):
    for name in ("plain", "right_transposed"):
        kernel = kernels(dtype, name, HOPPER)
        for number, right in enumerate(LAYOUTS):
            m, n, k = ((66, 70, 35), (131, 141, 203))[number % 2]
            random = np.random.default_rng(number)
            a, c = make(random, m, k, dtype, left), result(m, n, dtype, number % 3)
            if name == "plain":
                assert_matmul(kernel, a, make(random, k, n, dtype, right), c, dtype)
                continue
            b = make(random, n, k, dtype, right)
            assert_matmul(lambda a, b, c: kernel(a, b.T, c), a, b.T, c, dtype)  # noqa: B023


@pytest.mark.parametrize("dtype, numbers", [("INT8", (-128, -128)), ("INT8", (-128, 127)), ("UINT8", (255, 255))])
def test_largest_integers(kernels, dtype, numbers):
    kernel = kernels(dtype, "plain", HOPPER)
    for m, n, k in ((3, 130, 2049), (130, 7, 1000)):
        type_ = TYPES[dtype][0]
        a, b = np.full((m, k), numbers[0], type_), np.full((k, n), numbers[1], type_)
        c = result(m, n, dtype)
        kernel(a, b, c)
        assert (c == k * numbers[0] * numbers[1]).all()


def test_sums_go_round_as_on_cpus(kernels):
    """INT32 has no room for so many: what is left is the same as everywhere."""
    k = 33100
    a, b = np.full((2, k), 255, np.uint8), np.full((k, 9), 255, np.uint8)
    found, wanted = result(2, 9, "UINT8"), result(2, 9, "UINT8")
    kernels("UINT8", "plain", HOPPER)(a, b, found)
    kernels("UINT8", "plain", "")(a, b, wanted)
    assert (found < 0).all()
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", TYPES)
def test_what_follows(kernels, dtype):
    kernel = kernels(dtype, "layer", HOPPER)
    for m, n, k in ((1, 1, 1), (65, 136, 144), (3, 129, 700), (300, 200, 1100), (0, 5, 5)):
        random = np.random.default_rng(k)
        a, b = make(random, m, k, dtype, "aligned"), make(random, n, k, dtype)
        scale = random.random((1, n), np.float32) / 1000
        residual = random.standard_normal((m, n)).astype(ml_dtypes.bfloat16)
        c = np.zeros((m, n), np.float32)
        kernel(a, b, scale, residual, c)
        left, right = a.astype(np.float64), b.astype(np.float64).T
        wanted = np.maximum((left @ right) * scale, 0) + residual.astype(np.float64)
        size = (np.abs(left) @ np.abs(right)) * scale + np.abs(residual.astype(np.float64))
        assert (np.abs(c - wanted) <= 1e-6 * size).all()


@pytest.mark.parametrize("dtype", TYPES)
def test_loops_over_tiles(kernels, dtype):
    kernel = kernels(dtype, "in_tiles", HOPPER)
    for m, n, k in ((1, 1, 1), (31, 65, 33), (70, 129, 100)):
        random = np.random.default_rng(k)
        a, b, c = make(random, m, k, dtype), make(random, k, n, dtype), result(m, n, dtype)
        kernel(a, b, c)
        left, right = a.astype(np.float64), b.astype(np.float64)
        assert_near(c, left @ right + 3, np.abs(left) @ np.abs(right) + 3, dtype)


@pytest.mark.parametrize("dtype", ["FP8E4M3FN", "FP8E5M2", *ROUNDED])
def test_all_values(kernels, dtype):
    """Each of the 256 values times 1, as stored and transposed: NaN and infinities, too."""
    kernel = kernels(dtype, "plain", HOPPER)
    type_ = TYPES[dtype][0]
    values = np.arange(256, dtype=np.uint8).view(type_).reshape(256, 1)
    one, c = np.ones((1, 1), type_), np.zeros((256, 1), np.float32)
    for matrix in (values, np.repeat(values, 2, axis=1)[:, :1], np.repeat(values, 16, axis=1)[:, :1]):
        kernel(matrix, one, c)
        np.testing.assert_array_equal(c, values.astype(np.float32))
    c = np.zeros((1, 256), np.float32)
    kernel(one, np.ascontiguousarray(values.T), c)
    np.testing.assert_array_equal(c, values.astype(np.float32).T)


@pytest.mark.parametrize("dtype", ROUNDED)
@pytest.mark.parametrize("target", ["", "interpreter", "cuda:emulate-sm_70"])
def test_others_are_exact(kernels, dtype, target):
    random = np.random.default_rng(1)
    a, b = make(random, 33, 200, dtype), make(random, 200, 17, dtype)
    assert_matmul(kernels(dtype, "plain", target), a, b, result(33, 17, dtype), dtype)


def test_eight_bits_are_for_eight_bits(tmp_path):
    path = tmp_path / "wide.py"
    path.write_text(SOURCE.format("FP16", "FP32", '"fp8"'))
    with pytest.raises(KernelError, match="precision 'fp8' is for operands of FP8, got"):
        Kernel(path, name="plain")
