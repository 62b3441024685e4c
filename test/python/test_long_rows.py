# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows with more elements than INT32 counts: what says where elements are refuses them."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")

MOST = 2**31 - 1
TARGETS = ["cpu", "cuda:emulate", "npu:tpuv3"]


def row(count):
    """One element, repeated."""
    return np.lib.stride_tricks.as_strided(np.ones(1, np.float32), (1, count), (0, 0))


@pytest.mark.parametrize("target", TARGETS)
def test_the_index_of_the_largest(target):
    @pl.jit(target=target)
    def largest(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
        y[:] = pl.row_argmax(x)

    @pl.jit(target=target)
    def least(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
        for i in pl.range(M):
            y[i : i + 1, :] = pl.argmin(x[i : i + 1, :] * 2.0, axis=1)

    for kernel in (largest, least):
        assert kernel(row(5)).ravel().tolist() == [0]
        with pytest.raises(tegula.CallError, match=f"needs N <= {MOST}, .*INT32, but axis 1 of 'x' is {MOST + 1}"):
            kernel(row(MOST + 1))


@pytest.mark.parametrize("target", TARGETS)
def test_the_indices_of_the_first(target):
    @pl.jit(target=target)
    def first(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 2], pl.INT32]]):
        _, indices = pl.topk(x, 2)
        y[:] = indices

    @pl.jit(target=target)
    def found(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 2], pl.INT32]]):
        y[:] = pl.find(x > 0.0, 2)

    for kernel in (first, found):
        assert kernel(row(5)).tolist() == [[0, 1]]
        with pytest.raises(tegula.CallError, match=f"needs N <= {MOST}, .*INT32, but axis 1 of 'x' is {2**40}"):
            kernel(row(2**40))


def test_the_length_is_that_of_the_rows():
    @pl.jit
    def sides(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[1, N], pl.INT32]]):
        y[:] = pl.argmax(x, axis=0)

    @pl.jit
    def both(x: pl.Tensor[[1, N], pl.FP32], y: pl.Out[pl.Tensor[[1, 1], pl.INT32]]):
        y[:] = pl.row_argmax(pl.concat(x, x))

    with pytest.raises(tegula.CallError, match=f"needs M <= {MOST}, .* but axis 0 of 'x' is {MOST + 1}"):
        sides(row(MOST + 1).T)
    assert both(row(5)).tolist() == [[0]]
    with pytest.raises(tegula.CallError, match=rf"needs N \+ N <= {MOST}, .*INT32, but N \+ N is {2**31}"):
        both(row(2**30))


def test_pairs():
    @pl.jit
    def merged(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 2], pl.FP32]]):
        y[:] = pl.mrgsort(x, block_len=64)[:, 0:2]

    assert merged(row(64)).tolist() == [[1.0, 1.0]]
    with pytest.raises(tegula.CallError, match=f"N <= {2 * MOST}, .*INT32.*, but axis 1 of 'x' is {2 * MOST + 2}"):
        merged(row(2 * MOST + 2))


def test_a_length_that_is_never_right():
    with pytest.raises(tegula.CompileError, match=f"{2**31} <= {MOST}, .*does not hold for any sizes"):

        @pl.jit
        def largest(x: pl.Tensor[[M, 2**31], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
            y[:] = pl.row_argmax(x)

        largest(row(2**31))
