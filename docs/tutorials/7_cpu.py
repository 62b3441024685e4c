# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # CPU
#
# `cpu` is the default target: the CPU this runs on, with all its vector instructions and threads. Other CPUs are
# targets too, for libraries that are shipped.

# %%
import numpy as np

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def rms_norm(
    x: pl.Tensor[[M, N], pl.FP32], gamma: pl.Tensor[[1, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]
) -> None:
    mean = pl.row_sum(x * x) / pl.cast(N, pl.FP32)
    out[:] = x * pl.rsqrt(mean + 1e-6) * gamma


x = np.random.default_rng(0).standard_normal((300, 70), dtype=np.float32)
gamma = np.ones((1, 70), np.float32)
expected = x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-6)
np.testing.assert_allclose(rms_norm(x, gamma), expected, rtol=1e-4, atol=1e-6)

# %% [markdown]
# `lower(stage="asm")` shows the assembly. A loop is distributed over threads only where the sizes of the call are
# worth it. The compiled code decides this: small calls start no thread.

# %%
assembly = rms_norm.lower(stage="asm")
assert "rms_norm" in assembly
print(len(assembly.splitlines()), "lines of assembly")
# Output:
# 1206 lines of assembly

# %% [markdown]
# `cpu:x86-64-v3` is a CPU with 256-bit vectors, `cpu:no-threads` has a single thread. `tegula.config` sets the
# target for a block, `@pl.jit(target=...)` for one kernel. Each target is compiled separately.

# %%
for target in ("cpu:x86-64-v3", "cpu:no-threads"):
    with tegula.config(target=target):
        np.testing.assert_allclose(rms_norm(x, gamma), expected, rtol=1e-4, atol=1e-6)

# %% [markdown]
# Arrays may have any layout: transposed, reversed, every second row. One compiled kernel serves them all.

# %%
np.testing.assert_allclose(rms_norm(x[::-2], gamma), expected[::-2], rtol=1e-4, atol=1e-6)
wide = np.asfortranarray(x)
np.testing.assert_allclose(rms_norm(wide, gamma), expected, rtol=1e-4, atol=1e-6)
