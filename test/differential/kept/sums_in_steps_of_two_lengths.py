# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two loops take steps of different lengths through one product: of nothing, sums have as many columns as they start from.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[N, M], pl.FP32],
    w: pl.Tensor[[M, K], pl.FP32],
    y: pl.InOut[pl.Tensor[[N, 2], pl.FP32]],
):
    for i in pl.parallel(0, N, 4):
        for j in pl.range(0, K, 4):
            first = pl.full([4, 4], pl.FP32, 0.0)
            for c in pl.range(0, M, 8):
                first = pl.matmul_acc(first, pl.load(x, [i, c], [4, 8]), pl.load(w, [c, j], [8, 4]))
            pl.store(pl.row_sum(first + 1.0), [i, 0], y)
        for j in pl.range(0, K, 5):
            second = pl.full([4, 5], pl.FP32, 0.0)
            for c in pl.range(0, M, 8):
                second = pl.matmul_acc(second, pl.load(x, [i, c], [4, 8]), pl.load(w, [c, j], [8, 5]))
            pl.store(pl.row_sum(second + 1.0), [i, 1], y)
