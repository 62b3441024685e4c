# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # The processor
#
# `cpu` is the target unless another one is said: the processor this runs on, with all its vector instructions and its
# threads. Other processors are targets of their own, for libraries that are shipped.

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
# The machine code can be looked at. A loop is shared out among threads only where the sizes of a call are worth it, which
# the code itself decides: small calls start no thread.

# %%
assembly = rms_norm.lower(stage="asm")
assert "rms_norm" in assembly
print(len(assembly.splitlines()), "lines of assembly")

# %% [markdown]
# `cpu:x86-64-v3` is a processor with 256-bit vectors, `cpu:no-threads` one that has a single thread. `tegula.config` chooses a
# target for a while, `@pl.jit(target=...)` for one kernel; each is compiled for itself.

# %%
for target in ("cpu:x86-64-v3", "cpu:no-threads"):
    with tegula.config(target=target):
        np.testing.assert_allclose(rms_norm(x, gamma), expected, rtol=1e-4, atol=1e-6)

# %% [markdown]
# Arrays are taken as they lie: transposed, reversed, every second row. One compiled kernel serves them all.

# %%
np.testing.assert_allclose(rms_norm(x[::-2], gamma), expected[::-2], rtol=1e-4, atol=1e-6)
wide = np.asfortranarray(x)
np.testing.assert_allclose(rms_norm(wide, gamma), expected, rtol=1e-4, atol=1e-6)
