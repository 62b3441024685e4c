# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tegula.language as pl


@pl.jit
def double(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    y[:] = x + x
