# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Dynamic shapes and specialisation
#
# | parameter | treated as |
# |---|---|
# | an axis with a symbol | any size; never recompiles |
# | an axis with a constant size | checked at the call |
# | an undeclared axis | specialised: another size is another variant |
# | a scalar | a run-time value, unless the program needs a constant |

# %%
import numpy as np

import tegula
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def rms_norm(x: pl.Tensor[[M, 64], pl.FP32], eps: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor[[M, 64], pl.FP32]]) -> None:
    mean = pl.row_sum(x * x) / 64.0
    out[:] = x * pl.rsqrt(mean + eps)


for rows in (1, 7, 1000):
    x = np.ones((rows, 64), np.float32)
    np.testing.assert_allclose(rms_norm(x, 1e-6 * rows), x, rtol=1e-3)
assert len(rms_norm.variants) == 1, "neither rows nor eps is in the key"

try:
    rms_norm(np.ones((3, 65), np.float32), 0.1)
except tegula.CallError as error:
    print(error)
    assert "65" in str(error) and "64" in str(error)
# Output:
# argument 'x': axis 1 is 65, but 64 is wanted


# %% [markdown]
# Without a type and a shape in its annotations a kernel takes any tensor, and is compiled for each combination of
# types and shapes. `bind_dynamic` declares a dynamic axis in the body. So does any helper that the tensor is passed
# to.


# %%
@pl.jit
def double(x: pl.Tensor, out: pl.Out[pl.Tensor]) -> None:
    x.bind_dynamic(0, M)
    out.bind_dynamic(0, M)
    out[:] = x + x


for shape in [(3, 4), (5, 4), (900, 4), (3, 8)]:
    x = np.ones(shape, np.float32)
    double(x, np.empty_like(x))
print(double.explain())
assert [variant.signature for variant in double.variants] == [
    "double(x: Tensor[[M, 4], FP32], out: Out[Tensor[[M, 4], FP32]])",
    "double(x: Tensor[[M, 8], FP32], out: Out[Tensor[[M, 8], FP32]])",
]
# Output:
# double(x: Tensor, out: Out[Tensor])
# key ..., 2 variants
# variant 0: double(x: Tensor[[M, 4], FP32], out: Out[Tensor[[M, 4], FP32]]), compiled in this process
#   'x' holds FP32: the annotation leaves the type to the call
#   'x' axis 0 is any size (M)
#   'x' axis 1 is 4: the annotation leaves the shape to the call
#   'out' holds FP32: the annotation leaves the type to the call
#   'out' axis 0 is any size (M)
#   'out' axis 1 is 4: the annotation leaves the shape to the call
# variant 1: double(x: Tensor[[M, 8], FP32], out: Out[Tensor[[M, 8], FP32]]), compiled in this process
#   'x' holds FP32: the annotation leaves the type to the call
#   'x' axis 0 is any size (M)
#   'x' axis 1 is 8: the annotation leaves the shape to the call
#   'out' holds FP32: the annotation leaves the type to the call
#   'out' axis 0 is any size (M)
#   'out' axis 1 is 8: the annotation leaves the shape to the call

# %% [markdown]
# `explain` prints what each variant is specialised on and why. With arguments it says which variant the call would
# use.

# %%
print(double.explain(np.ones((3, 5), np.float32), np.empty((3, 5), np.float32)))
# Output:
# double(x: Tensor, out: Out[Tensor])
# key ..., 2 variants
# variant 0: double(x: Tensor[[M, 4], FP32], out: Out[Tensor[[M, 4], FP32]]), compiled in this process
#   'x' holds FP32: the annotation leaves the type to the call
#   'x' axis 0 is any size (M)
#   'x' axis 1 is 4: the annotation leaves the shape to the call
#   'out' holds FP32: the annotation leaves the type to the call
#   'out' axis 0 is any size (M)
# ...
#   'out' holds FP32: the annotation leaves the type to the call
#   'out' axis 0 is any size (M)
#   'out' axis 1 is 8: the annotation leaves the shape to the call
# this call would look in the disk cache, and compile if it finds nothing there
#   variant 0: 'x' axis 1 is 4, the call has 5
#   variant 0: 'out' axis 1 is 4, the call has 5
#   variant 1: 'x' axis 1 is 8, the call has 5
#   variant 1: 'out' axis 1 is 8, the call has 5


# %% [markdown]
# `pl.jit(dynamic=True)` keeps every axis dynamic that the program does not need as a constant. Here the loop over the
# columns is unrolled, so their number is a constant. The rows stay dynamic.


# %%
@pl.jit(dynamic=True)
def weighted(x: pl.Tensor, out: pl.Out[pl.Tensor]) -> None:
    total = pl.full([x.shape[0], 1], pl.FP32, 0.0)
    for column in pl.unroll(x.shape[1]):
        total = total + x[:, column : column + 1] * (column + 1.0)
    out[:] = total


for rows in (2, 5, 11):
    x = np.ones((rows, 3), np.float32)
    out = np.zeros((rows, 1), np.float32)
    weighted(x, out)
    np.testing.assert_array_equal(out, np.full((rows, 1), 6, np.float32))
print(weighted.explain())
assert len(weighted.variants) == 1
# Output:
# weighted(x: Tensor, out: Out[Tensor])
# key ..., 1 variants
# variant 0: weighted(x: Tensor[[x.0, 3], FP32], out: Out[Tensor[[out.0, 1], FP32]]), compiled in this process
#   'x' holds FP32: the annotation leaves the type to the call
#   'x' axis 0 is any size (x.0)
#   'x' axis 1 is 3: line 116: the bounds of unroll() must be known at compile time; use pl.range
#   'out' holds FP32: the annotation leaves the type to the call
#   'out' axis 0 is any size (out.0)
#   'out' axis 1 is 1: an extent of 1 broadcasts


# %% [markdown]
# The same holds for scalars: `n` is the length of an unrolled loop, so each `n` is a variant. `scale` stays a run-time
# value.


# %%
@pl.jit
def power(
    x: pl.Tensor[[M], pl.FP32], n: pl.Scalar[pl.INDEX], scale: pl.FP32, out: pl.Out[pl.Tensor[[M], pl.FP32]]
) -> None:
    result = x * scale
    for _ in pl.unroll(n - 1):
        result = result * x
    out[:] = result


twos = np.full(5, 2, np.float32)
for n, scale in [(3, 1.0), (3, 2.0), (2, 1.0)]:
    np.testing.assert_array_equal(power(twos, n, scale), scale * twos**n)
print(power.explain())
assert len(power.variants) == 2
# Output:
# power(x: Tensor[[M], FP32], n: Scalar[INDEX], scale: Scalar[FP32], out: Out[Tensor[[M], FP32]])
# key ..., 2 variants
# variant 0: power(x: Tensor[[M], FP32], n: Scalar[INDEX], scale: Scalar[FP32], out: Out[Tensor[[M], FP32]]), compi...
#   'n' is the constant 3: line 151: the bounds of unroll() must be known at compile time; use pl.range
# variant 1: power(x: Tensor[[M], FP32], n: Scalar[INDEX], scale: Scalar[FP32], out: Out[Tensor[[M], FP32]]), compi...
#   'n' is the constant 2: line 151: the bounds of unroll() must be known at compile time; use pl.range

# %% [markdown]
# Sizes may be computed from others. The call checks that they agree, and the error shows the values.

# %%
HALF = M // 2


@pl.jit
def halves(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[HALF], pl.FP32]]) -> None:
    out[:] = x[0:HALF] + x[M - HALF : M]


assert halves(np.arange(7, dtype=np.float32)).tolist() == [4, 6, 8]
try:
    halves(np.zeros(7, np.float32), np.zeros(4, np.float32))
except tegula.CallError as error:
    print(error)
    assert "M // 2" in str(error)
# Output:
# argument 'out': axis 0 is 4, but M // 2 is 3 (M is 7)
