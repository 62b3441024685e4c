# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The element that is combined folds to a constant, or into the combiner.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(x: pl.Tensor[[N, M], pl.INT32], y: pl.InOut[pl.Tensor[[N, M], pl.INT32]]):
    for i in pl.parallel(0, M, 1):
        for j in pl.range(0, N, 16):
            a = x[j : j + 16, i : i + 1]
            y[j : j + 16, i : i + 1] += pl.sum(a - pl.load(x, [j, i], [16, 1]), axis=-1)
    for j in pl.range(0, N, 4):
        a = pl.load(x, [j, 0], [4, 8])
        y[j : j + 4, :] += pl.row_sum(a - a) + pl.row_sum(a * -1) + pl.row_max(a | 2147483647) + pl.row_prod(a ^ a)
