# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements in another order, and tiles that count, against NumPy at awkward sizes."""

import ml_dtypes
import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

SIZES = [(1, 1), (3, 15), (16, 16), (5, 17), (33, 129), (0, 7), (4, 0), (1, 1031)]
TYPES = {
    "FP32": np.float32,
    "FP64": np.float64,
    "FP16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "INT8": np.int8,
    "UINT16": np.uint16,
    "INT64": np.int64,
    "BOOL": np.bool_,
}
MOVES = {
    "pl.flip(x)": np.flip,
    "pl.flip(x, axis=0)": lambda x: np.flip(x, 0),
    "pl.flip(x, axis=-1)": lambda x: np.flip(x, -1),
    "pl.flip(x, axis=(0, 1))": np.flip,
    "pl.roll(x, 3)": lambda x: np.roll(x, 3),
    "pl.roll(x, 2, axis=0)": lambda x: np.roll(x, 2, 0),
    "pl.roll(x, -5, axis=1)": lambda x: np.roll(x, -5, 1),
    "pl.roll(x, 1000, axis=-1)": lambda x: np.roll(x, 1000, -1),
}


def numbers(shape: tuple, dtype: type) -> np.ndarray:
    return (np.arange(np.prod(shape)) * 7 % 251 % (2 if dtype is np.bool_ else 100)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_moves(dtype, tmp_path):
    lines = "\n".join(f"        y[{at}] = {call}" for at, call in enumerate(MOVES))
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[{len(MOVES)}, M, N], pl.{dtype}]]):
{lines}
    """
    for m, n in SIZES:
        x = numbers((m, n), TYPES[dtype])
        y = run_kernel(text, tmp_path, x=x, y=np.zeros((len(MOVES), m, n), x.dtype))["y"]
        for at, (call, wanted) in enumerate(MOVES.items()):
            np.testing.assert_array_equal(y[at], wanted(x), err_msg=f"{call} at {m}x{n}")


def test_moves_of_three_axes_and_strided_arguments(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, K, N], pl.INT32], shift: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M, K, N], pl.INT32]],
          z: pl.Out[pl.Tensor[[M, K, N], pl.INT32]]):
        y[:] = pl.flip(x, axis=(0, -1))
        z[:] = pl.roll(x, shift, axis=1)
    """
    for shape in [(1, 1, 1), (2, 3, 17), (5, 7, 1), (3, 0, 4), (2, 16, 33)]:
        whole = numbers((shape[0], shape[2], 2 * shape[1]), np.int32)
        x = whole[:, :, ::2].transpose(0, 2, 1)
        for shift in (0, 1, -1, 100, -(2**31)):
            zeros = np.zeros(shape, np.int32)
            results = run_kernel(text, tmp_path, x=x, shift=shift, y=zeros, z=zeros)
            np.testing.assert_array_equal(results["y"], np.flip(x, (0, 2)))
            np.testing.assert_array_equal(results["z"], np.roll(x, shift, 1))


def test_moves_of_tiles_in_a_loop(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        for i in pl.parallel(0, M, 16):
            part = x[i : i + 16, :]
            y[i : i + 16, :] = pl.roll(pl.flip(part, axis=0), 1, axis=1)
    """
    for m, n in SIZES:
        x = numbers((m, n), np.float32)
        wanted = np.zeros_like(x)
        for i in range(0, m, 16):
            wanted[i : i + 16] = np.roll(np.flip(x[i : i + 16], 0), 1, 1)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], wanted)


def test_columns_count(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.INT32]],
          z: pl.Out[pl.Tensor[[M, N, 1], pl.INT32]], w: pl.Out[pl.Tensor[[1, 1], pl.INT32]]):
        y[:] = x + 100 * pl.arange(3, [M, 1]) + pl.arange(0, [1, N], descending=True)
        z[:] = pl.arange(5, [M, N, 1])
        w[:] = pl.arange(8, [1, 1])
    """
    for m, n in SIZES:
        x = numbers((m, n), np.int32)
        empty = np.zeros((m, n, 1), np.int32)
        results = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x), z=empty, w=np.zeros((1, 1), np.int32))
        np.testing.assert_array_equal(results["y"], x + 100 * (3 + np.arange(m)[:, None]) - np.arange(n)[None, :])
        np.testing.assert_array_equal(results["z"], np.broadcast_to(5 + np.arange(n)[:, None], (m, n, 1)))
        np.testing.assert_array_equal(results["w"], [[8]])


@pytest.mark.parametrize(
    "call, message",
    [
        ("pl.flip(x, axis=2)", "axis 2 is out of range for rank 2"),
        ("pl.flip(x, axis=(1, -1))", "axis 1 is named twice"),
        ("pl.roll(x, 0.5, axis=1)", "'roll' moves by an integer, got"),
        ("pl.roll(x, 1, axis=-3)", "axis -3 is out of range for rank 2"),
    ],
)
def test_mistakes_are_named(call, message, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        y[:] = {call}
    """
    path = write_kernel(text, tmp_path)
    with pytest.raises(KernelError, match=message):
        Kernel(path)(np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32))
