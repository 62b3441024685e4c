# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written to libraries that run without Tegula."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")
FACTOR = 3


@pl.jit
def scaled(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x * FACTOR


@pl.jit
def doubled(x, y: pl.Out[pl.Tensor]):
    y[:] = x + x


CALLER = """
import array, ctypes, sys

class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("sizes", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64))]

def tensor(values, count):
    return Tensor(values.buffer_info()[0], 11, 1, (ctypes.c_int64 * 1)(count), None)

library = ctypes.CDLL(sys.argv[1])
for count in 0, 1, 7, 1000:
    x, y = array.array("f", range(1000)), array.array("f", [0] * 1000)
    message = ctypes.create_string_buffer(200)
    status = library.scaled(ctypes.byref(tensor(x, count)), ctypes.byref(tensor(y, count)), message, 200)
    assert status == 0, message.value
    assert list(y) == [3 * i if i < count else 0 for i in range(1000)]
status = library.scaled(ctypes.byref(tensor(x, 5)), ctypes.byref(tensor(y, 6)), message, 200)
assert status == 1 and b"axis 0 is 6, but M is 5" in message.value, message.value
mapped = open("/proc/self/maps").read()
assert "libLLVM" not in mapped and "libtegula" not in mapped
"""


def test_exported_kernel_runs_without_the_compiler(tmp_path: pathlib.Path) -> None:
    library = tmp_path / "libscaled.so"
    scaled.export(library, header=tmp_path / "scaled.h")
    assert "int scaled(const struct TegulaTensor *x," in (tmp_path / "scaled.h").read_text()
    subprocess.run([sys.executable, "-c", CALLER, str(library)], check=True)


def test_open_parameters_take_what_is_given(tmp_path: pathlib.Path) -> None:
    x = np.zeros((2, 5), np.int16)
    doubled.export(tmp_path / "lib.so", x, x.copy(), header=tmp_path / "lib.h")
    assert "doubled(x: Tensor[[2, 5], INT16], y: Out[Tensor[[2, 5], INT16]])" in (tmp_path / "lib.h").read_text()


def test_path_that_cannot_be_written_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(tegula.Error, match=r"cannot write '.*/no/lib.so'"):
        scaled.export(tmp_path / "no" / "lib.so", header=tmp_path / "lib.h")
    assert not list(tmp_path.iterdir())
