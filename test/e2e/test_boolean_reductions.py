# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions and scans of comparisons: sums are counts, whatever was compared, and extremes are BOOL."""

import ml_dtypes
import numpy as np
import pytest
from kernel_text import write_kernel
from tegula_library import Kernel, KernelError

TARGETS = ["cpu", "interpreter", "npu:tpuv3", "cuda:emulate"]
TYPES = {
    "INT8": np.int8,
    "UINT8": np.uint8,
    "INT64": np.int64,
    "FP8E4M3FN": ml_dtypes.float8_e4m3fn,
    "FP8E5M2": ml_dtypes.float8_e5m2,
    "FP16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "FP32": np.float32,
    "FP64": np.float64,
}
SIZES = [(3, 300), (1, 1), (1, 5003), (300, 2), (0, 5), (4, 0)]
KERNEL = """
def k(x: pl.Tensor[[M, N], pl.{dtype}], rows: pl.Out[pl.Tensor[[M, 1], pl.INT32]],
      columns: pl.Out[pl.Tensor[[N], pl.INT32]], all: pl.Out[pl.Tensor[[1, 1], pl.INT32]],
      means: pl.Out[pl.Tensor[[M], pl.FP32]], mean: pl.Out[pl.Tensor[[1, 1], pl.FP32]],
      running: pl.Out[pl.Tensor[[M, N], pl.INT32]], down: pl.Out[pl.Tensor[[M, N], pl.INT32]],
      most: pl.Out[pl.Tensor[[M, 1], pl.BOOL]], least: pl.Out[pl.Tensor[[1, N], pl.BOOL]],
      so_far: pl.Out[pl.Tensor[[M, N], pl.BOOL]], product: pl.Out[pl.Tensor[[M, 1], pl.INT32]],
      counts: pl.Out[pl.Tensor[[2], pl.INT32]], pair: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    mask = x > 0
    rows[:] = pl.row_sum(mask)
    columns[:] = pl.sum(mask, axis=0, keepdims=False)
    all[:] = pl.sum(mask)
    means[:] = pl.mean(mask, axis=-1, keepdims=False)
    mean[:] = pl.mean(mask, axis=(0, 1))
    running[:] = pl.cumsum(mask)
    down[:] = pl.cumsum(mask, axis=0, initial=7)
    most[:] = pl.row_max(mask)
    least[:] = pl.min(mask, axis=0)
    so_far[:] = pl.cummax(mask, axis=1)
    product[:] = pl.row_prod(mask)
    counts[:] = pl.histogram(mask, 2)
    pair[:] = sum([mask, x > 1])
"""


def count(x: np.ndarray) -> list[np.ndarray]:
    """What the kernel gives, by NumPy."""
    mask = x.astype(np.float64) > 0
    with np.errstate(invalid="ignore"):
        means = mask.sum(1) / np.float64(mask.shape[1])
        mean = np.full((1, 1), mask.sum() / np.float64(mask.size))
    return [
        mask.sum(1, keepdims=True),
        mask.sum(0),
        mask.sum(keepdims=True),
        means,
        mean,
        np.cumsum(mask, 1),
        np.cumsum(mask, 0) + 7,
        mask.any(1, keepdims=True),
        mask.all(0, keepdims=True),
        np.logical_or.accumulate(mask, 1),
        mask.prod(1, keepdims=True),
        np.array([mask.size - mask.sum(), mask.sum()]),
        mask * 1 + (x.astype(np.float64) > 1),
    ]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", TYPES)
def test_counts_do_not_depend_on_what_was_compared(dtype, target, tmp_path):
    kernel = Kernel(write_kernel(KERNEL.format(dtype=dtype), tmp_path), target=target)
    floats = {3: np.float32, 4: np.float32, 7: np.bool_, 8: np.bool_, 9: np.bool_}
    for m, n in SIZES:
        rng = np.random.default_rng(m + n)
        x = rng.choice([0, 1, 2, 3, 5], (m, n), p=[0.02, 0.5, 0.2, 0.2, 0.08]).astype(TYPES[dtype])
        wanted = count(x)
        found = [np.ones(each.shape, floats.get(i, np.int32)) for i, each in enumerate(wanted)]
        with np.errstate(all="ignore"):
            kernel(x, *found)
        for number, (a, b) in enumerate(zip(found, wanted, strict=True)):
            np.testing.assert_allclose(a, b, rtol=1e-6, err_msg=f"output {number} at {m} x {n}")


def test_counts_are_exact_beyond_what_fp32_counts(tmp_path):
    text = """
    def k(x: pl.Tensor[[M], pl.UINT8], n: pl.Out[pl.Tensor[[1], pl.INT32]], mean: pl.Out[pl.Tensor[[1], pl.FP32]],
          last: pl.Out[pl.Tensor[[M], pl.INT32]]):
        n[:] = pl.sum(x > 0)
        mean[:] = pl.mean(x > 0)
        last[:] = pl.cumsum(x > 0)
    """
    x = np.ones(2**24 + 3, np.uint8)
    n, mean, last = np.zeros(1, np.int32), np.zeros(1, np.float32), np.zeros(len(x), np.int32)
    Kernel(write_kernel(text, tmp_path))(x, n, mean, last)
    assert n[0] == len(x) and mean[0] == 1 and last[-1] == len(x)


def test_a_count_that_may_exceed_int32_is_int64(tmp_path):
    text = """
    def k(x: pl.Tensor[[65536, 65536], pl.INT8], n: pl.Out[pl.Tensor[[1, 1], pl.{}]]):
        n[:] = pl.sum(x > 0)
    """
    Kernel(write_kernel(text.format("INT64"), tmp_path))
    with pytest.raises(KernelError, match="of INT64 in a tensor of INT32"):
        Kernel(write_kernel(text.format("INT32"), tmp_path))


def test_booleans_are_summed_whatever_they_come_from(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.BOOL], n: pl.Out[pl.Tensor[[M, 1], pl.INT32]],
          dot: pl.Out[pl.Tensor[[1], pl.INT32]], rest: pl.Out[pl.Tensor[[M, N], pl.BOOL]]):
        n[:] = pl.row_sum(x & ~(x ^ x))
        dot[:] = pl.dot(pl.reshape(x, [-1]), pl.reshape(x, [-1]))
        rest[:] = pl.cummin(x, axis=1, initial=True)
    """
    x = np.random.default_rng(3).integers(0, 2, (5, 777)).astype(bool)
    n, dot, rest = np.zeros((5, 1), np.int32), np.zeros(1, np.int32), np.zeros_like(x)
    Kernel(write_kernel(text, tmp_path))(x, n, dot, rest)
    np.testing.assert_array_equal(n, x.sum(1, keepdims=True))
    np.testing.assert_array_equal(rest, np.logical_and.accumulate(x, 1))
    assert dot[0] == x.sum()


def test_truths_are_not_scanned_from_a_number(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.BOOL]]):
        y[:] = pl.cummax(x > 0.0, initial=3)
    """
    with pytest.raises(KernelError, match="'cummax' of BOOL starts with BOOL, got the integer 3"):
        Kernel(write_kernel(text, tmp_path))
