# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembly: each kernel under @pl.jit, and the program one would write by hand for it."""

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def patch(x: pl.Tensor[[32, 32], pl.FP32], p: pl.Tensor[[8, 8], pl.FP32], y: pl.Out[pl.Tensor[[32, 32], pl.FP32]]):
    t = pl.load(x)
    t = pl.assemble(t, pl.load(p), [4, 8])
    y[:] = t


@pl.program
class Patch:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[32, 32], pl.FP32],
        p: pl.Tensor[[8, 8], pl.FP32],
        y: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
    ):
        t = pl.load(x)
        t[4:12, 8:16] = p
        y[:] = t


@pl.jit
def tiles_in_a_loop(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.range(0, M, 32):
        for j in pl.range(0, N, 32):
            t = x[i : i + 32, j : j + 32]
            pl.assemble(y, t * 2.0, [i, j])


@pl.program
class TilesInALoop:
    @pl.function(type=pl.FunctionType.InCore)
    def double(self, x: pl.Tensor[[M, N], pl.FP32], i: pl.Scalar[pl.INDEX], j: pl.Scalar[pl.INDEX]):
        return pl.mul(pl.load(x, [i, j], [32, 32]), 2.0)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        for top in pl.range(0, M, 32):
            for left in pl.range(0, N, 32):
                pl.store(self.double(x, top, left), [top, left], y)


@pl.jit
def halves(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    y[:, 0:32] = x[:, 32:64]
    y[:, 32:64] = -x[:, 0:32]


@pl.program
class Halves:
    @pl.function(type=pl.FunctionType.Inline)
    def column(self, v, at):
        return pl.slice(v, [v.shape[0], 32], [0, at])

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
        y[:, 0:32] = self.column(x, 32)
        y[:, 32:64] = pl.neg(self.column(x, 0))
