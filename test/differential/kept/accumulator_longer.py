# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An accumulator has more rows than the product, also where nothing is summed.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(x: pl.Tensor[[K, M], pl.INT8], w: pl.Tensor[[K, N], pl.INT8], y: pl.InOut[pl.Tensor[[M, N], pl.INT32]]):
    for i in range(0, M, 7):
        y[i : i + 7, :] = pl.matmul_acc(pl.full([7, N], dtype=pl.INT32, value=90), x[:, i : i + 7], w, a_trans=True)
