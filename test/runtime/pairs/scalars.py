# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"Operations with scalars: each kernel under @pl.jit, and the same with helpers, written by hand."

import tegula.language as pl

M = pl.dynamic("M")

N = pl.dynamic("N")


@pl.jit
def scale_and_shift(
    x: pl.Tensor[[M, N], pl.FP32], a: pl.Scalar[pl.FP32], b: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    y[:] = x * a + b


@pl.jit.incore
def ScaleAndShift_kernel(
    x: pl.Tensor[[M, N], pl.FP32], a: pl.Scalar[pl.FP32], b: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    t = pl.load(x)
    t = pl.muls(t, a)
    t = pl.adds(t, b)
    y[:] = t


@pl.jit
def ScaleAndShift(
    x: pl.Tensor[[M, N], pl.FP32], a: pl.Scalar[pl.FP32], b: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    ScaleAndShift_kernel(x, a, b, y)


@pl.jit
def twice_the_sum(a: pl.Tensor[[M, N], pl.FP32], b: pl.Tensor[[M, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = (a + b) * 2.0


@pl.jit
def TwiceTheSum(a: pl.Tensor[[M, N], pl.FP32], b: pl.Tensor[[M, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    total = pl.add(a, b)
    doubled = pl.mul(total, 2)
    c[:] = doubled


@pl.jit
def first_rows(x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.range(min(n, M)):
        y[i : i + 1, :] = x[i : i + 1, :]


@pl.jit.incore
def FirstRows_copy(
    source: pl.Tensor[[M, N], pl.FP32], row: pl.Scalar[pl.INDEX], target: pl.Out[pl.Tensor[[M, N], pl.FP32]]
):
    t = pl.load(source, [row, 0], [1, N])
    target[row : row + 1, :] = t


@pl.jit
def FirstRows(x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    last = min(n, M)
    for row in range(0, last, 1):
        FirstRows_copy(x, row, y)
