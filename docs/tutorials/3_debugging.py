# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Debugging
#
# The reference interpreter runs a kernel op by op, without tiling, fusion or machine code. If compiled code and the
# interpreter agree on a wrong result, the bug is in the kernel. If they differ, it is in the compiler, and `--bisect`
# names the pass.

# %%
import pathlib
import subprocess
import sys

import numpy as np

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def centred(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    mean = pl.row_sum(x) / pl.cast(N, pl.FP32)
    out[:] = x - mean


x = np.random.default_rng(0).standard_normal((100, 33), dtype=np.float32)
compiled = centred(x)
with tegula.config(target="interpreter"):
    interpreted = centred(x)
np.testing.assert_allclose(compiled, interpreted, atol=1e-6)

# %% [markdown]
# `lower` shows the program at a stage: as source again, after inference, as tiles, as LLVM IR, as assembly.

# %%
print(centred.lower(stage="source"))
for stage in ("frontend", "inferred", "tiles", "llvm", "asm"):
    assert centred.lower(stage=stage)
# Output:
# import tegula.language as pl
#
# M = pl.dynamic("M")
# N = pl.dynamic("N")
#
#
# @pl.jit
# def centred(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
#     t0 = pl.load(x)
#     mean = pl.row_sum(t0) / pl.cast(N, pl.FP32)
#     out[:] = t0 - mean


# %% [markdown]
# | statement | when |
# |---|---|
# | `pl.static_print`, `pl.static_assert` | at compile time |
# | `assert` on sizes | at the call |
# | `pl.print`, `pl.assert_` | while the kernel runs, on every target |


# %%
@pl.jit
def halves(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    for i in pl.parallel(0, M, 2):
        rows = x[i : i + 2, :]
        pl.print("rows", rows, f"of {M}")
        pl.assert_(rows < 8.0, "rows are small")
        out[i : i + 2, :] = rows * 0.5


small = np.arange(8, dtype=np.float32).reshape(4, 2)
halves(small)
try:
    halves(small + 4.0)
except tegula.RunError as error:
    print(error)
    assert "assertion failed in 'halves': rows are small, where i is " in str(error)
# Output:
# [i=0] rows [[0. 1.]
#  [2. 3.]] of 4
# [i=2] rows [[4. 5.]
#  [6. 7.]] of 4
# [i=0] rows [[4. 5.]
#  [6. 7.]] of 4
# [i=2] rows [[ 8.  9.]
#  [10. 11.]] of 4
# 3_debugging.py:70:9: assertion failed in 'halves': rows are small, where i is 2


# %%
@pl.jit
def in_sixteens(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]) -> None:
    assert M % 16 == 0, "rows come in sixteens"
    out[:] = x + 1.0


in_sixteens(np.zeros(32, np.float32))
try:
    in_sixteens(np.zeros(33, np.float32))
except tegula.Error as error:
    print(error)
    assert "M is 33" in str(error)
# Output:
# needs M % 16 == 0 (rows come in sixteens), but M is 33


# %% [markdown]
# An index from a tensor is checked when the kernel runs. The error names the line of the kernel.


# %%
@pl.jit
def pick(x: pl.Tensor[[M], pl.FP32], indices: pl.Tensor[[N], pl.INT32], out: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    for i in pl.range(N):
        out[i] = x[indices[i]]


assert pick(np.arange(4, dtype=np.float32), np.array([3, 0], np.int32)).tolist() == [3, 0]
try:
    pick(np.arange(4, dtype=np.float32), np.array([3, 4], np.int32))
except tegula.RunError as error:
    print(error)
    assert "index 4 of axis 0 is out of range" in str(error)
# Output:
# 3_debugging.py:118:20: index 4 of axis 0 is out of range, the extent is 4

# %% [markdown]
# The command line does the same with a file. `--check` compares with the interpreter. `--bisect` runs the interpreter
# after every pass and names the first one that changes a result.

# %%
command = pathlib.Path(tegula.__file__).parent / "bin" / "tegula"
if not command.exists():  # in the build folder
    command = pathlib.Path(tegula.__file__).parents[2] / "bin" / "tegula"
arguments = ["run", f"{__file__}:centred", "--dim", "M=100", "--dim", "N=33", "--check", "--bisect"]
done = subprocess.run([command, *arguments], capture_output=True, text=True)
print(done.stdout)
sys.exit(done.returncode)
# Output:
# check out: ok, largest error 2.38e-07 absolute, 7.61e-08 relative (limit 1e-05)
# out: [100, 33] FP32, min -2.97830534, max 3.132362127, mean 2.765745828e-10, checksum ...
# centred M=100 N=33: first call 17.2 us, compiled in 500 ms
