# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(
    x1: pl.Tensor[[M, N], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
):
    for i in pl.parallel(0, M, 16):
        a = x1[i : i + 16, :] + 1.0
        for q3 in pl.range(min(M, 4)):
            if M > 3:
                break
            a = x1[i : i + 16, :] - 2.0
        y2[i : i + pl.tensor.dim(a, 0), 0 : pl.tensor.dim(a, 1)] = a
