# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The loop over the inner axis also says which columns of the factor are read.
import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, K], pl.FP32],
    y: pl.InOut[pl.Tensor[[M, 4], pl.FP32]],
):
    for i in pl.parallel(0, M, 4):
        acc = pl.full([4, 4], pl.FP32, 0.0)
        for c in pl.range(0, K, 4):
            acc = pl.matmul_acc(acc, pl.load(x, [i, c], [4, 4]), pl.load(w, [c, c], [4, 4]))
        pl.store(acc, [i, 0], y)
