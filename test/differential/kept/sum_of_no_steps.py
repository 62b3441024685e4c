# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A sum over an empty axis has all the rows that it starts from, also where fewer are left.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[N, M], pl.FP32],
    w: pl.Tensor[[M, 16], pl.FP32],
    y: pl.InOut[pl.Tensor[[N, 16], pl.FP32]],
):
    for i in pl.parallel(0, N, 4):
        acc = pl.full([4, 16], pl.FP32, 1.0)
        for c in pl.range(0, M, 8):
            acc = pl.matmul_acc(acc, pl.load(x, [i, c], [4, 8]), pl.load(w, [c, 0], [8, 16]))
        pl.store(acc + pl.col_sum(acc), [i, 0], y)
