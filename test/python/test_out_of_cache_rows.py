# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows are right however many are taken at once and whichever way they are stored: near and far, in line and not."""

import numpy as np
import pytest

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


def normalise(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 8):
        t = x[i : i + 8, :]
        y[i : i + 8, :] = pl.row_expand_sub(t, pl.row_max(t))


def normalise_all(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    y[:] = pl.row_expand_sub(x, pl.row_max(x))


def weigh(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 8):
        e = pl.exp(x[i : i + 8, :])
        y[i : i + 8, :] = pl.row_expand_div(e, pl.row_sum(e))


def matrix(rows: int, columns: int, pitch: int, offset: int) -> np.ndarray:
    """A matrix that begins so many elements behind an aligned address, with rows at such a pitch."""
    memory = np.full(rows * pitch + 64, np.nan, np.float32)
    start = -memory.ctypes.data // 4 % 16 + offset
    return memory[start : start + rows * pitch].reshape(rows, pitch)[:, :columns]


def check(kernel: object, rows: int, columns: int, pitch: int, offset: int) -> None:
    x = np.random.default_rng(0).standard_normal((rows, columns), dtype=np.float32)
    y = matrix(rows, columns, pitch, offset)
    kernel(x, y)
    if kernel.__name__ == "weigh":
        wanted = np.exp(x.astype(np.float64))
        np.testing.assert_allclose(y, wanted / wanted.sum(axis=1, keepdims=True), rtol=1e-5)
    else:
        np.testing.assert_array_equal(y, x - x.max(axis=1, keepdims=True))
    between = y.base.reshape(-1)
    assert np.isnan(between).sum() == between.size - rows * columns


@pytest.mark.parametrize("made", [normalise, normalise_all, weigh])
@pytest.mark.parametrize("stream", [1, 2**46])
def test_rows_in_line_and_not(made: object, stream: int) -> None:
    kernel = pl.jit(target=f"cpu:stream={stream}")(made)
    for columns in (1, 16, 33, 48, 127, 1023, 1024, 1040, 5000):
        for pitch, offset in [(columns, 0), (columns, 4), (columns + 16, 0), (columns + 3, 1)]:
            check(kernel, 19, columns, pitch, offset)


@pytest.mark.parametrize("made", [normalise, normalise_all, weigh])
def test_rows_out_of_cache(made: object) -> None:
    kernel = pl.jit(made)
    for rows, columns in [(1023, 1024), (1024, 1024), (1025, 1025), (8197, 128), (131072, 8), (3, 400000), (2**20, 1)]:
        check(kernel, rows, columns, columns, 0)
