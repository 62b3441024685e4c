# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
DTYPE = pl.FP32


@pl.jit
def norm_rows(
    x: pl.Tensor[[M, N], DTYPE],
    residual: pl.Tensor[[M, N], DTYPE],
    gamma: pl.Tensor[[1, N], DTYPE],
    y: pl.Out[pl.Tensor[[M, N], DTYPE]],
) -> None:
    s = pl.cast(x, pl.FP32) + pl.cast(residual, pl.FP32)
    mean = pl.row_sum(s * s) / pl.cast(N, pl.FP32)
    y[:] = pl.cast(pl.row_expand_mul(s, pl.rsqrt(mean + 1e-6)) * pl.cast(gamma, pl.FP32), DTYPE)
