# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # A first kernel
#
# A kernel is a function under `pl.jit`. It is parsed and compiled; Python never runs it. Parameters are tensors and
# scalars. `pl.dynamic` makes a size that is bound at each call.

# %%
import numpy as np

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def softmax(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> pl.Tensor:
    shifted = pl.exp(x - pl.row_max(x))
    out[:] = shifted / pl.row_sum(shifted)
    return out


# %% [markdown]
# The first call compiles. Later calls of any size run the same code. An output may be passed or left out; if it is
# left out, it is allocated and returned.

# %%
x = np.random.default_rng(0).standard_normal((1000, 37), dtype=np.float32)
y = softmax(x)

expected = np.exp(x - x.max(1, keepdims=True))
expected /= expected.sum(1, keepdims=True)
np.testing.assert_allclose(y, expected, rtol=1e-5)

for rows in (0, 1, 63, 64, 65):
    assert softmax(x[:rows]).shape == (rows, 37)
print(softmax.signature, "compiled", len(softmax.variants), "time")
assert len(softmax.variants) == 1
# Output:
# softmax(x: Tensor[[M, N], FP32], out: Out[Tensor[[M, N], FP32]]) compiled 1 time

# %% [markdown]
# Tensors may have any strides, also negative ones. They are never copied.

# %%
out = np.zeros((500, 74), np.float32)
softmax(x[::-2], out[:, ::2])
np.testing.assert_array_equal(out[:, ::2], y[::-2])

# %% [markdown]
# A call with wrong arguments is refused before anything runs. The error names the argument and what is expected.

# %%
try:
    softmax(x.astype(np.float64))
except tegula.CallError as error:
    print(error)
    assert "argument 'x': FP32 is wanted, got FP64" in str(error)
# Output:
# argument 'x': FP32 is wanted, got FP64

# %% [markdown]
# Helpers are functions under `pl.jit.inline`, or one of the other kinds. They are found as Python finds names: through
# closures, modules and attributes. Constants such as `SCALE` are part of the program: when one changes, the next call
# compiles the new program. Default arguments are evaluated where the helper is defined, as in Python.

# %%
SCALE = 2.0


@pl.jit.inline
def scaled(t: pl.Tensor, by: float = 1.0) -> pl.Tile:
    return t * (by * SCALE)


@pl.jit
def twice(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    out[:] = scaled(x) + scaled(x, by=0.25)


np.testing.assert_allclose(twice(x), x * 2.5, rtol=1e-6)
SCALE = 4.0
np.testing.assert_allclose(twice(x), x * 5.0, rtol=1e-6)

# %% [markdown]
# An error in a kernel is an exception with the kernel's own line and a caret.


# %%
@pl.jit
def wrong(x: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    out[:] = pl.row_sun(x)  # type: ignore[attr-defined]


try:
    wrong(x)
except tegula.CompileError as error:
    print(error)
    assert "did you mean" in str(error) and error.line > 0
# Output:
# 1_first_kernel.py:94:14: error: 'pl.row_sun' does not exist; did you mean 'pl.row_sum'?
#       out[:] = pl.row_sun(x)  # type: ignore[attr-defined]
#                ^
