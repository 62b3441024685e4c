# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts of the inner axis are longer than the steps to the next one.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M, 64], pl.FP32], w: pl.Tensor[[64, 64], pl.FP32], y: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    for i in pl.parallel(0, M, 16):
        acc = pl.full([16, 64], pl.FP32, 0.0)
        for c in pl.range(0, 64, 16):
            acc = pl.matmul_acc(acc, pl.load(x, [i, c], [16, 64]), pl.load(w, [c, 0], [64, 64]))
        y[i : i + 16, :] = acc
