# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The sum of one product is what that of another one starts from.
import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[M, K], pl.FP32],
    w: pl.Tensor[[K, 16], pl.FP32],
    v: pl.Tensor[[K, 16], pl.FP32],
    y: pl.InOut[pl.Tensor[[M, 16], pl.FP32]],
):
    for i in pl.parallel(0, M, 8):
        acc = pl.full([8, 16], pl.FP32, 0.0)
        for c in pl.range(0, K, 8):
            acc = pl.matmul_acc(acc, pl.load(x, [i, c], [8, 8]), pl.load(w, [c, 0], [8, 16]))
        for c in pl.range(0, K, 8):
            acc = pl.matmul_acc(acc, pl.load(x, [i, c], [8, 8]), pl.load(v, [c, 0], [8, 16]))
        pl.store(acc, [i, 0], y)
