# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel loops whose iterations are apart, for a reason in the source or because the author says so."""

import itertools

import numpy as np
import pytest
from kernel_text import run_kernel

SIZES = [(0, 5), (1, 1), (7, 3), (64, 96), (257, 130)]


def random_of(*shape):
    return np.random.default_rng(3).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("rows, columns", SIZES)
def test_rows_in_a_row(rows, columns, tmp_path):
    x = random_of(rows, columns)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[K], pl.FP32]]):
            for i in pl.parallel(M):
                pl.store(pl.reshape(pl.load(x, [i, 0], [1, N]), [N]) * 2.0, [i * N], y)
        """,
        tmp_path,
        x=x,
        y=np.zeros(rows * columns, np.float32),
    )
    np.testing.assert_array_equal(result["y"], x.ravel() * 2)


@pytest.mark.parametrize("rows, columns", SIZES)
def test_variable_taken_apart(rows, columns, tmp_path):
    x = random_of(rows, columns)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            parts = (N + 15) // 16
            for p in pl.parallel(M * parts):
                t = pl.load(x, [p // parts, p % parts * 16], [1, 16])
                pl.store(t + 1.0, [p // parts, p % parts * 16], y)
        """,
        tmp_path,
        x=x,
        y=np.zeros_like(x),
    )
    np.testing.assert_array_equal(result["y"], x + 1)


@pytest.mark.parametrize("rows, columns", SIZES)
def test_scratch_made_before_the_loop(rows, columns, tmp_path):
    x = random_of(rows, columns)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            acc = pl.create_tensor([1, N], pl.FP32)
            for i in pl.parallel(M):
                acc[:] = pl.full([1, N], pl.FP32, 0.0)
                for j in pl.range(4):
                    acc[:] = acc + x[i : i + 1, :]
                y[i : i + 1, :] = acc
        """,
        tmp_path,
        x=x,
        y=np.zeros_like(x),
    )
    np.testing.assert_array_equal(result["y"], x * 4)


@pytest.mark.parametrize("rows, columns", SIZES)
def test_permutation(rows, columns, tmp_path):
    x, order = random_of(rows, columns), np.random.default_rng(1).permutation(rows).astype(np.int32)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], order: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.parallel(M, independent=True):
                y[order[i], :] = x[i, :]
        """,
        tmp_path,
        x=x,
        order=order,
        y=np.zeros_like(x),
    )
    expected = np.zeros_like(x)
    expected[order] = x
    np.testing.assert_array_equal(result["y"], expected)


@pytest.mark.parametrize("lengths", [[3], [0, 5, 0, 16], [40, 1, 33]])
def test_groups_of_rows(lengths, tmp_path):
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    x, w = random_of(offsets[-1], 32), random_of(len(lengths), 32, 8)
    result = run_kernel(
        """
        def k(
            x: pl.Tensor[[M, 32], pl.FP32],
            w: pl.Tensor[[N, 32, 8], pl.FP32],
            offsets: pl.Tensor[[K], pl.INT32],
            y: pl.Out[pl.Tensor[[M, 8], pl.FP32]],
        ):
            for g in pl.parallel(N, independent=True):
                for i in pl.range(offsets[g], offsets[g + 1], 16):
                    rows = pl.min(16, offsets[g + 1] - i)
                    y[i : i + rows, :] = pl.matmul(x[i : i + rows, :], w[g])
        """,
        tmp_path,
        x=x,
        w=w,
        offsets=offsets,
        y=np.zeros((offsets[-1], 8), np.float32),
    )
    expected = np.concatenate([x[a:b] @ w[g] for g, (a, b) in enumerate(itertools.pairwise(offsets))])
    np.testing.assert_allclose(result["y"], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("rows, columns", [(0, 5), (7, 130), (640, 600)])
def test_sums_of_tiles_that_overlap(rows, columns, tmp_path):
    """Floats are small whole numbers, so that any order gives the same sum."""
    x = np.random.default_rng(2).integers(-9, 9, (rows, columns)).astype(np.int32)
    result = run_kernel(
        """
        def k(
            x: pl.Tensor[[M, N], pl.INT32],
            total: pl.InOut[pl.Tensor[[1, N], pl.INT32]],
            squares: pl.InOut[pl.Tensor[[1, N], pl.FP32]],
        ):
            for i in pl.parallel(0, M, 8, independent=True):
                for j in pl.range(0, N, 64):
                    t = pl.load(x, [i, j], [8, 64])
                    pl.store(pl.sum(t, 0), [0, j], total, atomic=pl.AtomicType.Add)
                    s = pl.cast(t * t, pl.FP32)
                    pl.store(pl.sum(s, 0), [0, j], squares, atomic=pl.AtomicType.Add)
        """,
        tmp_path,
        x=x,
        total=np.ones((1, columns), np.int32),
        squares=np.ones((1, columns), np.float32),
    )
    np.testing.assert_array_equal(result["total"], x.sum(0, keepdims=True) + 1)
    np.testing.assert_array_equal(result["squares"], (x * x).sum(0, keepdims=True) + 1)


def test_whole_arrays_added_in_parallel(tmp_path):
    x = np.random.default_rng(2).integers(-9, 9, (16, 300, 200)).astype(np.int32)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[K, M, N], pl.INT32], y: pl.InOut[pl.Tensor[[M, N], pl.INT32]]):
            for i in pl.parallel(K, independent=True):
                pl.store(x[i] * 2, [0, 0], y, atomic=pl.AtomicType.Add)
        """,
        tmp_path,
        x=x,
        y=np.zeros((300, 200), np.int32),
    )
    np.testing.assert_array_equal(result["y"], x.sum(0) * 2)


def test_sums_that_overlap(tmp_path):
    x = np.random.default_rng(1).integers(0, 8, 1000).astype(np.int32)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[M], pl.INT32], h: pl.InOut[pl.Tensor[[8], pl.INT32]]):
            for i in pl.parallel(M, independent=True):
                pl.store(pl.full([1], pl.INT32, 1), [x[i]], h, atomic=pl.AtomicType.Add)
        """,
        tmp_path,
        x=x,
        h=np.zeros(8, np.int32),
    )
    np.testing.assert_array_equal(result["h"], np.bincount(x, minlength=8))
