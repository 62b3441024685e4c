# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def swaps(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    for i in pl.parallel(M // 2 * 2, independent=True):
        y[i + 1 - 2 * (i % 2)] = x[i]


@pl.jit
def halves(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    for i in pl.parallel(M, independent=True):
        y[i // 2] = x[i]


@pl.jit
def in_order(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    for i in pl.parallel(M):
        y[i // 2] = x[i]


@pl.jit
def histogram(x: pl.Tensor[[M], pl.INT32], h: pl.InOut[pl.Tensor[[8], pl.INT32]]):
    for i in pl.parallel(M, independent=True):
        pl.store(pl.full([1], pl.INT32, 1), [x[i] % 8], h, atomic=pl.AtomicType.Add)


@pl.jit
def rows(x: pl.Tensor[[M, 8], pl.FP32], at: pl.Tensor[[M], pl.INT32], y: pl.InOut[pl.Tensor[[M, 8], pl.FP32]]):
    for i in pl.parallel(M):
        pl.store(pl.load(x, [i, 0], [1, 8]), [at[i], 0], y)
