# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Tiles and speed
#
# One product of matrices, written five times: from loops over numbers to what the processor can do at most. All five
# give the same result at every size; what changes is how much the compiler is told at once.

# %%
import time

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")

# %% [markdown]
# **Numbers.** Three loops, one multiplication at a time. Every number is read from memory again and again, and nothing
# says that the turns are independent.


# %%
@pl.jit
def numbers(
    a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]
) -> None:
    for i in pl.range(M):
        for j in pl.range(N):
            total = 0.0
            for k in pl.range(K):
                total += a[i, k] * b[k, j]
            c[i, j] = total


# %% [markdown]
# **Rows.** One number of `a` times a row of `b` is one operation on a tile. The compiler makes vectors of it, and the
# rows of `c` run at once, because it is proved that they do not meet.


# %%
@pl.jit
def rows(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    for i in pl.parallel(M):
        total = pl.full([1, N], dtype=pl.FP32, value=0.0)
        for k in pl.range(K):
            total += a[i, k] * b[k : k + 1, :]
        c[i : i + 1, :] = total


# %% [markdown]
# **Tiles.** A block of `a` times a block of `b` is a product itself, `pl.matmul_acc`. It stays in registers and in the
# nearest cache, and each number that is read is used many times. At the edges tiles are shorter; nothing is written
# for that.

# %%
ROWS, COLUMNS, DEPTH = 128, 256, 256


@pl.jit
def tiles(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    for i in pl.parallel(0, M, ROWS):
        for j in pl.parallel(0, N, COLUMNS):
            total = pl.full([ROWS, COLUMNS], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, DEPTH):
                total = pl.matmul_acc(total, a[i : i + ROWS, k : k + DEPTH], b[k : k + DEPTH, j : j + COLUMNS])
            c[i : i + ROWS, j : j + COLUMNS] = total


# %% [markdown]
# **Small tiles.** The same with tiles of 8. The total stays in registers here too, so that even these do well; but each
# number that is read is used 8 times and not 128 times, which shows once the matrices are larger than the caches. The
# shape of a tile is the author's to choose, and `tegula bench` and `tegula explain --perf` say what it costs.


# %%
@pl.jit
def small_tiles(
    a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]
) -> None:
    for i in pl.parallel(0, M, 8):
        for j in pl.parallel(0, N, 8):
            total = pl.full([8, 8], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 8):
                total = pl.matmul_acc(total, a[i : i + 8, k : k + 8], b[k : k + 8, j : j + 8])
            c[i : i + 8, j : j + 8] = total


# %% [markdown]
# **The whole.** Without tiles the compiler chooses them for the machine and for the sizes of the call. That is usually
# the fastest, and one line.


# %%
@pl.jit
def whole(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    c[:] = pl.matmul(a, b)


# %% [markdown]
# Measured on this machine: the least of a few calls, after a first one that compiles.

# %%
size = 192
rng = np.random.default_rng(0)
a, b = (rng.standard_normal((size, size), dtype=np.float32) for _ in range(2))
expected = a.astype(np.float64) @ b
for kernel in (numbers, rows, small_tiles, tiles, whole):
    c = kernel(a, b)
    np.testing.assert_allclose(c, expected, rtol=1e-3, atol=1e-3)
    least = 1e9
    for _ in range(5):
        start = time.perf_counter()
        kernel(a, b, c)
        least = min(least, time.perf_counter() - start)
    print(f"{kernel.__name__:12} {2 * size**3 / least / 1e9:8.2f} GFLOP/s")

# %% [markdown]
# The gap to the peak is what is left. `tegula bench FILE:KERNEL --dim M=1024 --dim N=1024 --dim K=1024` shows times
# around a size, and `tegula check FILE --explain` which loops run in order and why.
