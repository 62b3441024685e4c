# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# As many columns as rows were done: how many rows an iteration has is not for the compiler to say.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x: pl.Tensor[[M, N], pl.INT32],
    y: pl.InOut[pl.Tensor[[M, N], pl.INT32]],
    z: pl.InOut[pl.Tensor[[M, N], pl.INT32]],
):
    for i in pl.parallel(0, M, 2):
        z[i : i + 2, :] = x[i : i + 2, :]
        y[i : i + 2, 0:i] = x[i : i + 2, 0:i]
