# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values whose extents change while they go around loops, against NumPy; and tiles of different extents that meet."""

import numpy as np
import pytest
from kernel_text import run_kernel

LENGTHS = [0, 1, 2, 3, 4, 5, 8, 31, 5000]


def random_of(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(-8, 9, shape).astype(np.float32)


def begin_with(out: np.ndarray, part: np.ndarray) -> np.ndarray:
    """`out` with its first elements replaced."""
    result = out.copy()
    result[tuple(slice(0, extent) for extent in part.shape)] = part
    return result


def test_each_gets_what_the_other_was(tmp_path):
    text = """
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
            a = x * 1.0
            b = x * 2.0
            for i in pl.range(0, 3):
                a = b
                n = pl.tensor.dim(b, 0)
                b = b[0 : max(n - 1, 0)] + 1.0
            y[0 : pl.tensor.dim(a, 0)] = a
    """
    for length in LENGTHS:
        x, y = random_of(length), np.full(length, -1, np.float32)
        a = b = x * 2
        for _ in range(3):
            a, b = b, b[: max(len(b) - 1, 0)] + 1
        found = run_kernel(text, tmp_path, x=x, y=y)["y"]
        np.testing.assert_array_equal(found, begin_with(y, a))


def test_three_rotate_and_one_shrinks(tmp_path):
    text = """
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[M], pl.FP32]], t: pl.Scalar[pl.INDEX]):
            a = x + 1.0
            b = x * 2.0
            c = x - 2.0
            for i in pl.range(t):
                a, b, c = b, c, a[0 : max(a.shape[0] - i, 0)] * 0.5
            y[0 : b.shape[0]] = b
    """
    for length in LENGTHS:
        for iterations in (0, 1, 2, 5, 7):
            x, y = random_of(length), np.full(length, -1, np.float32)
            a, b, c = x + 1, x * 2, x - 2
            for i in range(iterations):
                a, b, c = b, c, a[: max(len(a) - i, 0)] * 0.5
            found = run_kernel(text, tmp_path, x=x, y=y, t=iterations)["y"]
            np.testing.assert_array_equal(found, begin_with(y, b.astype(np.float32)))


def test_what_grows_in_every_iteration(tmp_path):
    text = """
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.InOut[pl.Tensor[[N], pl.FP32]], t: pl.Scalar[pl.INDEX]):
            a = x + 0.0
            for i in pl.range(t):
                a = pl.concat(a, x * 2.0)
            y[0 : a.shape[0]] = a
    """
    for length in LENGTHS[:-1]:
        for iterations in (0, 1, 4):
            x, y = random_of(length), np.full(length * 5 + 3, -1, np.float32)
            a = np.concatenate([x] + [x * 2] * iterations)
            found = run_kernel(text, tmp_path, x=x, y=y, t=iterations)["y"]
            np.testing.assert_array_equal(found, begin_with(y, a))


def test_a_nest_of_early_exits(tmp_path):
    text = """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            a = x + 1.0
            b = x * 2.0
            for i in pl.range(4):
                for j in pl.range(3):
                    if j == i:
                        continue
                    m = a.shape[0]
                    a, b = b, a[0 : max(m - j, 0), :] * 0.5
                if a.shape[0] == 2:
                    break
            y[0 : a.shape[0], :] = a
    """
    for rows, columns in [(0, 3), (1, 1), (2, 5), (5, 2), (7, 130), (40, 3)]:
        x, y = random_of(rows, columns), np.full((rows, columns), -1, np.float32)
        a, b = x + 1, x * 2
        for i in range(4):
            for j in range(3):
                if j != i:
                    a, b = b, a[: max(len(a) - j, 0)] * 0.5
            if len(a) == 2:
                break
        found = run_kernel(text, tmp_path, x=x, y=y)["y"]
        np.testing.assert_array_equal(found, begin_with(y, a.astype(np.float32)))


def test_a_branch_believes_its_condition_inside_only(tmp_path):
    text = """
        def k(x: pl.Tensor[[M], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[K], pl.FP32]]):
            z[:] = pl.full([K], pl.FP32, 0.0)
            t = y + 2.0
            if M == N:
                t = x + 1.0
            z[0 : t.shape[0]] = t
    """
    for m, n in [(5, 9), (9, 9), (0, 4), (4, 0), (0, 0)]:
        x, y, z = random_of(m), random_of(n), np.zeros(12, np.float32)
        found = run_kernel(text, tmp_path, x=x, y=y, z=z)["z"]
        np.testing.assert_array_equal(found, begin_with(z, x + 1 if m == n else y + 2))


@pytest.mark.parametrize("columns", [1, 15, 16, 17, 33])
def test_updates_keep_the_extents_of_their_target(columns, tmp_path):
    text = """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[8, 16], pl.FP32]]):
            total = pl.full([8, 16], pl.FP32, 0.0)
            for i in pl.range(0, M, 8):
                for j in pl.range(0, N, 16):
                    total += x[i : i + 8, j : j + 16]
            y[:] = total
    """
    for rows in (0, 1, 7, 8, 9, 20):
        x = random_of(rows, columns)
        total = np.zeros((8, 16), np.float32)
        for i in range(0, rows, 8):
            for j in range(0, columns, 16):
                part = x[i : i + 8, j : j + 16]
                total[: part.shape[0], : part.shape[1]] += part
        found = run_kernel(text, tmp_path, x=x, y=np.zeros((8, 16), np.float32))["y"]
        np.testing.assert_array_equal(found, total)
