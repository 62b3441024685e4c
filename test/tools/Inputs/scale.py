# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

N = pl.dynamic("N")


@pl.jit
def scale(x: pl.InOut[pl.Tensor[[N, 16], pl.FP32]], a: pl.Scalar[pl.FP32], n: pl.Scalar[pl.INT8]):
    x[:] = x * a + pl.cast(n, pl.FP32)
