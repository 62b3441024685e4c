# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions as sums of shifted windows, which hang over the edge of the image and then change part of the sum."""

import numpy as np
import pytest
from kernel_text import run_kernel

SIZES = [(1, 1), (3, 70), (64, 64), (65, 5), (130, 129)]


def random_of(*shape):
    return np.random.default_rng(5).standard_normal(shape).astype(np.float32)


def shifted_sums(x, k):
    """What windows of 3 x 3 that begin at each element sum up to; nothing is beyond the edge."""
    padded = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, 2), (0, 2)])
    rows, columns = x.shape[-2:]
    taps = [(a, b) for a in range(3) for b in range(3)]
    return sum(padded[..., a : a + rows, b : b + columns] * k[..., a, b, None, None] for a, b in taps)


@pytest.mark.parametrize("taps", ["range", "unroll"])
@pytest.mark.parametrize("rows, columns", SIZES)
def test_one_channel(rows, columns, taps, tmp_path):
    x, k = random_of(rows, columns), random_of(3, 3)
    result = run_kernel(
        f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], w: pl.Tensor[[3, 3], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.parallel(0, M, 64):
                for j in pl.parallel(0, N, 64):
                    acc = pl.full([64, 64], pl.FP32, 0.0)
                    for a in pl.range(3):
                        for b in pl.{taps}(3):
                            acc += x[i + a : i + a + 64, j + b : j + b + 64] * w[a, b]
                    y[i : i + 64, j : j + 64] = acc
        """,
        tmp_path,
        x=x,
        w=k,
        y=np.zeros_like(x),
    )
    np.testing.assert_allclose(result["y"], shifted_sums(x, k), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("rows, columns", SIZES)
def test_channels_and_what_was_there_before(rows, columns, tmp_path):
    x, k = random_of(4, rows, columns), random_of(4, 3, 3)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[K, M, N], pl.FP32], w: pl.Tensor[[K, 3, 3], pl.FP32],
              y: pl.Out[pl.Tensor[[M, N], pl.FP32]], z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.parallel(0, M, 32):
                for j in pl.parallel(0, N, 64):
                    acc = pl.full([32, 64], pl.FP32, 0.0)
                    for c in pl.range(K):
                        before = acc
                        for a in pl.range(3):
                            for b in pl.unroll(3):
                                acc += x[c, i + a : i + a + 32, j + b : j + b + 64] * w[c, a, b]
                        z[i : i + 32, j : j + 64] = before
                    y[i : i + 32, j : j + 64] = acc
        """,
        tmp_path,
        x=x,
        w=k,
        y=np.zeros_like(x[0]),
        z=np.zeros_like(x[0]),
    )
    parts = shifted_sums(x, k)
    np.testing.assert_allclose(result["y"], parts.sum(0), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(result["z"], parts[:3].sum(0), rtol=1e-5, atol=1e-5)


def test_parts_that_move_within_a_sum(tmp_path):
    x = random_of(16)
    result = run_kernel(
        """
        def k(x: pl.Tensor[[16], pl.FP32], y: pl.Out[pl.Tensor[[16], pl.FP32]]):
            acc = x + 0.0
            for i in pl.range(3):
                acc = pl.assemble(acc, acc[0:8] * 2.0, [4])
            y[:] = acc
        """,
        tmp_path,
        x=x,
        y=np.zeros_like(x),
    )
    expected = x.copy()
    for _ in range(3):
        expected[4:12] = expected[0:8].copy() * 2
    np.testing.assert_array_equal(result["y"], expected)
