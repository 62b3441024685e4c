# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit(strict=True)
def windows(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    z[0:8] = x[0:8] + y[0:8]
