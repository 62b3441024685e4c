# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Powers of other numbers than the maximum is of become infinite on the way.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[M, N], pl.FP32],
    z: pl.Tensor[[M, N], pl.FP32],
    q: pl.InOut[pl.Tensor[[M, 1], pl.FP32]],
):
    for i in pl.parallel(0, M, 8):
        m = pl.full([8, 1], dtype=pl.FP32, value=-3.0e38)
        s = pl.full([8, 1], dtype=pl.FP32, value=0.0)
        for j in pl.range(0, N, 16):
            t = x[i : i + 8, j : j + 16] * 100.0
            u = z[i : i + 8, j : j + 16] * 100.0
            top = pl.maximum(m, pl.row_max(t))
            s = s * pl.exp(m - top) + pl.row_sum(pl.exp(u - top))
            m = top
        q[i : i + 8, :] = s
