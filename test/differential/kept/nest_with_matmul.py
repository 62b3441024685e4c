# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The outer loop was dissolved, and all blocks ran what threads had distributed.
import tegula.language as pl

K = pl.dynamic("K")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[5, K], pl.BF16],
    w: pl.Tensor[[K, N], pl.BF16],
    y: pl.InOut[pl.Tensor[[5, N], pl.FP32]],
):
    for i in pl.parallel(0, 5, 8):
        for j in pl.parallel(0, N, 16):
            p = pl.full([8, 16], pl.FP32, 0.0)
            for q in pl.range(0, K, 16):
                p = p + pl.matmul(x[i : i + 8, q : q + 16], w[q : q + 16, j : j + 16], out_dtype=pl.FP32)
            y[i : i + 8, j : j + 16] = p - pl.row_max(p)
