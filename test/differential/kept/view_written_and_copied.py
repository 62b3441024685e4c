# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is written in another shape is copied to a tensor that may have gaps.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M, 8], pl.INT32], y: pl.InOut[pl.Tensor[[M, 8], pl.INT32]]):
    t = pl.create_tensor([M, 8], dtype=pl.INT32)
    v = pl.reshape(t, [M * 2, 4])
    for i in pl.range(M * 2):
        v[i : i + 1, :] = x[i // 2 : i // 2 + 1, 0:4] + pl.cast(i, pl.INT32)
    y[:] = t
