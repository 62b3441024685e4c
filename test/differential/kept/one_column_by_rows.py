# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tensors of one column are iterated over row by row: there are no columns that threads could share.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M, 1], pl.FP64], y: pl.InOut[pl.Tensor[[M, 1], pl.FP64]]):
    for i in pl.parallel(0, M, 1):
        pl.store(pl.load(x, [i, 0], [1, 1]), [i, 0], y)
