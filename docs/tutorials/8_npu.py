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
# Output:
# matmul M=256 K=128 N=192 on tpuv3 (One core of a TPU v3 chip)
#
# time       2304 cycles, 2.450 us
# compute    5.136 of 61.60 TFLOP/s, 8.3 %
# memory     214.0 of 450.0 GB/s, 47.6 %; 24.00 FLOP/byte
# bound by   dram: at its peak it needs 47.6 % of this time, so 2.10 times as fast is the limit
#
# unit       busy % useful %  idle %, for
# ...
#
# dram       327.7 kB read, 196.6 kB written, 0 B of partial lines; busiest channel 1.00 of the mean
#   a             131.1 kB loaded        0 B stored
#   b             196.6 kB loaded        0 B stored
#   c                  0 B loaded   196.6 kB stored
# held       523.5 kB in the memories of one core, at most
# energy     0.08316 mJ: macs 6.1 %, scratchpad 2.3 %, noc 0.5 %, dram 17.5 %, leakage 73.7 %
#            (estimates for 7 to 16 nm; HBM2 as published, 3.48 pJ per bit and 909 pJ per activation)

# %% [markdown]
# Twice the rows take more cycles, and no compile: the size is a run-time value here as well.

# %%
matmul(np.concatenate([a, a]), b)
assert matmul.last_report.cycles > cycles
assert len(matmul.variants) == 1

# %% [markdown]
# On the command line, `tegula sim FILE --dim M=64..4096:x2 ...` sweeps sizes, `--what-if dram_bandwidth=x2` changes
# the machine, and `--report page.html` draws the timeline.
