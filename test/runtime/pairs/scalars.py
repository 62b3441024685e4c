# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations with scalars: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def scale_and_shift(
    x: pl.Tensor[[M, N], pl.FP32],
    a: pl.Scalar[pl.FP32],
    b: pl.Scalar[pl.FP32],
    y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
):
    y[:] = x * a + b


@pl.program
class ScaleAndShift:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        a: pl.Scalar[pl.FP32],
        b: pl.Scalar[pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        t = pl.load(x)
        t = pl.muls(t, a)
        t = pl.adds(t, b)
        y[:] = t

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        a: pl.Scalar[pl.FP32],
        b: pl.Scalar[pl.FP32],
        y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        self.kernel(x, a, b, y)


@pl.jit
def twice_the_sum(a: pl.Tensor[[M, N], pl.FP32], b: pl.Tensor[[M, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    c[:] = (a + b) * 2.0


@pl.program
class TwiceTheSum:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, N], pl.FP32],
        b: pl.Tensor[[M, N], pl.FP32],
        c: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        total = pl.add(a, b)
        doubled = pl.mul(total, 2)
        c[:] = doubled


@pl.jit
def first_rows(x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.range(min(n, M)):
        y[i : i + 1, :] = x[i : i + 1, :]


@pl.program
class FirstRows:
    @pl.function(type=pl.FunctionType.InCore)
    def copy(
        self, source: pl.Tensor[[M, N], pl.FP32], row: pl.Scalar[pl.INDEX], target: pl.Out[pl.Tensor[[M, N], pl.FP32]]
    ):
        t = pl.load(source, [row, 0], [1, N])
        target[row : row + 1, :] = t

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        last = min(n, M)
        for row in range(0, last, 1):
            self.copy(x, row, y)
