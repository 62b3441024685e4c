# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, branches, grids, scopes and arrays on the CPU, against NumPy at every kind of size."""

import pathlib
import textwrap

import numpy as np
import pytest
from tegula_library import Kernel, KernelError

HEADER = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")
L = pl.dynamic("L")
ROWS = 8

"""

SIZES = [(0, 3), (3, 0), (1, 1), (7, 16), (8, 17), (9, 127), (31, 128), (65, 129)]
LENGTHS = [0, 1, 2, 7, 8, 9, 31, 101]


def compiled(text: str, folder: pathlib.Path) -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path, "k")


def random_of(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).integers(-8, 9, shape).astype(np.float32)


def integers_of(length: int) -> np.ndarray:
    return np.random.default_rng(4).integers(-8, 9, length).astype(np.int64)


@pytest.mark.parametrize("sizes", SIZES)
def test_carries_of_several_kinds(sizes, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.FP32]],
              n: pl.Out[pl.Tensor[[1], pl.INT64]]):
            total = 0
            for i in pl.range(0, M, ROWS):
                m0 = pl.full([ROWS, 1], pl.FP32, -1000.0)
                l0 = pl.full([ROWS, 1], pl.FP32, 0.0)
                for j, (m, l, blocks) in pl.range(0, N, 16, init_values=(m0, l0, total)):
                    t = x[i : i + ROWS, j : j + 16]
                    new = pl.maximum(m, pl.row_max(t))
                    m2, l2, total = pl.yield_(new, l * 2.0 + pl.row_sum(t), blocks + 1)
                y[i : i + ROWS, :] = m2 + l2
            n[0] = total
        """,
        tmp_path,
    )
    rows, columns = sizes
    x = random_of(rows, columns)
    y, n = np.zeros((rows, 1), np.float32), np.zeros(1, np.int64)
    kernel(x, y, n)
    m, total = np.full((rows, 1), -1000, np.float32), np.zeros((rows, 1), np.float32)
    for j in range(0, columns, 16):
        t = x[:, j : j + 16]
        m, total = np.maximum(m, t.max(axis=1, keepdims=True)), total * 2 + t.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(y, m + total)
    assert n[0] == -(-rows // 8) * -(-columns // 16)


@pytest.mark.parametrize("length", LENGTHS)
def test_tensors_are_swapped(length, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.INT64], y: pl.Out[pl.Tensor[[M], pl.INT64]]):
            a = pl.create_tensor([M], dtype=pl.INT64)
            b = pl.create_tensor([M], dtype=pl.INT64)
            a[:] = x
            for i in pl.range(5):
                b[:] = a * 2 + i
                a, b = b, a
            y[:] = a
        """,
        tmp_path,
    )
    x, y = integers_of(length), np.zeros(length, np.int64)
    kernel(x, y)
    expected = x.copy()
    for i in range(5):
        expected = expected * 2 + i
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("sizes", SIZES)
def test_tiles_are_swapped(sizes, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.parallel(0, M, ROWS):
                a = x[i : i + ROWS, :] + 0.0
                b = a * 2.0
                for j, (p, q) in pl.range(3, init_values=(a, b)):
                    p, q = pl.yield_(q, p + q)
                y[i : i + ROWS, :] = p - q
        """,
        tmp_path,
    )
    x, y = random_of(*sizes), np.zeros(sizes, np.float32)
    kernel(x, y)
    p, q = x, x * 2
    for _ in range(3):
        p, q = q, p + q
    np.testing.assert_array_equal(y, p - q)


@pytest.mark.parametrize("length", LENGTHS)
def test_while_with_nested_branches(length, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.INT64], y: pl.InOut[pl.Tensor[[M], pl.INT64]],
              n: pl.Out[pl.Tensor[[2], pl.INT64]]):
            i = 0
            best = pl.const(-100, pl.INT64)
            seen = False
            while i < M:
                for j in pl.range(i, M):
                    if x[j] > best:
                        if seen:
                            best = best + 1
                        else:
                            best, seen = x[j], True
                    elif x[j] == 0:
                        seen = False
                        if j > 3:
                            break
                    y[j] = best
                i += 2
            n[0] = best
            n[1] = 1 if seen else 0
        """,
        tmp_path,
    )
    x, y, n = integers_of(length), np.zeros(length, np.int64), np.zeros(2, np.int64)
    kernel(x, y, n)
    expected, best, seen = np.zeros(length, np.int64), -100, False
    for i in range(0, length, 2):
        for j in range(i, length):
            if x[j] > best:
                if seen:
                    best = best + 1
                else:
                    best, seen = x[j], True
            elif x[j] == 0:
                seen = False
                if j > 3:
                    break
            expected[j] = best
    np.testing.assert_array_equal(y, expected)
    assert list(n) == [best, int(seen)]


@pytest.mark.parametrize("kind", ["range", "parallel", "pipeline"])
@pytest.mark.parametrize("step", [1, 2, 3, 7, 100])
def test_run_time_steps(kind, step, tmp_path):
    kernel = compiled(
        f"""
        @pl.jit
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]], step: pl.Scalar[pl.INDEX]):
            for i in pl.{kind}(0, M, step):
                y[i : i + step, :] = x[i : i + step, :] * 2.0
            for i in pl.{kind}(0, M, step):
                y[i, :] = x[i, :]
        """,
        tmp_path,
    )
    for rows in (0, 1, 7, 31):
        x, y = random_of(rows, 5), np.zeros((rows, 5), np.float32)
        kernel(x, y, step)
        expected = x * 2
        expected[::step] = x[::step]
        np.testing.assert_array_equal(y, expected)
        for wrong in (0, -3):
            with pytest.raises(KernelError, match=f"the step of a loop is {wrong}, it must be positive"):
                kernel(x, y, wrong)


@pytest.mark.parametrize("length", LENGTHS)
def test_grids_and_helpers(length, tmp_path):
    kernel = compiled(
        """
        @pl.jit.inline
        def place(base):
            return pl.get_block_idx() * ROWS + base

        @pl.jit.incore
        def double(x: pl.Tensor[[M], pl.INT64], y: pl.InOut[pl.Tensor[[M], pl.INT64]], more: pl.Scalar[pl.INT64]):
            at = place(0)
            y[at : at + ROWS] = x[at : at + ROWS] * 2 + pl.cast(pl.get_block_num(), pl.INT64) + more
            return y

        @pl.jit
        def k(x: pl.Tensor[[M], pl.INT64], y: pl.InOut[pl.Tensor[[M], pl.INT64]]):
            with pl.spmd((M + ROWS - 1) // ROWS) as tid:
                y = double(x, y, 1)
            for b in pl.spmd(pl.system.available_aiv_count(), deps=[tid]):
                for i in pl.range(b, M, pl.get_block_num()):
                    y[i] = y[i] + i
        """,
        tmp_path,
    )
    x, y = integers_of(length), np.zeros(length, np.int64)
    kernel(x, y)
    np.testing.assert_array_equal(y, x * 2 + -(-length // 8) + 1 + np.arange(length))


@pytest.mark.parametrize("length", LENGTHS)
def test_arrays_through_loops_and_branches(length, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.INT64], counts: pl.Out[pl.Tensor[[5], pl.INT64]]):
            found = pl.array.create(5, pl.INT64)
            last = pl.array.create(5, pl.INDEX)
            for i in pl.range(M):
                if x[i] < 0:
                    found[0] = found[0] + 1
                else:
                    place = x[i] // 4 + 1
                    found[place] = found[place] + 1
                    last[place] = i
            for i in pl.range(5):
                counts[i] = found[i] * 1000 + last[i]
        """,
        tmp_path,
    )
    x, counts = integers_of(length), np.zeros(5, np.int64)
    kernel(x, counts)
    found, last = [0] * 5, [0] * 5
    for i, value in enumerate(x):
        index = 0 if value < 0 else value // 4 + 1
        found[index] += 1
        last[index] = i if index else 0
    np.testing.assert_array_equal(counts, np.array(found) * 1000 + last)


def test_array_index_out_of_range(tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.INT64], y: pl.Out[pl.Tensor[[4], pl.INT64]]):
            a = pl.array.create(4, pl.INT64)
            for i in pl.range(M):
                a[x[i]] = 1
            for i in pl.range(4):
                y[i] = a[i]
        """,
        tmp_path,
    )
    y = np.zeros(4, np.int64)
    kernel(np.array([3, 0]), y)
    np.testing.assert_array_equal(y, [1, 0, 0, 1])
    for wrong in (4, -1):
        with pytest.raises(KernelError, match=f"index {wrong} of axis 0 is out of range, the extent is 4"):
            kernel(np.array([3, wrong]), y)


@pytest.mark.parametrize("length", LENGTHS)
def test_leaving_loops(length, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M], pl.INT64], y: pl.InOut[pl.Tensor[[M], pl.INT64]]):
            for i in pl.range(M):
                with pl.at(level=pl.Level.CORE_GROUP):
                    if x[i] < -3:
                        return
                    if x[i] < 0:
                        continue
                    for j in pl.range(i):
                        if x[j] == x[i] + 5:
                            y[j] = -1
                            return
                y[i] = x[i] + 1
            for i in pl.range(M):
                y[i] += 100
        """,
        tmp_path,
    )

    def reference(x, y):
        for i in range(len(x)):
            if x[i] < -3:
                return
            if x[i] < 0:
                continue
            for j in range(i):
                if x[j] == x[i] + 5:
                    y[j] = -1
                    return
            y[i] = x[i] + 1
        y += 100

    for x in (integers_of(length), np.abs(integers_of(length)), np.abs(integers_of(length)) % 5):
        y, expected = np.zeros(length, np.int64), np.zeros(length, np.int64)
        kernel(x, y)
        reference(x, expected)
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("sizes", SIZES)
def test_predicates(sizes, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M, N], pl.FP32], on: pl.Tensor[[M], pl.INT64], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            scale = 1.0
            for i in pl.range(M):
                with pl.at(level=pl.Level.CORE_GROUP, predicate=(on[i] > 0)) as tid:
                    y[i, :] = x[i, :] * scale
                    scale = scale + 1.0
        """,
        tmp_path,
    )
    x, y, on = random_of(*sizes), np.zeros(sizes, np.float32), integers_of(sizes[0])
    kernel(x, on, y)
    expected, scale = np.zeros(sizes, np.float32), 1.0
    for i in range(sizes[0]):
        if on[i] > 0:
            expected[i] = x[i] * scale
            scale += 1
    np.testing.assert_array_equal(y, expected)


UNBOUNDED = {
    "branch": """
            if flag > 0:
                t = x * 2.0
            else:
                t = z + 1.0
            pl.store(t, [0, 0], y)
    """,
    "loop": """
            t = x + 0.0
            for i in pl.range(flag):
                t = pl.concat(pl.transpose(t), pl.transpose(z) * 2.0)
                t = pl.transpose(t)
            pl.store(t, [0, 0], y)
    """,
    "while": """
            t = x + 0.0
            n = 0
            while n < flag:
                t = t[0 : t.shape[0] - 1, :] * 2.0
                n += 1
            pl.store(t, [0, 0], y)
    """,
}


def unbounded_reference(variant, x, z, flag):
    if variant == "branch":
        return x * 2 if flag > 0 else z + 1
    if variant == "while":
        for _ in range(flag):
            x = x[: max(0, len(x) - 1)] * 2
        return x
    for _ in range(flag):
        x = np.concatenate([x, z * 2])
    return x


@pytest.mark.parametrize("variant", UNBOUNDED)
@pytest.mark.parametrize("sizes", [(1, 1, 1), (5, 3, 7), (3, 5, 600), (9, 9, 17)])
def test_unbounded_values_whose_extents_change(variant, sizes, tmp_path):
    kernel = compiled(
        """
        @pl.jit
        def k(x: pl.Tensor[[M, N], pl.FP32], z: pl.Tensor[[K, N], pl.FP32], flag: pl.Scalar[pl.INDEX],
              y: pl.InOut[pl.Tensor[[L, N], pl.FP32]]):
        """
        + UNBOUNDED[variant],
        tmp_path,
    )
    rows, others, columns = sizes
    x, z = random_of(rows, columns), random_of(others, columns)
    for flag in (0, 1, 3):
        y = np.full((rows + 3 * others, columns), -9, np.float32)
        kernel(x, z, flag, y)
        expected = np.full_like(y, -9)
        t = unbounded_reference(variant, x, z, flag)
        expected[: t.shape[0], :] = t
        np.testing.assert_array_equal(y, expected)
