# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A row of one narrow element, computed in a wider type: its neighbours stay.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(y: pl.InOut[pl.Tensor[[M, N], pl.FP8E5M2]], z: pl.InOut[pl.Tensor[[M, N], pl.INT8]]):
    for i in pl.parallel(0, M, 1):
        y[i : i + 1, 0:1] = y[i : i + 1, 0:1] + 0.5
        z[i : i + 1, 0:1] = pl.cast(pl.cast(z[i : i + 1, 0:1], pl.FP32) * 0.5, pl.INT8, mode="rint")
