# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x1: pl.Tensor[[M], pl.FP32],
    y2: pl.InOut[pl.Tensor[[M], pl.FP32]],
):
    for i in pl.parallel(0, M, 3):
        a = x1[i : i + 3] + 1.0
        for q5, (a,) in pl.range(3, init_values=(a,)):
            n6 = pl.tensor.dim(a, 0)
            a = a[0 : max(n6 - 2, 0)] + 1.0
            a = a[0 : max(pl.tensor.dim(a, 0) - 2, 0)] - 2.0
        y2[i : i + a.shape[0]] = a
