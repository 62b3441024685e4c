# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, regions and tasks in forms of other systems, called from Python."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")


def rows(m):
    return np.arange(1, 8 * m + 1, dtype=np.float32).reshape(m, 8)


@pl.jit
def carried(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    with pl.auto_incore():
        for i, (o,) in pl.parallel(0, M, 4, init_values=(y,), chunk=2):
            p = pl.store(pl.load(x, [i, 0], [4, 8]) * 2.0, [i, 0], o)
            (q,) = pl.yield_(p)
    return q


def test_an_output_that_goes_around_is_the_output():
    for m in (0, 1, 4, 9, 70):
        np.testing.assert_array_equal(carried(rows(m)), 2 * rows(m))
    assert carried.compile_count == 1


@pl.jit
def last(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[1, 8], pl.FP32]]):
    for i in pl.range(M):
        t = pl.load(x, [i, 0], [1, 8])
    pl.store(t, [0, 0], y)


def test_a_loop_whose_last_value_is_read_has_to_run():
    for m in (1, 2, 9):
        np.testing.assert_array_equal(last(rows(m)), rows(m)[-1:])
    with pytest.raises(tegula.CallError, match="0 < M"):
        last(rows(0))


@pl.jit
def gathered(x: pl.Tensor[[16, 8], pl.FP32], y: pl.Out[pl.Tensor[[16, 8], pl.FP32]]):
    with pl.incore():
        for a in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            g = pl.aic_gather(pl.load(x, [a * 8, 0], [8, 8]) + 1.0)
        y = pl.store(g, [0, 0], y)
    return y


def test_lanes_gather():
    np.testing.assert_array_equal(gathered(rows(16)), rows(16) + 1)
