# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise kernels: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
ROWS = 16


@pl.jit
def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[i : i + ROWS, :] = x[i : i + ROWS, :] + y[i : i + ROWS, :]


@pl.program
class Add:
    @pl.function(type=pl.FunctionType.InCore)
    def rows(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        y: pl.Tensor[[M, N], pl.FP32],
        i: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        left = pl.load(x[i : i + 16, :])
        right = pl.load(y[i : i + 16, :])
        out[i : i + 16, :] = pl.add(left, right)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, N], pl.FP32],
        y: pl.Tensor[[M, N], pl.FP32],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ):
        for row in pl.parallel(0, M, 16):
            with pl.at(level=pl.Level.CORE_GROUP):
                self.rows(x, y, row, out)


@pl.jit
def multiply(x: pl.Tensor[[M, N], pl.FP16], y: pl.Tensor[[M, N], pl.FP16], out: pl.Out[pl.Tensor[[M, N], pl.FP16]]):
    out[:] = x * y


@pl.program
class Multiply:
    @pl.function(type=pl.FunctionType.InCore)
    def product(
        self,
        a: pl.Tensor[[M, N], pl.FP16],
        b: pl.Tensor[[M, N], pl.FP16],
        c: pl.Out[pl.Tensor[[M, N], pl.FP16]],
    ):
        c[:] = pl.mul(a, b)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M, N], pl.FP16],
        y: pl.Tensor[[M, N], pl.FP16],
        out: pl.Out[pl.Tensor[[M, N], pl.FP16]],
    ):
        self.product(x, y, out)


@pl.jit
def clamp(
    x: pl.Tensor[[M], pl.INT32],
    low: pl.Scalar[pl.INT32],
    high: pl.Scalar[pl.INT32],
    out: pl.Out[pl.Tensor[[M], pl.INT32]],
):
    t = pl.maximum(x, low)
    t = pl.minimum(t, high)
    out[:] = t


@pl.program
class Clamp:
    @pl.function(type=pl.FunctionType.Inline)
    def at_least(self, v, bound):
        return pl.maximum(v, bound)

    @pl.function(type=pl.FunctionType.Inline)
    def at_most(self, v, bound):
        return pl.minimum(v, bound)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[M], pl.INT32],
        low: pl.Scalar[pl.INT32],
        high: pl.Scalar[pl.INT32],
        out: pl.Out[pl.Tensor[[M], pl.INT32]],
    ):
        out[:] = self.at_most(self.at_least(x, low), high)
