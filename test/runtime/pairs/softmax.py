# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
ROWS = 8


@pl.jit
def softmax(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    e = pl.exp(x - pl.row_max(x))
    y[:] = e / pl.row_sum(e)


@pl.program
class Softmax:
    @pl.function(type=pl.FunctionType.InCore)
    def rows(self, x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        t = pl.load(x)
        most = pl.row_max(t)
        e = pl.exp(pl.row_expand_sub(t, most))
        total = pl.row_sum(e)
        y[:] = pl.row_expand_div(e, total)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        self.rows(x, y)


@pl.jit
def softmax_by_rows(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x[i : i + ROWS, :])
            e = pl.exp(t - pl.row_max(t))
            y[i : i + ROWS, :] = e / pl.row_sum(e)


@pl.program
class SoftmaxByRows:
    @pl.function(type=pl.FunctionType.Inline)
    def exponents(self, v):
        return pl.row_expand_expdif(v, pl.row_max(v))

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        for i in pl.parallel(0, M, 8):
            with pl.at(level=pl.Level.CORE_GROUP):
                e = self.exponents(pl.load(x[i : i + 8, :]))
                y[i : i + 8, :] = pl.row_expand_div(e, pl.row_sum(e))
