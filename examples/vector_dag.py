# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""(a + b + 1)(a + b + 2) + (a + b), through buffers whose size is read from an argument."""

import numpy as np

import tegula.language as pl

TOKENS = pl.dynamic("TOKENS")
DTYPE = pl.FP32
HIDDEN = 128
ROWS = 16


@pl.jit.incore
def add(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]) -> pl.Tensor:
    for i in pl.range(0, a.shape[0], ROWS):
        out[i : i + ROWS, :] = a[i : i + ROWS, :] + b[i : i + ROWS, :]
    return out


@pl.jit.incore
def add_scalar(a: pl.Tensor, value: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor]) -> pl.Tensor:
    for i in pl.range(0, a.shape[0], ROWS):
        out[i : i + ROWS, :] = a[i : i + ROWS, :] + value
    return out


@pl.jit.incore
def multiply(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]) -> pl.Tensor:
    for i in pl.range(0, a.shape[0], ROWS):
        out[i : i + ROWS, :] = a[i : i + ROWS, :] * b[i : i + ROWS, :]
    return out


@pl.jit
def vector_dag(
    a: pl.Tensor[[TOKENS, HIDDEN], DTYPE],
    b: pl.Tensor[[TOKENS, HIDDEN], DTYPE],
    out: pl.Out[pl.Tensor[[TOKENS, HIDDEN], DTYPE]],
) -> pl.Tensor:
    tokens = pl.tensor.dim(a, 0)
    total = add(a, b, pl.create_tensor([tokens, HIDDEN], dtype=DTYPE))
    left = add_scalar(total, 1.0, pl.create_tensor([tokens, HIDDEN], dtype=DTYPE))
    right = add_scalar(total, 2.0, pl.create_tensor([tokens, HIDDEN], dtype=DTYPE))
    product = multiply(left, right, pl.create_tensor([tokens, HIDDEN], dtype=DTYPE))
    out = add(product, total, out)
    return out


def reference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    total = a + b
    expected: np.ndarray = (total + a.dtype.type(1)) * (total + a.dtype.type(2)) + total
    return expected
