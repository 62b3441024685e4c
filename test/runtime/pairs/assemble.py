# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"Assembly: each kernel under @pl.jit, and the same with helpers, written by hand."

import tegula.language as pl

M = pl.dynamic("M")

N = pl.dynamic("N")


@pl.jit
def patch(x: pl.Tensor[[32, 32], pl.FP32], p: pl.Tensor[[8, 8], pl.FP32], y: pl.Out[pl.Tensor[[32, 32], pl.FP32]]):
    t = pl.load(x)
    t = pl.assemble(t, pl.load(p), [4, 8])
    y[:] = t


@pl.jit
def Patch(x: pl.Tensor[[32, 32], pl.FP32], p: pl.Tensor[[8, 8], pl.FP32], y: pl.Out[pl.Tensor[[32, 32], pl.FP32]]):
    t = pl.load(x)
    t[4:12, 8:16] = p
    y[:] = t


@pl.jit
def tiles_in_a_loop(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.range(0, M, 32):
        for j in pl.range(0, N, 32):
            t = x[i : i + 32, j : j + 32]
            pl.assemble(y, t * 2.0, [i, j])


@pl.jit.incore
def TilesInALoop_double(x: pl.Tensor[[M, N], pl.FP32], i: pl.Scalar[pl.INDEX], j: pl.Scalar[pl.INDEX]):
    return pl.mul(pl.load(x, [i, j], [32, 32]), 2.0)


@pl.jit
def TilesInALoop(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for top in pl.range(0, M, 32):
        for left in pl.range(0, N, 32):
            pl.store(TilesInALoop_double(x, top, left), [top, left], y)


@pl.jit
def halves(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    y[:, 0:32] = x[:, 32:64]
    y[:, 32:64] = -x[:, 0:32]


@pl.jit.inline
def Halves_column(v, at):
    return pl.slice(v, [v.shape[0], 32], [0, at])


@pl.jit
def Halves(x: pl.Tensor[[M, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    y[:, 0:32] = Halves_column(x, 32)
    y[:, 32:64] = pl.neg(Halves_column(x, 0))
