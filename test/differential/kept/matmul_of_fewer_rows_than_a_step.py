# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A loop takes steps of more rows than there are, and the tile of a sum says how many there are.
import tegula.language as pl

N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[1, K], pl.UINT8],
    w: pl.Tensor[[K, N], pl.UINT8],
    y: pl.InOut[pl.Tensor[[1, N], pl.INT32]],
):
    for i in pl.parallel(0, 1, 14):
        p = pl.matmul(x[i : i + 14, :], w, out_dtype=pl.INT32)
        y[i : i + 14, :] = p * 2
