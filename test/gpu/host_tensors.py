# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand where there is a GPU, on what `bench/gpu.py build LIBRARIES` wrote: tensors of the host, also such that
lie between each other or run backwards, are copied there and back and nothing else is changed.

    python test/gpu/host_tensors.py LIBRARIES
"""

import ctypes
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "bench"))

from gpu import Tensor  # noqa: E402

FP32 = 11
LIBRARY = ctypes.CDLL(str(Path(sys.argv[1]).resolve() / "libsilu.so"))


def call_silu(*arrays: np.ndarray) -> None:
    words, kept = [], []
    for array in arrays:
        axes = ctypes.c_int64 * array.ndim
        sizes = axes(*array.shape)
        strides = axes(*(stride // array.itemsize for stride in array.strides))
        kept.append(Tensor(array.ctypes.data, FP32, array.ndim, sizes, strides))
        words.append(ctypes.byref(kept[-1]))
    message = ctypes.create_string_buffer(500)
    if LIBRARY.silu(*words, None, message, ctypes.c_size_t(len(message))) != 0:
        raise RuntimeError(message.value.decode())


def silu(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(-x))


def main() -> None:
    rng = np.random.default_rng(0)
    for shape in [(5, 7), (33, 129), (0, 4), (64, 1031)]:
        x = rng.standard_normal(shape).astype(np.float32)
        y = np.full_like(x, 7)
        call_silu(x, y)
        np.testing.assert_allclose(y, silu(x), rtol=1e-5, atol=1e-6)
    whole = rng.standard_normal((40, 64)).astype(np.float32)
    for source, target in [(slice(0, 16), slice(32, 48)), (slice(0, None, 2), slice(1, None, 2))]:
        found, wanted = whole.copy(), whole.copy()
        call_silu(found[:, source], found[:, target])
        wanted[:, target] = silu(whole[:, source])
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    x = rng.standard_normal((17, 33)).astype(np.float32)[::-1, ::-1]
    y = np.zeros((17, 33), np.float32)[:, ::-1]
    call_silu(x, y)
    np.testing.assert_allclose(y, silu(x), rtol=1e-5, atol=1e-6)
    print("tensors of the host: right")


main()
