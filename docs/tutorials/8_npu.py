# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Simulated NPU
#
# `npu:tpuv3` and the others are machines described by a text file: concurrent units, small memories, a slow DRAM. A
# kernel is compiled for one as for a CPU. A call computes its values here. A simulator reports how many cycles the
# machine would take, and why.

# %%
import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit(target="npu:tpuv3")
def matmul(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    c[:] = pl.matmul(a, b)


a = np.random.default_rng(0).standard_normal((256, 128), dtype=np.float32)
b = np.random.default_rng(1).standard_normal((128, 192), dtype=np.float32)
np.testing.assert_allclose(matmul(a, b), a @ b, rtol=1e-3, atol=1e-3)

# %% [markdown]
# The report has one line per unit: how long it was busy, how much of that was useful, and what it waited for.

# %%
report = matmul.last_report
print(report)
cycles = report.cycles
assert cycles > 0

# %% [markdown]
# Twice the rows take more cycles, and no compile: the size is a run-time value here as well.

# %%
matmul(np.concatenate([a, a]), b)
assert matmul.last_report.cycles > cycles
assert len(matmul.variants) == 1

# %% [markdown]
# On the command line, `tegula sim FILE --dim M=64..4096:x2 ...` sweeps sizes, `--what-if dram_bandwidth=x2` changes
# the machine, and `--report page.html` draws the timeline.
