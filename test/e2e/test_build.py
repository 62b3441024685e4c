# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries compiled ahead of time, called from C and C++ programs that have nothing else of Tegula."""

import pathlib
import shutil
import subprocess
import sys

import pytest
from tegula_library import BINARIES, EXAMPLES

KERNELS = """
import tegula.language as pl

M = pl.dynamic("M")


@pl.jit
def scale(x: pl.Tensor[[M, 4], pl.FP32], a: pl.FP32, b: pl.INT32, c: pl.UINT8, y: pl.Out[pl.Tensor[[M, 4], pl.FP32]]):
    y[:] = x * a + pl.cast(b, pl.FP32) + pl.cast(c, pl.FP32)


@pl.jit
def at(x: pl.Tensor[[M], pl.INT64], i: pl.INDEX, new: pl.Out[pl.Tensor[[1], pl.INT64]]):
    pl.write(new, [0], pl.read(x, [i]))
"""

PROGRAM = r"""
#include "kernels.h"
#include <stdio.h>
#include <string.h>

#define N 100

int main(void) {
  static float x[N * 8], y[N * 4];
  int64_t sizes[2] = {N, 4}, strides[2] = {8, 2}, one[1] = {1}, many[1] = {4};
  int64_t numbers[4] = {5, 6, 7, 8}, chosen = 0;
  struct TegulaTensor tx = {x, TegulaFP32, 2, sizes, strides};
  struct TegulaTensor ty = {y, TegulaFP32, 2, sizes, NULL};
  struct TegulaTensor tn = {numbers, TegulaInt64, 1, many, NULL};
  struct TegulaTensor tc = {&chosen, TegulaInt64, 1, one, NULL};
  char message[200] = "nothing";
  int i, status;
  for (i = 0; i < N * 8; ++i)
    x[i] = (float)i;
  status = scale(&tx, 0.5f, -3, 250, &ty, message, sizeof message);
  for (i = 0; i < N * 4; ++i)
    if (y[i] != (float)i - 3 + 250)
      status = 10;
  printf("%d %s\n", status, message);
  sizes[0] = 0;
  printf("%d\n", scale(&tx, 0.5f, -3, 250, &ty, NULL, 0));
  status = at(&tn, 2, &tc, message, sizeof message);
  printf("%d %d\n", status, (int)chosen);
  status = at(&tn, 4, &tc, message, sizeof message);
  printf("%d %s\n", status, strchr(message, ' ') + 1);
  tn.dtype = TegulaInt32;
  status = at(&tn, 2, &tc, message, sizeof message);
  printf("%d %s\n", status, message);
  tn.dtype = 99;
  status = at(&tn, 2, &tc, message, sizeof message);
  printf("%d %s\n", status, message);
  status = at(NULL, 2, &tc, message, 12);
  printf("%d %s\n", status, message);
  tx.rank = 9;
  status = scale(&tx, 1, 1, 1, &ty, message, sizeof message);
  printf("%d %s\n", status, message);
  return 0;
}
"""

SAID = """0 nothing
0
0 7
2 index 4 of axis 0 is out of range, the extent is 4
1 argument 'x': INT64 is wanted, got INT32
1 argument 'x': element type 99 does not exist
1 argument 'x
1 argument 'x': 9 axes, at most 8 are possible
"""


def build(*words: object, folder: pathlib.Path) -> subprocess.CompletedProcess:
    """Runs `tegula build` in a folder."""
    command = [str(BINARIES / "tegula"), "build", *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def needed(library: pathlib.Path) -> str:
    """What has to be there to load the library."""
    return subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the library and its header."""
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "kernels.py").write_text(KERNELS)
    built = build("kernels.py", "-o", "libkernels.so", "--header", "kernels.h", folder=folder)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.parametrize("compiler", ["cc -std=c99 -x c", "c++ -std=c++11 -x c++"])
def test_c_program_calls_kernels(kernels: pathlib.Path, compiler: str) -> None:
    (kernels / "main.c").write_text(PROGRAM)
    command = f"{compiler} -Wall -Wextra -pedantic -Werror main.c -o main -L. -lkernels -Wl,-rpath,{kernels}"
    subprocess.run(command.split(), cwd=kernels, check=True)
    run = subprocess.run(["./main"], cwd=kernels, capture_output=True, text=True, check=True)
    assert run.stdout == SAID


STREAM = r"""
#include "kernels.h"
#include <stdio.h>

int main(void) {
  float x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8];
  int64_t sizes[2] = {2, 4};
  struct TegulaTensor tx = {x, TegulaFP32, 2, sizes, NULL}, ty = {y, TegulaFP32, 2, sizes, NULL};
  char message[200] = "nothing";
  int status = scale(&tx, 2, 1, 0, &ty, x, message, sizeof message);
  printf("%d %s %g\n", status, message, y[7]);
  return 0;
}
"""


def test_emulated_gpus_have_the_header_of_gpus(tmp_path: pathlib.Path) -> None:
    """And make nothing of the stream."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "main.c").write_text(STREAM)
    headers = []
    for target in ("cuda:sm_90a", "cuda:emulate"):
        words = ("kernels.py", "--target", target, "-o", "libkernels.so", "--header", "kernels.h")
        assert build(*words, folder=tmp_path).returncode == 0
        headers.append((tmp_path / "kernels.h").read_text())
    assert headers[0] == headers[1]
    command = f"cc -Wall -Werror main.c -o main -L. -lkernels -Wl,-rpath,{tmp_path}"
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    run = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == "0 nothing 15\n"


def test_library_stands_alone(kernels: pathlib.Path) -> None:
    libraries = needed(kernels / "libkernels.so")
    assert "libc.so" in libraries
    assert not any(name in libraries for name in ("LLVM", "MLIR", "tegula", "python", "not found"))
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", "libkernels.so"], cwd=kernels, capture_output=True, text=True, check=True
    ).stdout
    assert sorted(line.split()[-1] for line in symbols.splitlines()) == ["at", "scale"]


@pytest.mark.parametrize("target", ["cpu", "cuda:sm_90a"])
def test_a_process_opens_many_libraries(tmp_path: pathlib.Path, target: str) -> None:
    """They take none of the little memory that threads have at fixed places."""
    first = tmp_path / "lib0.so"
    source = EXAMPLES / "silu.py"
    subprocess.run(
        [BINARIES / "tegula", "build", source, "--target", target, "-o", first], check=True, capture_output=True
    )
    others = [shutil.copy(first, tmp_path / f"lib{number}.so") for number in range(1, 120)]
    program = "import ctypes, sys\nfor name in sys.argv[1:]:\n    ctypes.CDLL(name).silu"
    subprocess.run([sys.executable, "-c", program, first, *others], check=True)


def test_threads_and_processor_are_a_choice(tmp_path: pathlib.Path) -> None:
    softmax = EXAMPLES / "softmax.py"
    assert build(softmax, "-o", "many.so", folder=tmp_path).returncode == 0
    assert build(softmax, "-o", "one.so", "--no-threads", "--cpu", "x86-64-v3", folder=tmp_path).returncode == 0
    many, one = (needed(tmp_path / name) for name in ("many.so", "one.so"))
    assert [line.split()[0] for line in many.splitlines()] == [line.split()[0] for line in one.splitlines()]
    # Routines of the library look at the processor; the kernel's own code is for the one that was named.
    words = [BINARIES / "tegula", "ir", softmax, "--target", "cpu:x86-64-v3,no-threads", "--stage", "asm"]
    code = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "ymm" in code
    assert "zmm" not in code


def test_open_kernels_are_specialised(tmp_path: pathlib.Path) -> None:
    (tmp_path / "kernels.py").write_text(
        "import tegula.language as pl\n\n\n@pl.jit\ndef twice(x: pl.Tensor, y: pl.Out[pl.Tensor]):\n    y[:] = x + x\n"
    )
    words = [f"--{kind}={name}={value}" for name in "xy" for kind, value in (("dtype", "INT16"), ("shape", "3x4"))]
    built = build("kernels.py:twice", "-o", "lib.so", "--header", "k.h", *words, folder=tmp_path)
    assert built.returncode == 0, built.stderr
    assert "twice(x: Tensor[[3, 4], INT16], y: Out[Tensor[[3, 4], INT16]])" in (tmp_path / "k.h").read_text()
    built = build("kernels.py", "-o", "other.so", folder=tmp_path)
    assert built.returncode == 1
    assert not (tmp_path / "other.so").exists()


def test_names_that_c_cannot_have(tmp_path: pathlib.Path) -> None:
    text = KERNELS.replace("def at", "def pow").replace("def scale", "def double")
    (tmp_path / "kernels.py").write_text(text)
    built = build("kernels.py:double", "-o", "lib.so", folder=tmp_path)
    assert built.stderr == "error: no C function can be called 'double'; give a prefix\n"
    built = build("kernels.py:pow", "-o", "lib.so", folder=tmp_path)
    assert built.stderr == "error: the system has a function 'pow' already; give a prefix\n"
    built = build("kernels.py", "-o", "lib.so", "--header", "k.h", "--prefix", "my_", folder=tmp_path)
    assert built.returncode == 0, built.stderr
    assert (
        "int my_pow(const struct TegulaTensor *x, int64_t i, const struct TegulaTensor *new_, "
        in (tmp_path / "k.h").read_text()
    )


def test_bad_requests_write_nothing(tmp_path: pathlib.Path) -> None:
    softmax = EXAMPLES / "softmax.py"
    for words, said in (
        ([softmax], "'tegula build' needs the library to write: -o FILE.so"),
        ([softmax, "-o", "l.so", "--cpu", "z80"], "there is no processor 'z80' for x86_64"),
        ([f"{softmax}:soft", "-o", "l.so"], "softmax.py"),
        ([softmax, "-o", "no/l.so", "--header", "k.h"], "no/l.so"),
        ([softmax, "-o", "l.so", "--header", "no/k.h"], "no/k.h"),
        ([softmax, "-p", "l.so"], "'tegula build' has no option '-p'"),
    ):
        built = build(*words, folder=tmp_path)
        assert built.returncode == 1
        assert said in built.stderr
        assert not list(tmp_path.iterdir())


WRONG = r"""
#include "kernels.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

static float x[800], y[400];
static int64_t sizes[9], strides[9], output[9];
static struct TegulaTensor tx, ty;
static int number = 0;

static void prepare(void) {
  int i;
  for (i = 0; i < 9; ++i)
    sizes[i] = output[i] = strides[i] = 1;
  sizes[0] = output[0] = 100;
  sizes[1] = output[1] = 4;
  strides[0] = 8;
  strides[1] = 2;
  tx.data = x, tx.dtype = TegulaFP32, tx.rank = 2, tx.sizes = sizes, tx.strides = strides;
  ty.data = y, ty.dtype = TegulaFP32, ty.rank = 2, ty.sizes = output, ty.strides = NULL;
}

static void expect(int wanted, const struct TegulaTensor *first, const struct TegulaTensor *second) {
  char message[300] = "";
  int i, status = scale(first, 1, 0, 0, second, message, sizeof message);
  int bare = scale(first, 1, 0, 0, second, NULL, 0);
  if (status != wanted || bare != wanted || (wanted && !strstr(message, "argument '")))
    printf("call %d: %d %d '%s'\n", number, status, bare, message);
  for (i = 0; wanted && i < 400; ++i)
    if (y[i] != 7)
      printf("call %d wrote\n", number), y[i] = 7;
  ++number;
  prepare();
}

int main(void) {
  const int ranks[] = {INT_MIN, -1, 0, 1, 3, 8, 9, 1000, INT_MAX};
  const int64_t extents[] = {INT64_MIN, -1, 3, 5, INT64_MAX / 2, INT64_MAX};
  struct TegulaTensor *tensors[] = {&tx, &ty};
  int i, k, axis;
  prepare();
  for (i = 0; i < 400; ++i)
    y[i] = 7;
  expect(1, NULL, &ty);
  expect(1, &tx, NULL);
  expect(1, NULL, NULL);
  for (k = 0; k < 2; ++k) {
    for (i = 0; i < (int)(sizeof ranks / sizeof *ranks); ++i)
      tensors[k]->rank = ranks[i], expect(1, &tx, &ty);
    for (i = -2; i < 40; ++i)
      if (i != TegulaFP32)
        tensors[k]->dtype = i, expect(1, &tx, &ty);
    for (axis = 0; axis < 2; ++axis)
      for (i = 0; i < (int)(sizeof extents / sizeof *extents); ++i) {
        (k ? output : sizes)[axis] = extents[i];
        expect(1, &tx, &ty);
      }
    tensors[k]->sizes = NULL, expect(1, &tx, &ty);
    tensors[k]->data = NULL, expect(1, &tx, &ty);
    tensors[k]->data = (char *)tensors[k]->data + 1, expect(1, &tx, &ty);
  }
  strides[0] = INT64_MAX, expect(1, &tx, &ty);
  strides[1] = INT64_MIN, expect(1, &tx, &ty);
  strides[0] = 0, ty.strides = strides, expect(1, &tx, &ty);
  ty.data = x, expect(1, &tx, &ty);
  ty.data = x + 1, ty.strides = strides, strides[1] = 1, expect(1, &tx, &ty);
  for (i = 0; i < 3; ++i) {
    char small[4] = "###";
    tx.rank = 1;
    if (scale(&tx, 1, 0, 0, &ty, small, (size_t)i) != 1 || (i == 0 && small[0] != '#') || (i && small[i - 1]))
      printf("message of %d bytes: '%s'\n", i, small);
    prepare();
  }
  expect(0, &tx, &ty);
  printf("%d calls\n", number);
  return 0;
}
"""


def test_wrong_calls_are_refused_and_write_nothing(kernels: pathlib.Path) -> None:
    (kernels / "wrong.c").write_text(WRONG)
    command = f"cc -std=c99 -Wall -Werror wrong.c -o wrong -L. -lkernels -Wl,-rpath,{kernels}"
    subprocess.run(command.split(), cwd=kernels, check=True)
    run = subprocess.run(["./wrong"], cwd=kernels, capture_output=True, text=True, check=True)
    assert run.stdout == "139 calls\n"
