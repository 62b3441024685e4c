# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting, merging and arg-reductions against NumPy, with equal elements, NaN and infinities among the numbers."""

import itertools
import pathlib
import textwrap

import ml_dtypes
import numpy as np
import pytest
from tegula_library import NUMPY_TYPES, Kernel, KernelError
from test_matmuls import strided

HEADER = """
import tegula.language as pl

B = pl.dynamic("B")
M = pl.dynamic("M")
N = pl.dynamic("N")
P = pl.dynamic("P")


@pl.jit
"""

LAYOUTS = [np.ascontiguousarray, np.asfortranarray, strided]
WIDTHS = [0, 1, 2, 31, 32, 33, 97, 1031]
DTYPES = {
    "INT8": np.int8,
    "UINT8": np.uint8,
    "INT16": np.int16,
    "UINT16": np.uint16,
    "INT32": np.int32,
    "UINT32": np.uint32,
    "INT64": np.int64,
    "UINT64": np.uint64,
    "FP16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "FP32": np.float32,
    "FP64": np.float64,
}


def compiled(text: str, folder: pathlib.Path) -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path)


def awkward(*shape: int, dtype=np.float32) -> np.ndarray:
    """Numbers with many equal ones; the extremes of integers; NaN, infinities and zeros of both signs of floats."""
    rng = np.random.default_rng(sum(shape))
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        special = [limits.min, limits.max, 0, 1, limits.max - 1]
        small = rng.integers(0, 20, shape).astype(dtype)
    else:
        special = [np.nan, np.inf, -np.inf, 0.0, -0.0]
        small = (rng.integers(-20, 20, shape) / 4).astype(dtype)
    chosen = np.array([dtype(number) for number in special])[rng.integers(0, 5, shape)]
    return np.where(rng.random(shape) < 0.1, chosen, small).astype(dtype)


def order(x: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """The stable order, NaN as the greatest of all."""
    keys = x.astype(np.float64) if np.issubdtype(x.dtype, np.floating) or x.dtype == ml_dtypes.bfloat16 else x
    ascending = np.argsort(keys, axis=axis, kind="stable")
    if not descending:
        return ascending
    flipped = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - flipped, axis)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_sort(axis, descending, layout, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[B, M, N], pl.FP32], v: pl.Out[pl.Tensor[[B, M, N], pl.FP32]],
              i: pl.Out[pl.Tensor[[B, M, N], pl.INT32]]):
            values, indices = pl.sort(x, axis={axis}, descending={descending})
            v[:] = values
            i[:] = indices
        """,
        tmp_path,
    )
    for b, m, n in [(1, 1, 1), (2, 3, 33), (0, 2, 3), (2, 0, 3), (2, 3, 0), (3, 97, 5), (31, 2, 600)]:
        x = layout(awkward(b, m, n))
        v, i = layout(np.zeros_like(x)), np.zeros(x.shape, np.int32)
        kernel(x, v, i)
        wanted = order(x, axis, descending)
        np.testing.assert_array_equal(i, wanted)
        np.testing.assert_array_equal(v, np.take_along_axis(x, wanted, axis))
    assert kernel.compile_count == 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type(dtype, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], v: pl.Out[pl.Tensor[[M, N], pl.{dtype}]],
              i: pl.Out[pl.Tensor[[M, N], pl.INT32]], a: pl.Out[pl.Tensor[[M, 1], pl.INT32]],
              c: pl.Out[pl.Tensor[[1, N], pl.INT32]]):
            values, indices = pl.sort(x)
            v[:] = values
            i[:] = indices
            a[:] = pl.row_argmax(x)
            c[:] = pl.col_argmin(x)
        """,
        tmp_path,
    )
    for m, n in [(1, 1), (3, 33), (2, 97)]:
        x = awkward(m, n, dtype=DTYPES[dtype])
        v, i = np.zeros_like(x), np.zeros(x.shape, np.int32)
        a, c = np.zeros((m, 1), np.int32), np.zeros((1, n), np.int32)
        kernel(x, v, i, a, c)
        wanted = order(x, -1, False)
        np.testing.assert_array_equal(i, wanted)
        keys = x.astype(np.float64) if x.dtype.kind in "fV" else x
        np.testing.assert_array_equal(v.astype(keys.dtype), np.take_along_axis(keys, wanted, -1))
        np.testing.assert_array_equal(a, keys.argmax(axis=1, keepdims=True))
        np.testing.assert_array_equal(c, keys.argmin(axis=0, keepdims=True))


@pytest.mark.parametrize("dtype", ["INT4", "UINT4", "FP8E4M3FN", "FP8E5M2"])
def test_small_types(dtype, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], i: pl.Out[pl.Tensor[[M, N], pl.INT32]],
              a: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
            values, indices = pl.sort(x, descending=True)
            i[:] = indices
            a[:] = pl.row_argmin(x)
        """,
        tmp_path,
    )
    x = np.random.default_rng(0).integers(0 if dtype == "UINT4" else -8, 8, (3, 50)).astype(NUMPY_TYPES[dtype])
    if dtype.startswith("FP"):
        x[0, 3] = x[0, 7] = x[1, 9] = np.nan
    i, a = np.zeros(x.shape, np.int32), np.zeros((3, 1), np.int32)
    kernel(x, i, a)
    np.testing.assert_array_equal(i, order(x.astype(np.float64), -1, True))
    np.testing.assert_array_equal(a, x.astype(np.float64).argmin(axis=1, keepdims=True))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("operand", ["x", "x + 0.0"])
def test_arg_reductions(operand, layout, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[B, M, N], pl.FP32], r: pl.Out[pl.Tensor[[B, M, 1], pl.INT32]],
              c: pl.Out[pl.Tensor[[B, 1, N], pl.INT32]], a: pl.Out[pl.Tensor[[M, N], pl.INT32]],
              s: pl.Out[pl.Tensor[[B, M], pl.INT32]]):
            r[:] = pl.row_argmin({operand})
            c[:] = pl.col_argmax({operand})
            a[:] = pl.argmax({operand}, axis=0, keepdims=False)
            s[:] = pl.argmin({operand}, axis=-1, keepdims=False)
        """,
        tmp_path,
    )
    for b, m, n in [(1, 1, 1), (2, 3, 33), (3, 97, 5), (5, 2, 1031)]:
        x = layout(awkward(b, m, n))
        r, c = np.zeros((b, m, 1), np.int32), np.zeros((b, 1, n), np.int32)
        a, s = np.zeros((m, n), np.int32), np.zeros((b, m), np.int32)
        kernel(x, r, c, a, s)
        np.testing.assert_array_equal(r, x.argmin(axis=-1, keepdims=True))
        np.testing.assert_array_equal(c, x.argmax(axis=-2, keepdims=True))
        np.testing.assert_array_equal(a, x.argmax(axis=0))
        np.testing.assert_array_equal(s, x.argmin(axis=-1))


def test_arg_reductions_of_nothing(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], r: pl.Out[pl.Tensor[[M, 1], pl.INT32]],
              c: pl.Out[pl.Tensor[[1, N], pl.INT32]]):
            r[:] = pl.row_argmax(x)
            c[:] = pl.col_argmin(x)
        """,
        tmp_path,
    )
    r, c = np.zeros((3, 1), np.int32), np.zeros((1, 0), np.int32)
    kernel(np.zeros((3, 0), np.float32), r, c)
    np.testing.assert_array_equal(r, -1)
    r, c = np.zeros((0, 1), np.int32), np.zeros((1, 5), np.int32)
    kernel(np.zeros((0, 5), np.float32), r, c)
    np.testing.assert_array_equal(c, -1)


def test_arg_reductions_of_partly_valid_tiles(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], r: pl.Out[pl.Tensor[[M, 1], pl.INT32]]):
            for i in pl.parallel(0, M, 8):
                t = pl.load(x, [i, 0], [8, 64])
                pl.store(pl.row_argmax(t * 2.0), [i, 0], r)
        """,
        tmp_path,
    )
    for m, n in itertools.product([0, 1, 7, 8, 9], [1, 31, 64]):
        x, r = awkward(m, n), np.zeros((m, 1), np.int32)
        kernel(x, r)
        np.testing.assert_array_equal(r, x.argmax(axis=1, keepdims=True))


@pytest.mark.parametrize("largest", [True, False])
def test_topk(largest, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], v: pl.Out[pl.Tensor[[M, 8], pl.FP32]],
              i: pl.Out[pl.Tensor[[M, 8], pl.INT32]]):
            v[:] = pl.full([M, 8], dtype=pl.FP32, value=-1.0)
            i[:] = pl.full([M, 8], dtype=pl.INT32, value=-1)
            values, indices = pl.topk(x, 8, largest={largest})
            v[:] = values
            i[:] = indices
        """,
        tmp_path,
    )
    for m, n in itertools.product([0, 1, 5], WIDTHS + [7, 8, 9]):
        x = awkward(m, n)
        v, i = np.zeros((m, 8), np.float32), np.zeros((m, 8), np.int32)
        kernel(x, v, i)
        wanted = order(x, -1, largest)[:, :8]
        kept = wanted.shape[1]
        np.testing.assert_array_equal(i[:, :kept], wanted)
        np.testing.assert_array_equal(v[:, :kept], np.take_along_axis(x, wanted, -1))
        np.testing.assert_array_equal(i[:, kept:], -1)


@pytest.mark.parametrize("dtype", ["FP32", "INT32", "INT64", "FP64", "BF16"])
@pytest.mark.parametrize("k", [1, 16, 33, 100, 129, 700])
def test_topk_of_long_rows(k, dtype, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], v: pl.Out[pl.Tensor[[M, {k}], pl.{dtype}]],
              i: pl.Out[pl.Tensor[[M, {k}], pl.INT32]]):
            values, indices = pl.topk(x, {k})
            v[:] = values
            i[:] = indices
        """,
        tmp_path,
    )
    for m, n in [(1, 700), (3, 1031), (2, 5000), (40, 1024)]:
        for x in (awkward(m, n, dtype=DTYPES[dtype]), np.full((m, n), 3, DTYPES[dtype])):
            v, i = np.zeros((m, k), DTYPES[dtype]), np.zeros((m, k), np.int32)
            kernel(x, v, i)
            wanted = order(x, -1, True)[:, :k]
            np.testing.assert_array_equal(i, wanted)
            np.testing.assert_array_equal(v.astype(np.float64), np.take_along_axis(x, wanted, -1).astype(np.float64))


def test_first_columns_of_sorted_rows(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], v: pl.Out[pl.Tensor[[M, 8], pl.FP32]],
              i: pl.Out[pl.Tensor[[M, 5], pl.INT32]]):
            values, indices = pl.sort(x)
            v[:] = values[:, 0:8]
            i[:] = indices[:, 0:5]
        """,
        tmp_path,
    )
    for m, n in [(1, 8), (5, 9), (3, 64), (20, 1031)]:
        x = awkward(m, n)
        v, i = np.zeros((m, 8), np.float32), np.zeros((m, 5), np.int32)
        kernel(x, v, i)
        wanted = order(x, -1, False)
        np.testing.assert_array_equal(i, wanted[:, :5])
        np.testing.assert_array_equal(v, np.take_along_axis(x, wanted, -1)[:, :8])


@pytest.mark.parametrize("kept", [1, 16, 100])
@pytest.mark.parametrize("width", [100, 512, 1000])
def test_first_pairs_of_merged_runs(width, kept, tmp_path):
    half = width // 2 * 2
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, {width}], pl.FP32], ids: pl.Tensor[[M, {width}], pl.INT32],
              p: pl.Out[pl.Tensor[[M, {2 * kept}], pl.FP32]], q: pl.Out[pl.Tensor[[M, {2 * width}], pl.FP32]]):
            for i in pl.parallel(M):
                pairs = pl.sort32(x[i : i + 1, :], ids[i : i + 1, :])
                for run in pl.unroll(3):
                    pairs = pl.mrgsort(pairs, block_len=64 * 4**run)
                q[i : i + 1, :] = pl.mrgsort(pairs[:, 0:{half}], pairs[:, {half} : {2 * width}])
                p[i : i + 1, :] = pl.mrgsort(pairs[:, 0:{half}], pairs[:, {half} : {2 * width}])[:, 0 : {2 * kept}]
        """,
        tmp_path,
    )
    for m in [1, 5]:
        x = awkward(m, width)
        ids = np.random.default_rng(1).integers(0, 1 << 30, (m, width)).astype(np.int32)
        p, q = np.zeros((m, 2 * kept), np.float32), np.zeros((m, 2 * width), np.float32)
        kernel(x, ids, p, q)
        wanted = sorted_pairs(x, ids, width).view(np.uint32)
        np.testing.assert_array_equal(q.view(np.uint32), wanted)
        np.testing.assert_array_equal(p.view(np.uint32), wanted[:, : 2 * kept])


def sorted_pairs(x: np.ndarray, ids: np.ndarray, run: int) -> np.ndarray:
    pairs = np.zeros((x.shape[0], 2 * x.shape[1]), np.float32)
    for first in range(0, x.shape[1], run):
        part = slice(first, min(first + run, x.shape[1]))
        indices = order(x[:, part], -1, True)
        pairs[:, 2 * part.start : 2 * part.stop : 2] = np.take_along_axis(x[:, part], indices, -1)
        pairs[:, 2 * part.start + 1 : 2 * part.stop : 2] = np.take_along_axis(ids[:, part], indices, -1).view(
            np.float32
        )
    return pairs


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["INT32", "UINT32"])
def test_sort32_and_merges(dtype, layout, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], ids: pl.Tensor[[M, N], pl.{dtype}],
              p: pl.Out[pl.Tensor[[M, P], pl.FP32]], q: pl.Out[pl.Tensor[[M, P], pl.FP32]],
              r: pl.Out[pl.Tensor[[M, P], pl.FP32]]):
            pairs = pl.sort32(x, ids)
            pl.store(pairs, [0, 0], p)
            pairs = pl.mrgsort(pairs, block_len=64)
            pl.store(pairs, [0, 0], q)
            pairs = pl.mrgsort(pairs, block_len=256)
            pairs = pl.mrgsort(pairs, block_len=1024)
            pl.store(pairs, [0, 0], r)
        """,
        tmp_path,
    )
    for m, n in itertools.product([0, 1, 3], WIDTHS + [127, 128, 129, 600]):
        x = layout(awkward(m, n))
        ids = layout(np.random.default_rng(1).integers(0, 1 << 30, (m, n)).astype(dtype.lower()))
        p, q, r = (np.zeros((m, 2 * n), np.float32) for _ in range(3))
        kernel(x, ids, p, q, r)
        for found, run in ((p, 32), (q, 128), (r, 2048)):
            wanted = sorted_pairs(x, np.ascontiguousarray(ids), run)
            np.testing.assert_array_equal(found.view(np.uint32), wanted.view(np.uint32), err_msg=f"{m} {n} {run}")


@pytest.mark.parametrize("count", [2, 3, 4])
def test_merge_of_lists(count, tmp_path):
    names = "abcd"[:count]
    kernel = compiled(
        f"""
        def k({", ".join(f"{n}: pl.Tensor[[M, {4 * (i + 1)}], pl.FP32]" for i, n in enumerate(names))},
              y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
            pl.store(pl.mrgsort({", ".join(names)}), [0, 0], y)
        """,
        tmp_path,
    )
    for m in [0, 1, 5]:
        values = [awkward(m, 2 * (i + 1)) for i in range(count)]
        ids = [(np.arange(v.size, dtype=np.int32) + 100 * i).reshape(v.shape) for i, v in enumerate(values)]
        lists = [sorted_pairs(v, i, 32) for v, i in zip(values, ids, strict=True)]
        y = np.zeros((m, sum(part.shape[1] for part in lists)), np.float32)
        kernel(*lists, y)
        merged_values = np.concatenate([part[:, ::2] for part in lists], axis=1)
        merged_ids = np.ascontiguousarray(np.concatenate([part[:, 1::2] for part in lists], axis=1))
        wanted = sorted_pairs(merged_values, merged_ids.view(np.int32), 1000)
        np.testing.assert_array_equal(y.view(np.uint32), wanted.view(np.uint32))


def test_partly_valid_tiles_of_pairs(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], ids: pl.Tensor[[M, N], pl.INT32], p: pl.Out[pl.Tensor[[M, P], pl.FP32]]):
            for i in pl.parallel(0, M, 2):
                t = pl.sort32(x[i : i + 2, 0:64], ids[i : i + 2, 0:64])
                pl.store(pl.tile.mrgsort(t, block_len=64), [i, 0], p)
        """,
        tmp_path,
    )
    for m, n in itertools.product([0, 1, 2, 5], [1, 31, 32, 33, 64]):
        x, ids = awkward(m, n), np.arange(m * n, dtype=np.int32).reshape(m, n)
        p = np.zeros((m, 2 * n), np.float32)
        kernel(x, ids, p)
        np.testing.assert_array_equal(p.view(np.uint32), sorted_pairs(x, ids, 64).view(np.uint32))


MISTAKES = {
    "pl.sort32(h, i)": "sorts FP32",
    "pl.sort32(x, x)": "INT32 or UINT32",
    "pl.mrgsort(x)": "block_len",
    "pl.mrgsort(x, block_len=3)": "even",
    "pl.mrgsort(x, x, block_len=4)": "without",
    "pl.topk(x, 0)": "positive integer",
    "pl.topk(x, 9)": "cannot take 9 of 8",
    "pl.sort(x > 0.0)": "takes numbers",
    "pl.argmax(x, axis=2)": "out of range",
}


@pytest.mark.parametrize("expression", MISTAKES)
def test_mistakes(expression, tmp_path):
    with pytest.raises(KernelError, match=MISTAKES[expression]):
        compiled(
            f"""
            def k(x: pl.Tensor[[M, 8], pl.FP32], h: pl.Tensor[[M, 8], pl.FP16], i: pl.Tensor[[M, 8], pl.INT32],
                  y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
                t = {expression}
                y[:] = x
            """,
            tmp_path,
        )
