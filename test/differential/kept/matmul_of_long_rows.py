# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tiles of rows are longer than the steps to the next one, and more is done with the product.
import tegula.language as pl


@pl.jit
def k(x: pl.Tensor[[64, 64], pl.FP32], w: pl.Tensor[[64, 32], pl.FP32], y: pl.Out[pl.Tensor[[4, 32], pl.FP32]]):
    for i in pl.range(0, 64, 16):
        t = pl.matmul(pl.load(x, [i, 0], [64, 64]), w)
        y[i // 16 : i // 16 + 1, :] = pl.col_sum(t)
