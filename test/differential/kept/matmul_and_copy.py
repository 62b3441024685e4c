# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The loop over the inner axis of a product writes its lhs elsewhere.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(
    x: pl.Tensor[[M, 64], pl.FP32],
    w: pl.Tensor[[64, 32], pl.FP32],
    y: pl.Out[pl.Tensor[[M, 32], pl.FP32]],
    z: pl.InOut[pl.Tensor[[M, 64], pl.FP32]],
):
    for i in pl.parallel(0, M, 16):
        acc = pl.full([16, 32], pl.FP32, 0.0)
        for c in pl.range(0, 64, 16):
            a = x[i : i + 16, c : c + 16]
            acc = pl.matmul_acc(acc, a, w[c : c + 16, :])
            z[i : i + 16, c : c + 16] = a * 2.0
        y[i : i + 16, :] = pl.relu(acc)
