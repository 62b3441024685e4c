# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeated all-reduces of tensors that were just written: of data in windows, and of data that is
private to each rank."""

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.jit.incore
def copy(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = x


@pl.jit
def in_windows(x: pl.Tensor[[N], pl.FP32], window: pld.DistributedTensor[[N], pl.FP32], rounds: pl.Scalar[pl.INDEX]):
    for _ in pl.range(rounds):
        copy(x, window)
        window = pld.tensor.allreduce(window)


@pl.jit
def private(
    x: pl.Tensor[[N], pl.FP32],
    fresh: pl.InOut[pl.Tensor[[N], pl.FP32]],
    y: pl.InOut[pl.Tensor[[N], pl.FP32]],
    window: pld.DistributedTensor[[N], pl.FP32],
    rounds: pl.Scalar[pl.INDEX],
):
    for _ in pl.range(rounds):
        copy(x, fresh)
        copy(fresh, window)
        window = pld.tensor.allreduce(window)
        copy(window, y)


@pl.jit.host
def sum_windows(x: pl.Tensor[[NR, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]], rounds: pl.Scalar[pl.INDEX]):
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        in_windows(x[r], window, rounds, device=r)
    for r in pl.range(pld.world_size()):
        copy(window, y[r], device=r)


@pl.jit.host
def sum_private(
    x: pl.Tensor[[NR, N], pl.FP32],
    fresh: pl.InOut[pl.Tensor[[NR, N], pl.FP32]],
    y: pl.InOut[pl.Tensor[[NR, N], pl.FP32]],
    rounds: pl.Scalar[pl.INDEX],
):
    window = pld.window(pld.alloc_window_buffer([N], dtype=pl.FP32), [N], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        private(x[r], fresh[r], y[r], window, rounds, device=r)
