# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls a kernel of a library, of which an allocation fails, and calls it again: malloc_calls.py LIBRARY FIRST LAST"""

import ctypes
import pathlib
import shutil
import sys

import numpy as np

FP32 = 11


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    ]


def tensor_of(array: np.ndarray) -> Tensor:
    sizes = (ctypes.c_int64 * array.ndim)(*array.shape)
    return Tensor(array.ctypes.data, FP32, array.ndim, sizes, None)


def call(library: ctypes.CDLL, x: np.ndarray, y: np.ndarray) -> tuple[int, str]:
    message = ctypes.create_string_buffer(200)
    status = library.soften(ctypes.byref(tensor_of(x)), ctypes.byref(tensor_of(y)), message, ctypes.c_size_t(200))
    return status, message.value.decode()


def main() -> None:
    library = pathlib.Path(sys.argv[1])
    preloaded = ctypes.CDLL(None)
    x = np.random.default_rng(1).standard_normal((70, 33), np.float32)
    powers = np.exp(x * np.float32(0.3) - (x * np.float32(0.3)).max(axis=1, keepdims=True))
    expected = powers / powers.sum(axis=1, keepdims=True)
    for number in range(int(sys.argv[2]), int(sys.argv[3]) + 1):
        copy = library.with_name(f"{number}-{library.name}")
        shutil.copy(library, copy)
        loaded = ctypes.CDLL(str(copy))
        copy.unlink()
        y = np.zeros_like(x)
        print(f"allocation {number}", flush=True)
        preloaded.tegulaFailAt(ctypes.c_long(number))
        status, message = call(loaded, x, y)
        has_failed = preloaded.tegulaFailAt(ctypes.c_long(0)) >= number
        print(f"status {status} {message}", flush=True)
        assert (status != 0) == bool(message), (status, message)
        assert status != 0 or np.allclose(y, expected, rtol=1e-5), "the result is wrong"
        y[:] = 0
        status, message = call(loaded, x, y)
        assert status == 0, f"the next call fails: {message}"
        assert np.allclose(y, expected, rtol=1e-5), "the result of the next call is wrong"
        if not has_failed:
            # There are no more allocations.
            return


main()
