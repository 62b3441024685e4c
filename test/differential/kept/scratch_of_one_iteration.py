# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A loop of one iteration makes tensors that grow with the loop around it.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M, 8], pl.INT32], y: pl.InOut[pl.Tensor[[M, 8], pl.INT32]]):
    for i in pl.parallel(M):
        n = i + 1
        for j in pl.parallel(1):
            t = pl.create_tensor([n, 8], dtype=pl.INT32)
            u = pl.create_tensor([n, 8], dtype=pl.INT32)
            for r in pl.range(n):
                t[r : r + 1, :] = x[r : r + 1, :] * 2
                u[r : r + 1, :] = x[r : r + 1, :] * 3
            y[i : i + 1, :] = t[i : i + 1, :] + pl.col_sum(u) - pl.col_max(t)
