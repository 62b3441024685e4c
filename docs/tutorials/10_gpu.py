# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # GPU
#
# `cuda:sm_90a` and other chips are targets, too: the whole kernel becomes one launch. `cuda:emulate` runs the same GPU
# program on the CPU, to try a kernel without a GPU.

# %%
import numpy as np

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def softmax(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    shifted = pl.exp(x - pl.row_max(x))
    y[:] = shifted / pl.row_sum(shifted)


x = np.random.default_rng(0).standard_normal((5, 37), dtype=np.float32)
expected = np.exp(x - x.max(1, keepdims=True))
expected /= expected.sum(1, keepdims=True)
with tegula.config(target="cuda:emulate"):
    np.testing.assert_allclose(softmax(x), expected, rtol=1e-5)

# %% [markdown]
# PTX is generated without a GPU and without CUDA.

# %%
with tegula.config(target="cuda:sm_90a"):
    text = softmax.lower(stage="ptx")
assert ".target sm_90a" in text
print(len(text.splitlines()), "lines of PTX")
# Output:
# 14442 lines of PTX

# %% [markdown]
# `tegula build FILE --target cuda:sm_90a,sm_80 -o libsoftmax.so` makes a library for both chips. It needs only the
# CUDA driver.
