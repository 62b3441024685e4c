# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Of two products in one loop one has the same rows in every iteration.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x: pl.Tensor[[M, 64], pl.FP32],
    w: pl.Tensor[[64, 32], pl.FP32],
    v: pl.Tensor[[8, 64], pl.FP32],
    z: pl.Tensor[[64, M], pl.FP32],
    a: pl.Out[pl.Tensor[[M, 32], pl.FP32]],
    b: pl.Out[pl.Tensor[[8, M], pl.FP32]],
):
    for i in pl.parallel(0, M, 16):
        t = pl.matmul(x[i : i + 16, :], w)
        s = pl.matmul(v, z[:, i : i + 16])
        a[i : i + 16, :] = pl.relu(t)
        b[:, i : i + 16] = pl.relu(s)
