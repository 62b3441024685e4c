# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Core regions as functions of just what they use: the same results at every size, in the interpreter."""

import numpy as np
import pytest

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")

SIZES = [(0, 0), (0, 5), (5, 0), (1, 1), (3, 7), (4, 8), (5, 9), (17, 31)]


def random_of(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).integers(-8, 9, shape).astype(np.float32)


def scaled(
    x: pl.Tensor[[M, N], pl.FP32],
    first: pl.Scalar[pl.INDEX],
    y: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
    z: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    # How long what is captured is depends on a number that is captured.
    top = x[0:first, :]
    with pl.at(level=pl.Level.CORE_GROUP):
        y[0:first, :] = top * 2.0
    # Read and written, and written by a second region.
    with pl.at(level=pl.Level.CORE_GROUP):
        z[:, :] = z + y
    with pl.at(level=pl.Level.CORE_GROUP):
        z[0:first, :] = z[0:first, :] - 1.0


@pytest.mark.parametrize("rows, columns", SIZES)
@pytest.mark.parametrize("target", ["interpreter:outlined", "cpu"])
def test_regions_that_share_tensors(target, rows, columns):
    kernel = pl.jit(target=target)(scaled)
    for first in {0, 1, rows // 2, rows, rows + 3}:
        x, y, z = random_of(rows, columns), random_of(rows, columns) + 1, random_of(rows, columns) + 2
        after_y, after_z = y.copy(), z.copy()
        after_y[:first] = x[:first] * 2
        after_z += after_y
        after_z[:first] -= 1
        kernel(x, first, y, z)
        np.testing.assert_array_equal(y, after_y)
        np.testing.assert_array_equal(z, after_z)


def counted(
    x: pl.Tensor[[M, N], pl.FP32],
    out: pl.InOut[pl.Tensor[[M, 1], pl.FP32]],
):
    for i in pl.parallel(0, M, 4):
        # Only types need it.
        rows = min(M - i, 4)
        total = pl.full([rows, 1], dtype=pl.FP32, value=0.0)
        for j in pl.range(0, N, 8):
            with pl.at(level=pl.Level.CORE_GROUP, role=pl.Role.AIV):
                if j > 16:
                    continue
                total = total + pl.row_sum(x[i : i + 4, j : j + 8])
        out[i : i + 4, :] = total


@pytest.mark.parametrize("rows, columns", SIZES)
@pytest.mark.parametrize("target", ["interpreter:outlined", "cpu"])
def test_a_region_in_a_loop_that_is_left(target, rows, columns):
    kernel = pl.jit(target=target)(counted)
    x, out = random_of(rows, columns), random_of(rows, 1)
    kernel(x, out)
    np.testing.assert_array_equal(out, x[:, :24].sum(axis=1, keepdims=True))
