# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The trace for the simulated NPU read elements of a tensor that was not there.
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def k(y: pl.InOut[pl.Tensor[[M, N], pl.UINT4]]):
    y[:, :] = pl.cummax(y[:, :], axis=-2, initial=9)
