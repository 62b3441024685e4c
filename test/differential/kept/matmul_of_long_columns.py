# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tiles of columns are longer than the steps to the next one, and more is done with the product.
import tegula.language as pl


@pl.jit
def k(x: pl.Tensor[[64, 64], pl.FP32], w: pl.Tensor[[64, 64], pl.FP32], y: pl.Out[pl.Tensor[[64, 4], pl.FP32]]):
    for i in pl.range(0, 64, 16):
        t = pl.matmul(x, pl.load(w, [0, i], [64, 64]))
        y[:, i // 16 : i // 16 + 1] = pl.row_sum(t)
