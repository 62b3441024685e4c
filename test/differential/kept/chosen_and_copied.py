# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tensor is copied, and then written under another name.
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], z: pl.InOut[pl.Tensor[[M], pl.FP32]], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    s = pl.create_tensor([M], dtype=pl.FP32)
    s[:] = x * 2.0
    v = s if M > 1 else z
    y[:] = s
    v[0:1] = pl.full([1], pl.FP32, -1.0)
