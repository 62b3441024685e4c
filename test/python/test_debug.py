# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that a kernel makes: what nothing was written to is refused, or zero while debugging."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def unwritten(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    t = pl.create_tensor([M], dtype=pl.FP32)
    y[:] = x + t


def test_reading_what_nothing_was_written_to_is_a_mistake():
    with pytest.raises(tegula.CompileError, match="a tensor is read to which nothing has been written") as caught:
        unwritten(np.ones(4, np.float32))
    assert caught.value.line == 16


@pl.jit(debug=True)
def zeros(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M, 2], pl.FP32]]):
    t = pl.create_tensor([M, 2], dtype=pl.FP32)
    t[:, 0:1] = pl.reshape(x, [M, 1])
    y[:] = t + 0.0


@pl.jit
def anything(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M, 2], pl.FP32]]):
    t = pl.create_tensor([M, 2], dtype=pl.FP32)
    t[:, 0:1] = pl.reshape(x, [M, 1])
    y[:] = t + 0.0


def expected(x):
    return np.stack([x, np.zeros_like(x)], axis=1)


def test_what_is_left_out_is_zero_while_debugging():
    x = np.arange(1, 300, dtype=np.float32)
    np.testing.assert_array_equal(zeros(x), expected(x))
    assert [f.lower(stage="inferred").count("pl.store") for f in (zeros, anything)] == [3, 2]
    key = anything.key
    with tegula.config(debug=True):
        np.testing.assert_array_equal(anything(x), expected(x))
        assert anything.key != key
    assert anything.key == key
    with tegula.config(target="interpreter"):
        np.testing.assert_array_equal(anything(x), expected(x))
    with pytest.raises(ValueError, match="debug is True or False, got 1"):
        tegula.config.debug = 1
