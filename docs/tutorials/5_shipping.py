# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Shipping without a compiler
#
# A kernel can be compiled ahead of time into a library that needs neither Tegula nor Python nor LLVM. It holds the
# code and the argument checks. `tegula build FILE:KERNEL -o libk.so --header k.h` does the same from the command
# line.

# %%
import pathlib
import subprocess
import tempfile

import numpy as np

import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def saxpy(a: pl.Scalar[pl.FP32], x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]) -> None:
    y[:] = a * x + y


y = np.ones(3, np.float32)
saxpy(2.0, np.arange(3, dtype=np.float32), y)
assert y.tolist() == [1, 3, 5]

# %%
folder = pathlib.Path(tempfile.mkdtemp())
saxpy.export(folder / "libsaxpy.so", header=folder / "saxpy.h")
header = (folder / "saxpy.h").read_text()
print(header)
# Output:
# /* Kernels compiled by Tegula. */
#
# #ifndef SAXPY_H
# #define SAXPY_H
#
# #include <stddef.h>
# #include <stdint.h>
#
# ...
# /* saxpy(a: Scalar[FP32], x: Tensor[[M], FP32], y: InOut[Tensor[[M], FP32]]) */
# int saxpy(float a, const struct TegulaTensor *x, const struct TegulaTensor *y, char *message, size_t messageSize);
#
# #ifdef __cplusplus
# }
# #endif
#
# #endif

# %% [markdown]
# In C, or anything that can call C, a tensor is a pointer with its type, sizes and strides (`NULL` if row-major). The
# call returns 0, or an error message.

# %%
(folder / "main.c").write_text(r"""
#include "saxpy.h"
#include <stdio.h>

int main(void) {
  float x[] = {0, 1, 2}, y[] = {1, 1, 1};
  int64_t three[] = {3}, two[] = {2};
  struct TegulaTensor tx = {x, TegulaFP32, 1, three, NULL}, ty = {y, TegulaFP32, 1, three, NULL};
  char message[200];
  if (saxpy(2.0f, &tx, &ty, message, sizeof message))
    return 1;
  printf("%g %g %g\n", y[0], y[1], y[2]);
  ty.sizes = two;
  if (saxpy(2.0f, &tx, &ty, message, sizeof message))
    printf("refused: %s\n", message);
  return 0;
}
""")
program = folder / "main"
subprocess.run(["cc", folder / "main.c", "-o", program, f"-L{folder}", "-lsaxpy", f"-Wl,-rpath,{folder}"], check=True)
printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
print(printed)
assert printed.startswith("1 3 5\nrefused: ") and "axis 0 is 2" in printed
# Output:
# 1 3 5
# refused: argument 'y': axis 0 is 2, but M is 3 (from argument 'x' axis 0)
