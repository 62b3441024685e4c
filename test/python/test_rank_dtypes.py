# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over ranks of every dtype, at sizes that ranks do not divide."""

import ml_dtypes
import numpy as np
import pytest

import tegula
import tegula.language as pl
import tegula.language.distributed as pld


@pl.jit.incore
def put(x: pl.Tensor, window: pl.InOut[pl.Tensor]):
    window[:] = x


@pl.jit.incore
def take(window: pl.Tensor, y: pl.InOut[pl.Tensor]):
    y[:] = window


@pl.jit.host
def reduce(x: pl.Tensor, which: pl.constexpr, ring: pl.constexpr, y: pl.InOut[pl.Tensor]):
    window = pld.window(pld.alloc_window_buffer([x.shape[1]], dtype=x.dtype), [x.shape[1]], dtype=x.dtype)
    for r in pl.range(pld.world_size()):
        put(x[r], window, device=r)
    mode = "ring" if ring else "mesh"
    if which == 0:
        window = pld.tensor.allreduce(window, op=pld.ReduceOp.Sum, mode=mode)
    elif which == 1:
        window = pld.tensor.allreduce(window, op=pld.ReduceOp.Max, mode=mode)
    elif which == 2:
        window = pld.tensor.allreduce(window, op=pld.ReduceOp.Min, mode=mode)
    else:
        window = pld.tensor.allreduce(window, op=pld.ReduceOp.Prod, mode=mode)
    for r in pl.range(pld.world_size()):
        take(window, y[r], device=r)


OPERATIONS = (np.sum, np.max, np.min, np.prod)
DTYPES = [
    np.float32,
    np.float64,
    np.float16,
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e5m2,
    np.int8,
    np.uint8,
    np.int16,
    np.int32,
    np.int64,
]


@pytest.fixture(scope="module")
def group():
    with tegula.ranks(3) as started:
        yield started


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_of_every_dtype_at_uneven_sizes(dtype, group):
    for size in (7, 4099):
        low = 0 if dtype == np.uint8 else -1
        x = np.random.default_rng(size).integers(low, 3, (group.count, size)).astype(dtype)
        wide = x.astype(np.float64)
        for which, combine in enumerate(OPERATIONS if dtype == np.float32 else OPERATIONS[:2]):
            for ring in (False, True):
                y = np.zeros_like(x)
                reduce(x, which, ring, y)
                np.testing.assert_array_equal(y.astype(np.float64), np.broadcast_to(combine(wide, axis=0), x.shape))
