# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows of one element, of which matrix loads read eight.
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[2, 1, 16], pl.BF16],
    w: pl.Tensor[[2, 1, N], pl.BF16],
    y: pl.InOut[pl.Tensor[[2, 16, N], pl.FP32]],
):
    y[:] = pl.matmul(x, w, a_trans=True, out_dtype=pl.FP32)
