# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where nothing is summed, a sum has the rows it starts from, which are neither those of the product nor a whole step.
import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, 16], pl.FP32],
    y: pl.InOut[pl.Tensor[[M, 16], pl.FP32]],
):
    for i in pl.parallel(0, M, 8):
        acc = pl.full([min(M - i + 1, 8), 16], pl.FP32, 0.0)
        for c in pl.range(0, K, 8):
            acc = pl.matmul_acc(acc, pl.load(x, [i, c], [8, 8]), pl.load(w, [c, 0], [8, 16]))
        pl.store(acc + pl.col_sum(acc + 1.0), [i, 0], y)
