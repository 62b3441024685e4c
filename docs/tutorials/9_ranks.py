# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Ranks
#
# A host program runs on several processes, called ranks, each with its own memory. A window is memory that every
# rank has and that its peers can access. Here each rank puts its row into its window, an allreduce adds all windows,
# and every rank takes the sum.

# %%
import numpy as np

import tegula
import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def put(x: pl.Tensor[[N], pl.FP32], window: pld.DistributedTensor[[N], pl.FP32]) -> None:
    window[:] = x


@pl.jit.incore
def take(window: pld.DistributedTensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    y[:] = window


@pl.jit.host
def total(x: pl.Tensor[[NR, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]]) -> None:
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        put(x[r], window, device=r)
    window = pld.tensor.allreduce(window, op=pld.ReduceOp.Sum)
    for r in pl.range(pld.world_size()):
        take(window, y[r], device=r)


# %% [markdown]
# `tegula.ranks(2)` starts two processes, once. Calls inside run on them. One compiled program serves any number of
# ranks and any size.

# %%
with tegula.ranks(2):
    for size in (1, 1000):
        x = np.random.default_rng(size).standard_normal((2, size), dtype=np.float32)
        y = np.empty_like(x)
        total(x, y)
        np.testing.assert_allclose(y, np.broadcast_to(x.sum(axis=0), x.shape), rtol=1e-5, atol=1e-6)
with tegula.ranks(3):
    x = np.ones((3, 7), np.float32)
    y = np.empty_like(x)
    total(x, y)
    assert (y == 3).all()

# %% [markdown]
# The same file runs under `mpirun -n 4 python`, with `with tegula.ranks():`, and by
# `tegula run FILE:total --ranks 4 --dim NR=4 --dim N=1000`. A rank that fails or is killed ends the call with an error
# that names it, and what the others waited for.
