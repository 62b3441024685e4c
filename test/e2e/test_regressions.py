# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small kernels that once did not compile or gave wrong results, against NumPy."""

import math
import pathlib
import textwrap

import numpy as np
import pytest
from tegula_library import DTYPES, Kernel, KernelError

HEADER = """
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
"""

SIZES = [(0, 3), (3, 0), (1, 1), (5, 18), (9, 600)]


def compiled(text: str, folder: pathlib.Path) -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path)


def random_of(shape: tuple, dtype: type) -> np.ndarray:
    rng = np.random.default_rng(5)
    if np.issubdtype(dtype, np.floating):
        return rng.integers(-8, 9, shape).astype(dtype) / 2
    return rng.integers(0, 100, shape).astype(dtype)


def test_maximum_over_an_axis_of_one(tmp_path):
    kernel = compiled(
        """
        def k(y: pl.Out[pl.Tensor[[1, N], pl.FP32]]):
            for j in pl.range(0, N, 1):
                y[:, j : j + 1] = pl.max(pl.full([1, 1], dtype=pl.FP32, value=1.5), axis=0)
        """,
        tmp_path,
    )
    y = np.zeros((1, 7), np.float32)
    kernel(y)
    np.testing.assert_array_equal(y, np.full((1, 7), 1.5, np.float32))


@pytest.mark.parametrize("sizes", SIZES)
def test_matmul_with_one_column(sizes, tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP64], y: pl.Out[pl.Tensor[[M, 1], pl.FP64]]):
            for i in pl.parallel(0, M, 4):
                total = pl.full([4, 1], dtype=pl.FP64, value=0.0)
                for j in pl.range(0, N, 16):
                    ones = pl.full([16, 1], dtype=pl.FP64, value=1.0)
                    total += pl.matmul(x[i : i + 4, j : j + 16], ones)
                y[i : i + 4, :] = total
        """,
        tmp_path,
    )
    x, y = random_of(sizes, np.float64), np.zeros((sizes[0], 1))
    kernel(x, y)
    np.testing.assert_array_equal(y, x.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("sizes", SIZES)
def test_several_parallel_loops(sizes, tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
              z: pl.Out[pl.Tensor[[M, 1], pl.FP32]]):
            for i in pl.parallel(0, M, 4):
                y[i : i + 4, :] = x[i : i + 4, :] + 1.0
            for i in pl.parallel(0, M, 4):
                z[i : i + 4, :] = pl.row_sum(x[i : i + 4, :])
        """,
        tmp_path,
    )
    x, y, z = random_of(sizes, np.float32), np.zeros(sizes, np.float32), np.zeros((sizes[0], 1), np.float32)
    kernel(x, y, z)
    np.testing.assert_array_equal(y, x + 1)
    np.testing.assert_array_equal(z, x.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("name, dtype", [("UINT8", np.uint8), ("UINT32", np.uint32), ("UINT64", np.uint64)])
def test_reductions_of_unsigned_tensors(name, dtype, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{name}], total: pl.Out[pl.Tensor[[M, 1], pl.{name}]],
              most: pl.Out[pl.Tensor[[M, 1], pl.{name}]], least: pl.Out[pl.Tensor[[1, N], pl.{name}]]):
            total[:] = pl.row_sum(x)
            most[:] = pl.row_max(x)
            least[:] = pl.col_min(x)
        """,
        tmp_path,
    )
    for rows, columns in SIZES:
        x = random_of((rows, columns), dtype)
        total, most, least = (np.zeros(shape, dtype) for shape in ((rows, 1), (rows, 1), (1, columns)))
        kernel(x, total, most, least)
        np.testing.assert_array_equal(total, x.sum(axis=1, keepdims=True, dtype=dtype))
        np.testing.assert_array_equal(most, x.max(axis=1, keepdims=True, initial=0))
        np.testing.assert_array_equal(least, x.min(axis=0, keepdims=True, initial=np.iinfo(dtype).max))


def test_broadcast_next_to_a_bounded_axis(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.range(0, M, 4):
                rows = x[i : i + 4, :]
                joined = pl.concat(rows[:1, :], rows[1:4, :], axis=0)
                y[i : i + 4, :] = pl.maximum(pl.full([1, 1], dtype=pl.FP32, value=2.0), joined) + (joined * 2.0)
        """,
        tmp_path,
    )
    for sizes in SIZES:
        x, y = random_of(sizes, np.float32), np.zeros(sizes, np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, np.maximum(x, 2) + x * 2)


@pytest.mark.parametrize("name", ["FP16", "BF16"])
def test_narrow_arange_over_several_tiles(name, tmp_path):
    kernel = compiled(
        f"""
        def k(y: pl.Out[pl.Tensor[[1, N], pl.{name}]]):
            y[:] = pl.arange(3, [1, N], dtype=pl.{name})
        """,
        tmp_path,
    )
    y = np.zeros((1, 2500), DTYPES[name])
    kernel(y)
    np.testing.assert_array_equal(y[0], (np.arange(2500) + 3).astype(DTYPES[name]))


def test_shift_of_a_tensor(tmp_path):
    kernel = compiled(
        """
        def k(y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            y[1:, :] = y[: M - 1, :] + 1.0
            y[:, 0 : N - 1] = y[:, 1:N] * 2.0
        """,
        tmp_path,
    )
    for sizes in SIZES:
        y = random_of(sizes, np.float32)
        wanted = y.copy()
        wanted[1:] = wanted[:-1] + 1
        wanted[:, :-1] = wanted[:, 1:].copy() * 2
        kernel(y)
        np.testing.assert_array_equal(y, wanted)


def test_sum_that_starts_anew_over_all_columns(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], start: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            ones = pl.full([M, 1], dtype=pl.FP32, value=1.0)
            y[:] = pl.matmul_acc(x, ones, pl.full([1, N], dtype=pl.FP32, value=3.0), init_cond=start > 0) + x
        """,
        tmp_path,
    )
    for sizes in SIZES:
        for start in (0, 1):
            x, y = random_of(sizes, np.float32), np.zeros(sizes, np.float32)
            kernel(x, start, y)
            np.testing.assert_array_equal(y, x + 3 if start else 2 * x + 3)


@pytest.mark.parametrize(
    "body, message",
    [
        ("pl.load(x, [0, 0], [-8, 8])", "an extent must not be negative, got -8"),
        ("pl.load(x, [0, 0], [8, 8])[9, 0]", "index 9 is out of range for axis 0 of extent at most 8"),
    ],
)
def test_impossible_constants_are_errors(body, message, tmp_path):
    with pytest.raises(KernelError, match=message):
        compiled(
            f"""
            def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
                t = {body}
                y[:] = x
            """,
            tmp_path,
        )


def test_helper_of_tensors_with_one_extent(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
              z: pl.Out[pl.Tensor[[1, N], pl.FP32]]):
            y[:] = least(x, pl.full([M, N], dtype=pl.FP32, value=1.0))
            z[:] = least(pl.col_sum(x), pl.full([1, N], dtype=pl.FP32, value=1.0))


        @pl.jit.inline
        def least(a, b):
            return pl.minimum(a, b)
        """,
        tmp_path,
    )
    for sizes in SIZES:
        x, y, z = random_of(sizes, np.float32), np.zeros(sizes, np.float32), np.zeros((1, sizes[1]), np.float32)
        kernel(x, y, z)
        np.testing.assert_array_equal(y, np.minimum(x, 1))
        np.testing.assert_array_equal(z, np.minimum(x.sum(axis=0, keepdims=True), 1))


def test_a_row_is_repeated(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], r: pl.INDEX, y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
              z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            y[:] = x + x[r : r + 1, :]
            for i in pl.range(M):
                z[i : i + 1, :] = pl.row_sum(x * x[i : i + 1, :])[i : i + 1, :]
        """,
        tmp_path,
    )
    for sizes in SIZES:
        x, y, z = random_of(sizes, np.float32), np.zeros(sizes, np.float32), np.zeros(sizes, np.float32)
        if 0 in sizes:
            kernel(x, 0, y, z)
            continue
        kernel(x, sizes[0] - 1, y, z)
        np.testing.assert_array_equal(y, x + x[-1:])
        np.testing.assert_allclose(z, np.broadcast_to((x**2).sum(axis=1, keepdims=True), sizes), rtol=1e-4)
        with pytest.raises(KernelError, match=r"needs .* == M, but M is \d+ and r is \d+"):
            kernel(x, sizes[0], y, z)


def test_a_row_of_a_tile_must_be_there(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], r: pl.INDEX, y: pl.Out[pl.Tensor[[N], pl.FP32]]):
            y[:] = (x[0:8, :] + 1.0)[r, :]
        """,
        tmp_path,
    )
    for sizes in SIZES:
        x, y = random_of(sizes, np.float32), np.zeros(sizes[1], np.float32)
        valid = min(8, sizes[0])
        if sizes[1] == 0:
            continue
        if valid > 0:
            kernel(x, valid - 1, y)
            np.testing.assert_array_equal(y, x[valid - 1] + 1)
        with pytest.raises(KernelError, match="of axis 0 is out of range"):
            kernel(x, valid, y)


def test_and_looks_no_further_than_it_must(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M], pl.INT32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[3], pl.INT32]]):
            i = 0
            while i < M and x[i] < 50 and x[i] >= 0:
                i += 1
            y[0] = pl.cast(i, pl.INT32)
            y[1] = 1 if n >= M or x[n] == 1 or x[n] == 2 else 0
            y[2] = 1 if n < M and (x[n] > 3 or x[n] == 0) else 0
        """,
        tmp_path,
    )
    for values in ([], [1], [5, 7, 60, 3], [0, 2, 2]):
        for n in (0, 1, 9):
            x, y = np.array(values, np.int32), np.zeros(3, np.int32)
            kernel(x, n, y)
            first = next((i for i, value in enumerate(values) if value >= 50), len(values))
            inside = n < len(values)
            wanted = [first, not inside or values[n] in (1, 2), inside and (values[n] > 3 or values[n] == 0)]
            np.testing.assert_array_equal(y, np.array(wanted, np.int32))


def test_what_is_stored_may_be_empty(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.range(0, M, 8):
                for j in pl.range(N):
                    pl.store(x[i : i + 8, j + 2 : j + 3], [i, j], y)
        """,
        tmp_path,
    )
    for sizes in SIZES:
        x, y = random_of(sizes, np.float32), np.full(sizes, 7, np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y[:, :-2], x[:, 2:])
        np.testing.assert_array_equal(y[:, -2:], 7)


def test_erf_of_one_element(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, 1], pl.FP32], y: pl.Out[pl.Tensor[[M, 1], pl.FP32]],
              z: pl.Out[pl.Tensor[[M, 1], pl.FP32]]):
            for i in pl.range(M):
                y[i : i + 1, :] = pl.erf(x[i : i + 1, :])
                z[i, 0] = pl.erf(x[i, 0])
        """,
        tmp_path,
    )
    x = np.linspace(-3, 3, 7, dtype=np.float32)[:, None]
    y, z = np.zeros_like(x), np.zeros_like(x)
    kernel(x, y, z)
    wanted = [[math.erf(value)] for value in x[:, 0]]
    np.testing.assert_allclose(y, wanted, rtol=1e-6)
    np.testing.assert_allclose(z, wanted, rtol=1e-6)


@pytest.mark.parametrize("inner", ["1", "0, N, 2 * N", "M - 1 - i, M - i"])
def test_memory_of_a_loop_of_one_iteration_grows_with_the_loop_around(inner, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            for i in pl.parallel(M):
                n = i + 1
                for j in pl.parallel({inner}):
                    t = pl.create_tensor([n, N], dtype=pl.FP32)
                    t[:] = x[0:n, :] * 2.0
                    y[i : i + 1, :] = t[i : i + 1, :] + t[i // 3 : i // 3 + 1, :]
        """,
        tmp_path,
    )
    for m, n in ((0, 3), (1, 1), (5, 18), (65, 64), (300, 31)):
        x, y = random_of((m, n), np.float32), np.zeros((m, n), np.float32)
        kernel(x, y)
        np.testing.assert_array_equal(y, 2 * x + 2 * x[np.arange(m) // 3])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_quotients_of_floats_go_with_their_remainders(dtype, tmp_path):
    name = {np.float32: "FP32", np.float64: "FP64", np.float16: "FP16"}[dtype]
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M], pl.{name}], d: pl.Tensor[[M], pl.{name}], q: pl.Out[pl.Tensor[[M], pl.{name}]],
              c: pl.Out[pl.Tensor[[M], pl.{name}]], s: pl.Out[pl.Tensor[[M], pl.{name}]]):
            q[:] = x // d
            c[:] = x // 0.1
            for i in pl.range(M):
                s[i] = x[i] // d[i]
        """,
        tmp_path,
    )
    random = np.random.default_rng(1)
    x = np.concatenate([np.arange(300) * 0.1, random.normal(size=300) * 50, [0.0, -0.0, np.inf, np.nan, 1, -1, 0]])
    d = np.concatenate([np.full(300, 0.1), random.normal(size=300), [1.0, -1.0, 2, 2, 0, 0, 0]])
    x, d = x.astype(dtype), d.astype(dtype)
    q, c, s = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)
    kernel(x, d, q, c, s)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(q, np.floor_divide(x, d))
        np.testing.assert_array_equal(s, np.floor_divide(x, d))
        np.testing.assert_array_equal(c, np.floor_divide(x, dtype(0.1)))


@pytest.mark.parametrize("index", ["(a * b) % M", "min(k % (a * b), M - 1)"])
def test_what_is_divided_and_what_by_must_fit(index, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M], pl.FP32], a: pl.Scalar[pl.INDEX], b: pl.Scalar[pl.INDEX],
              y: pl.Out[pl.Tensor[[M], pl.FP32]]):
            y[:] = x
            k = 0
            for _ in pl.range(2):
                k += 1
                y[{index}] = 1.0
        """,
        tmp_path,
    )
    x, y = np.zeros(8, np.float32), np.zeros(8, np.float32)
    kernel(x, 3, 5, y)
    assert y.sum() > 0
    with pytest.raises(Exception, match=r"a \* b does not fit 64 bits"):
        kernel(x, 2**63 - 1, 3, y)
