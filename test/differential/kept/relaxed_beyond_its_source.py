# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tile had more room than what it was made of, and some of its registers were null.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x: pl.Tensor[[M, 64], pl.BF16],
    w: pl.Tensor[[64, 16], pl.BF16],
    y: pl.InOut[pl.Tensor[[M, 16], pl.FP32]],
):
    for i in pl.parallel(0, M, 64):
        for j in pl.parallel(0, 16, 24):
            s = pl.full([64, 24], pl.FP32, 1.0)
            for c in pl.range(0, 64, 16):
                s = s + pl.matmul(x[i : i + 64, c : c + 16], w[c : c + 16, j : j + 24], out_dtype=pl.FP32)
            y[i : i + 64, j : j + 24] = s
