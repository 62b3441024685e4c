# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts, sums and extremes of what belongs together, against NumPy."""

import ml_dtypes
import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

SIZES = [(1, 1), (3, 15), (16, 16), (5, 17), (33, 129), (0, 7), (4, 0), (1, 1031)]
TYPES = {"FP32": np.float32, "FP16": np.float16, "BF16": ml_dtypes.bfloat16, "INT16": np.int16, "UINT64": np.uint64}


@pytest.mark.parametrize("dtype", TYPES)
def test_segment_sum(dtype, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], ids: pl.Tensor[[M], pl.INT8], y: pl.Out[pl.Tensor[[K, N], pl.{dtype}]],
          z: pl.Out[pl.Tensor[[5], pl.{dtype}]]):
        y[:] = pl.segment_sum(x, ids, K)
        z[:] = pl.segment_sum(pl.sum(x, axis=1, keepdims=False), ids, 5)
    """
    rng = np.random.default_rng(7)
    for m, n in SIZES:
        for segments in (1, 4, 1000):
            x = rng.integers(0, 5, (m, n)).astype(TYPES[dtype])
            ids = rng.integers(-3, 9, m).astype(np.int8)
            zeros = np.zeros((segments, n), x.dtype), np.zeros(5, x.dtype)
            results = run_kernel(text, tmp_path, x=x, ids=ids, y=zeros[0], z=zeros[1])
            # Rounded to the type once for each row, once for each sum.
            rows = x.astype(np.float64).sum(1).astype(x.dtype)
            for name, part, count in (("y", x, segments), ("z", rows, 5)):
                wanted = np.zeros((count, *part.shape[1:]))
                is_in = (ids >= 0) & (ids < count)
                np.add.at(wanted, ids[is_in], part[is_in].astype(np.float64))
                np.testing.assert_array_equal(results[name], wanted.astype(x.dtype))


@pytest.mark.parametrize("target", ["cpu", "npu:tpuv3", "cuda:emulate", "interpreter"])
def test_segments_of_booleans_are_counted(target, tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.INT8], ids: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[3, N], pl.INT32]]):
        y[:] = pl.segment_sum(x > 0, ids, 3)
    """
    kernel = Kernel(write_kernel(text, tmp_path), target=target)
    # More than an INT8 counts.
    for m, n in [(700, 3), (1, 1), (0, 4)]:
        x = np.random.default_rng(m).integers(-1, 9, (m, n)).astype(np.int8)
        ids = (np.arange(m) % 4).astype(np.int32)
        y = np.full((3, n), 9, np.int32)
        kernel(x, ids, y)
        np.testing.assert_array_equal(y, [(x[ids == segment] > 0).sum(0) for segment in range(3)])


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("dtype", TYPES)
def test_segment_extremes(name, dtype, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], ids: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[K, N], pl.{dtype}]],
          z: pl.Out[pl.Tensor[[5], pl.{dtype}]]):
        y[:] = pl.segment_{name}(x, ids, K)
        z[:] = pl.segment_{name}(pl.{name}(x, axis=1, keepdims=False), ids, 5)
    """
    combine = np.maximum if name == "max" else np.minimum
    rng = np.random.default_rng(19)
    for m, n in [(1, 1), (3, 15), (16, 16), (0, 7), (33, 129)]:
        for segments in (1, 4, 100):
            x = rng.integers(0, 90, (m, n)).astype(TYPES[dtype])
            if np.dtype(x.dtype).kind == "f":
                x[rng.integers(0, 40, (m, n)) == 0] = np.nan
            ids = rng.integers(-3, 9, m).astype(np.int32)
            empty = np.zeros((segments, n), x.dtype), np.zeros(5, x.dtype)
            results = run_kernel(text, tmp_path, x=x, ids=ids, y=empty[0], z=empty[1])
            ends = (-np.inf, np.inf)
            if np.dtype(x.dtype).kind in "iu":
                ends = (np.iinfo(x.dtype).min, np.iinfo(x.dtype).max)
            start = ends[name == "min"]
            rows = combine.reduce(x, axis=1, initial=start)
            for result, part, count in (("y", x, segments), ("z", rows, 5)):
                wanted = np.full((count, *part.shape[1:]), start, x.dtype)
                is_in = (ids >= 0) & (ids < count)
                combine.at(wanted, ids[is_in], part[is_in])
                np.testing.assert_array_equal(results[result].astype(np.float64), wanted.astype(np.float64))


@pytest.mark.parametrize("dtype", ["INT8", "UINT8", "INT32", "INT64", "UINT64"])
def test_histogram_of_integers(dtype, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[17], pl.INT32]],
          z: pl.Out[pl.Tensor[[K], pl.INT32]]):
        y[:] = pl.histogram(x, 17)
        z[:] = pl.histogram(x + x, K)
    """
    rng = np.random.default_rng(11)
    low = 0 if dtype.startswith("U") else -3
    for m, n in SIZES:
        for bins in (0, 1, 300):
            x = rng.integers(low, 20, (m, n)).astype(dtype.lower())
            results = run_kernel(text, tmp_path, x=x, y=np.ones(17, np.int32), z=np.ones(bins, np.int32))
            for name, part, count in (("y", x, 17), ("z", x + x, bins)):
                is_in = (part >= 0) & (part < count)
                wanted = np.bincount(part[is_in].astype(np.int64), minlength=count)
                np.testing.assert_array_equal(results[name], wanted)


@pytest.mark.parametrize("dtype", ["FP16", "FP32", "FP64"])
def test_histogram_of_floats(dtype, tmp_path):
    kind = {"FP16": np.float16, "FP32": np.float32, "FP64": np.float64}[dtype]
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[16], pl.INT32]]):
        y[:] = pl.histogram(x, 16, low=-2.0, high=2.0)
    """
    rng = np.random.default_rng(13)
    for m, n in SIZES:
        x = (rng.integers(-90, 90, (m, n)) / 32).astype(kind)
        x[rng.integers(0, 9, (m, n)) == 0] = np.nan
        x[rng.integers(0, 9, (m, n)) == 0] = np.inf
        y = run_kernel(text, tmp_path, x=x, y=np.zeros(16, np.int32))["y"]
        np.testing.assert_array_equal(y, np.histogram(x[np.isfinite(x)], 16, (-2, 2))[0])


def test_each_iteration_counts_for_itself(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, 8], pl.INT32]]):
        for i in pl.parallel(M):
            y[i : i + 1, :] = pl.reshape(pl.histogram(x[i : i + 1, :], 8), [1, 8])
    """
    rng = np.random.default_rng(17)
    for m, n in SIZES:
        x = rng.integers(0, 8, (m, n)).astype(np.int32)
        y = run_kernel(text, tmp_path, x=x, y=np.zeros((m, 8), np.int32))["y"]
        np.testing.assert_array_equal(y, [np.bincount(row, minlength=8) for row in x] if m else np.zeros((0, 8)))


@pytest.mark.parametrize(
    "call, message",
    [
        ("pl.histogram(x, 4)", "'histogram' of floats needs 'low' and 'high'"),
        ("pl.histogram(pl.cast(x, pl.INT32), 4, low=0)", "'histogram' takes no bounds for integers"),
        ("pl.histogram(x, 4.5, low=0, high=1)", "'histogram' makes a number of bins"),
        ("pl.segment_sum(x, x, 4)", "'segment_sum' takes one entry for each row"),
        ("pl.segment_max(x, x, 4)", "'segment_max' takes one entry for each row"),
        ("pl.segment_min(x > 0, pl.arange(0, [4]), 4)", "'segment_min' combines rows of numbers"),
        ("pl.segment_sum(x, pl.arange(0, [4]), 0.5)", "'segment_sum' makes a number of rows"),
    ],
)
def test_mistakes_are_named(call, message, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[4, 4], pl.FP32], y: pl.Out[pl.Tensor[[4], pl.INT32]]):
        y[:] = {call}
    """
    path = write_kernel(text, tmp_path)
    with pytest.raises(KernelError, match=message):
        Kernel(path)(np.zeros((4, 4), np.float32), np.zeros(4, np.int32))
