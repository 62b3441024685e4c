# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x1: pl.Tensor[[M], pl.FP16],
    y2: pl.InOut[pl.Tensor[[M], pl.FP16]],
):
    a = x1 + 1.0
    b = pl.maximum(x1, -1.0)
    if b.shape[0] > 4:
        pass
    elif 1 == 1:
        a, b = b, a
    y2[0 : pl.tensor.dim(a, 0)] = a
