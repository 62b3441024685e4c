# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that kernels captured are looked up again when something was written where they are."""

import types

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
FACTOR = 2.0
space = types.SimpleNamespace(offset=0.0)


@pl.jit
def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * FACTOR + space.offset


def run(kernel=scale):
    x, out = np.arange(4, dtype=np.float32), np.empty(4, np.float32)
    kernel(x, out)
    return out[1].item()


def test_globals():
    global FACTOR, other
    for _ in range(4):
        assert run() == 2.0
    FACTOR = 3.0
    assert run() == 3.0
    other = 1
    assert run() == 3.0
    globals()["FACTOR"] = 5.0
    assert run() == 5.0
    vars()["FACTOR"] = 7.0
    FACTOR = 2.0
    assert run() == 2.0
    for value in (2.0, 2, 3, 2.0):
        FACTOR = value
        other = value
        assert run() == value
        assert run() == value
    globals().update(FACTOR=11.0)
    assert run() == 11.0
    FACTOR = 2.0


def test_attributes():
    for value in (0.0, 1.0, 1.0, 0.0):
        space.offset = value
        assert run() == 2.0 + value
        assert run() == 2.0 + value


def test_cells_and_defaults():
    factor = 2.0

    @pl.jit
    def scale(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * factor

    for _ in range(4):
        assert run(scale) == 2.0
    factor = 3.0
    assert run(scale) == 3.0
    factor = float("3")
    assert run(scale) == 3.0
    factor = 2.0
    assert run(scale) == 2.0
