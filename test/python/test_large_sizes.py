# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes and numbers near the end of 64 bits: what would not fit is refused, and nothing is read from elsewhere."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def window(
    a: pl.Tensor[[M], pl.INT8],
    b: pl.Tensor[[N], pl.INT8],
    x: pl.Tensor[[K], pl.FP32],
    y: pl.Out[pl.Tensor[[8], pl.FP32]],
):
    y[:] = pl.full([8], pl.FP32, 0.0)
    pl.store(pl.load(x, [M + N], [8]), [0], y)


@pl.jit
def tile(a: pl.Tensor[[M], pl.INT8], b: pl.Tensor[[N], pl.INT8], y: pl.Out[pl.Tensor[[K], pl.FP32]]):
    y[:] = pl.full([K], pl.FP32, 0.0)
    left = 8 - M - N
    y[0:left] = pl.full([left], pl.FP32, 1.0)


@pl.jit
def length_from_data(x: pl.Tensor[[M], pl.INT64], y: pl.InOut[pl.Tensor[[8], pl.FP32]]):
    first = max(pl.cast(x[0], pl.INDEX), 0)
    second = max(pl.cast(x[1], pl.INDEX), 0)
    ones = pl.full([8 - first - second], pl.FP32, 1.0)
    y[0 : 8 - first - second] = pl.exp(ones) * 0.0 + ones


@pl.jit
def countdown(n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[1], pl.INT64]]):
    count = 0
    for _ in pl.range(n, m, -2):
        count += 1
        if count > 9:
            break
    y[0] = pl.cast(count, pl.INT64)


@pl.jit
def steps(n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[1], pl.INT64]]):
    count = 0
    for _ in pl.range(n, m, 3):
        count += 1
    y[0] = pl.cast(count, pl.INT64)


@pl.jit
def slots(a: pl.Tensor[[M], pl.INT8], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = pl.full([N], pl.FP32, 0.0)
    for i in pl.parallel(0, M):
        y[i * 4611686018427387905 : i * 4611686018427387905 + 64] = pl.full([64], pl.FP32, 1.0)


@pl.jit
def from_data(at: pl.Tensor[[1], pl.INT64], x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[8], pl.FP32]]):
    y[:] = pl.full([8], pl.FP32, 0.0)
    pl.store(pl.load(x, [max(pl.cast(at[0], pl.INDEX), 0) + M], [8]), [0], y)


@pl.jit
def clamped(n: pl.Scalar[pl.INDEX], x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = pl.full([M], pl.FP32, 0.0)
    for i in pl.range(min(n, M)):
        y[i] = x[i] + 1.0


def huge(count):
    """One element, repeated."""
    return np.lib.stride_tricks.as_strided(np.ones(1, np.int8), (count,), (0,))


def test_an_offset_that_does_not_fit():
    few, many = huge(2), huge(2**63 - 2**60)
    x = np.arange(20, dtype=np.float32)
    assert list(window(few, few, x)) == list(range(4, 12))
    assert list(window(huge(2**62), few, x)) == [0.0] * 8
    with pytest.raises(tegula.CallError, match=r"M \+ N\)? does not fit 64 bits, .*M is 8070450532247928832"):
        window(many, many, x)


def test_a_bound_that_does_not_fit():
    y = np.zeros(2000, np.float32)
    tile(huge(1), huge(2), y)
    assert y.sum() == 5
    with pytest.raises(tegula.CallError, match="8 - M - N does not fit 64 bits"):
        tile(huge(2**63 - 500), huge(2**63 - 500), y)


def test_loops_near_the_end():
    assert countdown(10, 1)[0] == 5
    assert countdown(2**63 - 1, 2**63 - 7)[0] == 3
    with pytest.raises(tegula.CallError, match="does not fit 64 bits, n is 9223372036854775800 and m is -10"):
        countdown(2**63 - 8, -10)
    assert steps(2**63 - 10, 2**63 - 4)[0] == 2
    with pytest.raises(tegula.CallError, match="the variable of the loop does not fit 64 bits"):
        steps(2**63 - 10, 2**63 - 2)


def test_parallel_iterations_that_would_overlap():
    with pytest.raises(tegula.CallError, match="does not fit 64 bits, M is 16"):
        slots(huge(16), np.zeros(2000, np.float32))


def test_what_data_says_may_wrap_around():
    x = np.ones(100, np.float32)
    assert list(from_data(np.array([2**40]), x)) == [0.0] * 8
    with pytest.raises(tegula.RunError, match="cannot start below 0"):
        from_data(np.array([2**63 - 1]), x)


def test_lengths_from_data_stay_within_their_bounds():
    y = np.zeros(8, np.float32)
    length_from_data(np.array([1, 2]), y)
    assert list(y) == [1.0] * 5 + [0.0] * 3
    with pytest.raises(tegula.RunError, match="index 1008 of axis 0 is out of range, the extent is 8"):
        length_from_data(np.array([2**63 - 500, 2**63 - 500]), y)


def test_numbers_that_only_limit_may_be_anything():
    x = np.ones(5, np.float32)
    assert clamped(2**63 - 1, x).sum() == 10
    assert clamped(-(2**63), x).sum() == 0
    assert clamped(2, x).sum() == 4


@pytest.mark.parametrize("count", [2**40, 2**50, 2**62])
@pytest.mark.parametrize("target", ["cpu", "interpreter", "cuda:emulate", "npu:tpuv3"])
def test_memory_that_is_not_there_is_not_traversed(target, count):
    """Loops over it would take years, whether or not their iterations do something."""

    @pl.jit(target=target)
    def fill(n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[1], pl.FP32]]):
        t = pl.create_tensor([n, 1024], pl.FP32, init_value=1.0)
        y[:] = pl.reshape(t[0:1, 0:1], [1])

    @pl.jit(target=target)
    def rows(n: pl.Scalar[pl.INDEX], x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        y[:] = x[:]
        for i in pl.range(M):
            t = pl.create_tensor([n, 1024], pl.FP32)
            for j in pl.parallel(n):
                t[j, :] = x[i]
            for j in pl.range(n):
                y[i] = y[i] + t[j, 0]

    x = np.arange(3, dtype=np.float32)
    assert fill(3).tolist() == [1.0]
    assert rows(5, x).tolist() == [0.0, 6.0, 12.0]
    with pytest.raises(tegula.RunError, match="no memory|the limit is|exceeds the address space"):
        fill(count)
    with pytest.raises(tegula.RunError, match="no memory|the limit is|exceeds the address space"):
        rows(count, x)
