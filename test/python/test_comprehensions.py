# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comprehensions in kernels that Python knows."""

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
WEIGHTS = [1.0, 2.0, 3.0]


@pl.jit
def weighted(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    parts = [x * w + i for i, w in enumerate(WEIGHTS) if w != 2.0]
    out[:] = sum(parts) + sum(a * b for a, b in zip(parts, reversed(list(WEIGHTS))))


def test_a_comprehension_goes_over_captured_values():
    x = np.arange(5, dtype=np.float32)
    assert (weighted(x) == (x + x * 3 + 2) + (x * 3 + (x * 3 + 2) * 2)).all()
