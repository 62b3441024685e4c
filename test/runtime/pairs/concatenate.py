# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"Concatenation: each kernel under @pl.jit, and the same with helpers, written by hand."

import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def beside(a: pl.Tensor[[M, 32], pl.FP32], b: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]):
    y[:] = pl.concat(a, b)


@pl.jit.incore
def Beside_join(left, right):
    return pl.concat(left, right, axis=1)


@pl.jit
def Beside(a: pl.Tensor[[M, 32], pl.FP32], b: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]):
    y[:] = Beside_join(a, b)


@pl.jit
def columns_by_parts(
    a: pl.Tensor[[M, 32], pl.FP32], b: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]
):
    y[:, 0:32] = a
    y[:, 32:48] = b


@pl.jit.incore
def ColumnsByParts_put(part, at, y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]):
    t = pl.load(part)
    y[:, at : at + part.shape[1]] = t


@pl.jit
def ColumnsByParts(
    a: pl.Tensor[[M, 32], pl.FP32], b: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 48], pl.FP32]]
):
    ColumnsByParts_put(a, 0, y)
    ColumnsByParts_put(b, 32, y)
