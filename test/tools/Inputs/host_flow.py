# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What host functions are made of: loops, branches, helpers, tensors of their own, tasks."""

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = pl.dynamic("SIZE")


@pl.jit.incore
def add_one(x: pl.Tensor[[SIZE], pl.FP32], y: pl.Out[pl.Tensor[[SIZE], pl.FP32]]):
    y[:] = x + 1.0
    return y


@pl.jit
def two_steps(
    x: pl.Tensor[[SIZE], pl.FP32], y: pl.Out[pl.Tensor[[SIZE], pl.FP32]], z: pl.Out[pl.Tensor[[SIZE], pl.FP32]]
):
    y = add_one(x, y)
    z = add_one(y, z)
    return y, z


@pl.jit.host
def tuples(
    x: pl.Tensor[[NR, SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]],
    z: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]],
):
    for r in pl.range(pld.world_size()):
        a, b = two_steps(x[r], y[r], z[r], device=r)
        add_one(b, a, device=r)
    return y, z


@pl.jit.host
def carried(x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]], steps: pl.Scalar[pl.INT32]):
    now = pl.create_tensor([NR, SIZE], dtype=pl.FP32)
    then = pl.create_tensor([NR, SIZE], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        add_one(x[r], now[r], device=r)
    done = 0
    for s in pl.range(steps):
        for r in pl.range(pld.world_size()):
            add_one(now[r], then[r], device=r)
        now, then = then, now
        done = done + 1
    i = 0
    while i < done:
        for r in pl.range(pld.world_size()):
            add_one(now[r], now[r], device=r)
        i += 2
    for r in pl.range(pld.world_size()):
        add_one(now[r], y[r], device=r)
    y[0, 0] = pl.cast(done + i, pl.FP32)
    return y


@pl.jit.incore
def add_number(
    x: pl.Tensor[[SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[SIZE], pl.FP32]],
    n: pl.Scalar[pl.INT32],
    flag: pl.Scalar[pl.BOOL],
):
    if flag:
        y[:] = x + pl.cast(n, pl.FP32)
    else:
        y[:] = x
    return y


@pl.jit.host
def branches(
    x: pl.Tensor[[NR, SIZE], pl.FP32],
    counts: pl.Tensor[[NR], pl.INT32],
    y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]],
    flag: pl.Scalar[pl.BOOL],
    n: pl.Scalar[pl.INT32],
):
    for r in pl.range(pld.world_size()):
        if n > 2:
            add_number(x[r], y[r], n, flag, device=r)
        else:
            add_number(flag=True, n=7, x=x[r], y=y[r], device=r)
    if flag:
        for r in pl.range(pld.world_size()):
            count = pl.read(counts, [r])
            if count > 0 and flag:
                add_number(y[r], y[r], count * 2, True, device=r)
    return y


@pl.jit.inline
def in_line(x: pl.Tensor, y: pl.Tensor):
    for r in pl.range(pld.world_size()):
        add_one(x[r], y[r], device=r)
    return y


@pl.jit.opaque
def apart(x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]):
    for r in pl.range(pld.world_size()):
        add_one(x[r], y[r], device=r)
    return y


@pl.jit.host
def helpers(x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]):
    mid = pl.create_tensor([NR, SIZE], dtype=pl.FP32)
    mid = in_line(x, mid)
    for r in pl.range(pld.world_size()):
        for c in pl.range(1, 4):
            part = pl.create_tensor([c * SIZE], dtype=pl.FP32)
            add_one(mid[r], part[0:SIZE], device=r)
            add_one(part[0:SIZE], mid[r], device=r)
    y = apart(mid, y)
    return y


@pl.jit.host
def tasks(x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]):
    mid = pl.create_tensor([NR, SIZE], dtype=pl.FP32)
    with pl.at(level=pl.Level.HOST) as first:
        for r in pl.parallel(pld.world_size()):
            add_one(x[r], mid[r], device=r)
    with pl.at(level=pl.Level.HOST, deps=[first]) as second:
        for r in pl.range(pld.world_size()):
            add_one(mid[r], y[r], device=r)
    pl.system.task_dummy(deps=[first, second])
    with pl.at(level=pl.Level.CORE_GROUP):
        y[0, :] = y[0, :] + 1.0


@pl.jit.host
def products(
    x: pl.Tensor[[NR * SIZE], pl.FP32],
    half: pl.Tensor[[SIZE // 2], pl.FP32],
    y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]],
):
    for r in pl.range(pld.world_size()):
        add_one(x[r * SIZE : (r + 1) * SIZE], y[r], device=r)
    y[0, 0] = half[0]


@pl.jit.host
def all_at_once(x: pl.Tensor[[SIZE, NR], pl.INT32], y: pl.Out[pl.Tensor[[SIZE, NR], pl.INT32]]):
    y[:] = x + 1
