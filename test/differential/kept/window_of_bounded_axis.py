# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A window of an axis that has a bound, of an expression that has none.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def k(
    x: pl.Tensor[[16, N], pl.FP32], y: pl.InOut[pl.Tensor[[N, 5], pl.FP32]], z: pl.InOut[pl.Tensor[[16, N], pl.FP32]]
):
    for i in range(0, 5, 3):
        t = pl.minimum(pl.row_max(y[:, i : i + 3]) + y[:, i : i + 3], y[:, i + 1 : i + 1 + 3])
        y[:, i : i + 3] = pl.concat(t[:, :1], t[:, 1:3], axis=1)
    for i in range(0, 16, 8):
        t = x[i : i + 8, :] + pl.full([8, N], dtype=pl.FP32, value=2.0)
        z[i : i + 8, :] = pl.concat(t[:3, :], t[3:8, :], axis=0)
