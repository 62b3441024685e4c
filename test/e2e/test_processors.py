# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries compiled ahead of time, on processors that have less than this one, as qemu plays them."""

import pathlib
import shutil
import subprocess

import pytest
from tegula_library import BINARIES

KERNEL = """
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def scale(x: pl.Tensor[[M, 4], pl.FP32], a: pl.FP64, b: pl.INT16, y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
    y[:] = x * pl.cast(a, pl.FP32) + pl.cast(b, pl.FP32)
"""

PROGRAM = r"""
#include "scale.h"
#include <stdio.h>

#define N 37

int main(void) {
  static float x[N * 4], y[N * 4];
  int64_t sizes[2] = {N, 4};
  struct TegulaTensor tx = {x, TegulaFP32, 2, sizes, NULL}, ty = {y, TegulaFP32, 2, sizes, NULL};
  char message[200] = "right";
  int i, status;
  for (i = 0; i < N * 4; ++i)
    x[i] = (float)i;
  status = scale(&tx, 0.5, -3, &ty, message, sizeof message);
  for (i = 0; status == 0 && i < N * 4; ++i)
    if (y[i] != (float)i * 0.5f - 3)
      status = 10;
  printf("%d %s\n", status, message);
  return 0;
}
"""

# Without AVX, with AVX2 but not AVX-512, and what qemu has at most.
PROCESSORS = ["qemu64", "Nehalem", "Haswell", "max"]
REFUSED = "1 the library was compiled for processors with "


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the same library for several processors, each with its program."""
    if not shutil.which("qemu-x86_64"):
        pytest.fail("qemu-x86_64 is missing; scripts/setup.sh installs it")
    folder = tmp_path_factory.mktemp("processors")
    (folder / "kernel.py").write_text(KERNEL)
    (folder / "main.c").write_text(PROGRAM)
    for level in ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"):
        (folder / level).mkdir()
        words = ["kernel.py", "-o", f"{level}/libscale.so", "--header", "scale.h", "--cpu", level, "--no-threads"]
        subprocess.run([BINARIES / "tegula", "build", *words], cwd=folder, check=True)
        command = f"cc -std=c99 main.c -o {level}/main -L{level} -lscale -Wl,-rpath,$ORIGIN"
        subprocess.run(command.split(), cwd=folder, check=True)
    return folder


# How many of the processors, from the last one, can run the library; qemu plays none with AVX-512.
@pytest.mark.parametrize("level, first", [("x86-64", 0), ("x86-64-v2", 1), ("x86-64-v3", 2), ("x86-64-v4", 4)])
def test_a_library_runs_or_says_what_is_missing(folder: pathlib.Path, level: str, first: int) -> None:
    for number, processor in enumerate(PROCESSORS):
        done = subprocess.run(
            ["qemu-x86_64", "-cpu", processor, f"{level}/main"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (processor, done.returncode, done.stderr)
        if number >= first:
            assert done.stdout == "0 right\n", processor
        else:
            assert done.stdout.startswith(REFUSED), (processor, done.stdout)
