# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Tiles and speed
#
# One matmul, written five times: from scalar loops to the peak of the CPU. All five give the same result at every
# size. What changes is how much work one operation describes.

# %%
import time

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")

# %% [markdown]
# **Scalars.** Three loops, one multiply-add at a time. Every element is read again and again, and nothing says that
# the iterations are independent.


# %%
@pl.jit
def scalars(
    a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]
) -> None:
    for i in pl.range(M):
        for j in pl.range(N):
            acc = 0.0
            for k in pl.range(K):
                acc += a[i, k] * b[k, j]
            c[i, j] = acc


# %% [markdown]
# **Rows.** One element of `a` times a row of `b` is one operation on a tile. The compiler vectorises it. The rows of
# `c` run in parallel, because they are proved disjoint.


# %%
@pl.jit
def rows(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    for i in pl.parallel(M):
        acc = pl.full([1, N], dtype=pl.FP32, value=0.0)
        for k in pl.range(K):
            acc += a[i, k] * b[k : k + 1, :]
        c[i : i + 1, :] = acc


# %% [markdown]
# **Tiles.** A block of `a` times a block of `b` is a matmul itself, `pl.matmul_acc`. The accumulator stays in
# registers and the operands in the nearest cache. Each element that is read is used many times. Tiles at the edges
# are shorter; no masks are needed.

# %%
ROWS, COLUMNS, DEPTH = 128, 256, 256


@pl.jit
def tiles(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    for i in pl.parallel(0, M, ROWS):
        for j in pl.parallel(0, N, COLUMNS):
            acc = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, DEPTH):
                acc = pl.matmul_acc(acc, a[i : i + ROWS, k : k + DEPTH], b[k : k + DEPTH, j : j + COLUMNS])
            c[i : i + ROWS, j : j + COLUMNS] = acc


# %% [markdown]
# **Small tiles.** The same with tiles of 8. The accumulator stays in registers here too, so even these do well. But
# each element that is read is used 8 times and not 128 times, which shows once the matrices exceed the caches. The
# author chooses the tile shape; `tegula bench` and `tegula explain --perf` show what it costs.


# %%
@pl.jit
def small_tiles(
    a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]
) -> None:
    for i in pl.parallel(0, M, 8):
        for j in pl.parallel(0, N, 8):
            acc = pl.full([8, 8], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 8):
                acc = pl.matmul_acc(acc, a[i : i + 8, k : k + 8], b[k : k + 8, j : j + 8])
            c[i : i + 8, j : j + 8] = acc


# %% [markdown]
# **Whole arrays.** Without tiles in the source, the compiler chooses them for the machine and for the sizes of the
# call. That is usually the fastest, and one line.


# %%
@pl.jit
def whole(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    c[:] = pl.matmul(a, b)


# %% [markdown]
# Measured on this machine: the minimum of a few calls, after a first one that compiles. Times vary from run to run.

# %%
size = 192
rng = np.random.default_rng(0)
a, b = (rng.standard_normal((size, size), dtype=np.float32) for _ in range(2))
expected = a.astype(np.float64) @ b
for kernel in (scalars, rows, small_tiles, tiles, whole):
    c = kernel(a, b)
    np.testing.assert_allclose(c, expected, rtol=1e-3, atol=1e-3)
    least = 1e9
    for _ in range(5):
        start = time.perf_counter()
        kernel(a, b, c)
        least = min(least, time.perf_counter() - start)
    print(f"{kernel.__name__:12} {2 * size**3 / least / 1e9:8.2f} GFLOP/s")
# Output:
# scalars          0.11 GFLOP/s
# rows            33.31 GFLOP/s
# small_tiles    261.80 GFLOP/s
# tiles          260.55 GFLOP/s
# whole          252.04 GFLOP/s

# %% [markdown]
# `tegula bench FILE:KERNEL --dim M=1024 --dim N=1024 --dim K=1024` shows times around a size.
# `tegula check FILE --explain` lists the loops that run in order, and why.
