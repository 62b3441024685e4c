# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts, scatters, running sums and arg-reductions as programs of GPU threads, run on this processor."""

import pathlib
import textwrap

import numpy as np
import pytest
from tegula_library import NUMPY_TYPES, Kernel, KernelError
from test_matmuls import strided
from test_sorting import DTYPES, HEADER, awkward, order

# Around one thread and one warp; around what is sorted at once, of 64 bits and of fewer; tiles to merge, of all sizes.
WIDTHS = [0, 1, 2, 31, 32, 33, 97, 511, 512, 513, 1023, 1024, 1025, 2049, 4099, 9973]
TYPES = {**DTYPES, **{name: NUMPY_TYPES[name] for name in ("FP8E4M3FN", "FP8E5M2")}}


def compiled(text: str, folder: pathlib.Path, target: str = "cuda:emulate") -> Kernel:
    path = folder / "kernel.py"
    path.write_text(HEADER + textwrap.dedent(text))
    return Kernel(path, target=target)


def as_keys(x: np.ndarray) -> np.ndarray:
    return x if np.issubdtype(x.dtype, np.integer) else x.astype(np.float64)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_sort(dtype, descending, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], v: pl.Out[pl.Tensor[[M, N], pl.{dtype}]],
              i: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
            values, indices = pl.sort(x, descending={descending})
            v[:] = values
            i[:] = indices
        """,
        tmp_path,
    )
    widths = WIDTHS if dtype in ("FP32", "INT64") else WIDTHS[::3]
    for n in widths:
        x = awkward(3 if n > 100 else 37, n, dtype=TYPES[dtype])
        v, i = np.zeros_like(x), np.zeros(x.shape, np.int32)
        kernel(x, v, i)
        wanted = order(as_keys(x), -1, descending)
        np.testing.assert_array_equal(i, wanted)
        bits = f"u{x.itemsize}"
        np.testing.assert_array_equal(v.view(bits), np.take_along_axis(x, wanted, -1).view(bits))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("layout", [np.asfortranarray, strided])
def test_sort_of_strided_tensors(layout, axis, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[B, M, N], pl.FP32], v: pl.Out[pl.Tensor[[B, M, N], pl.FP32]],
              i: pl.Out[pl.Tensor[[B, M, N], pl.INT32]]):
            values, indices = pl.sort(x, axis={axis})
            v[:] = values
            i[:] = indices
        """,
        tmp_path,
    )
    for b, m, n in [(1, 1, 1), (2, 3, 33), (0, 2, 3), (2, 0, 3), (2, 3, 0), (2, 1033, 3), (1500, 2, 2), (17, 65, 19)]:
        x = layout(awkward(b, m, n))
        v, i = layout(np.zeros_like(x)), np.zeros(x.shape, np.int32)
        kernel(x, v, i)
        wanted = order(x, axis, False)
        np.testing.assert_array_equal(i, wanted)
        np.testing.assert_array_equal(v, np.take_along_axis(x, wanted, axis))


def test_half_bytes(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.INT4], i: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
            values, indices = pl.sort(x, descending=True)
            i[:] = indices
        """,
        tmp_path,
    )
    for n in (50, 1100):
        x = np.random.default_rng(n).integers(-8, 8, (3, n)).astype(NUMPY_TYPES["INT4"])
        i = np.zeros(x.shape, np.int32)
        kernel(x, i)
        np.testing.assert_array_equal(i, order(x.astype(np.float64), -1, True))


@pytest.mark.parametrize("kept", [1, 8, 700, 1500])
def test_topk(kept, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], v: pl.Out[pl.Tensor[[M, {kept}], pl.FP32]],
              i: pl.Out[pl.Tensor[[M, {kept}], pl.INT32]]):
            values, indices = pl.topk(x, {kept})
            v[:] = values
            i[:] = indices
        """,
        tmp_path,
    )
    for n in (width for width in WIDTHS if width >= kept):
        x = awkward(5, n)
        v, i = np.zeros((5, kept), np.float32), np.zeros((5, kept), np.int32)
        kernel(x, v, i)
        wanted = order(x, -1, True)[:, :kept]
        np.testing.assert_array_equal(i, wanted)
        np.testing.assert_array_equal(v, np.take_along_axis(x, wanted, -1))


def test_sorts_of_tiles(tmp_path):
    """In iterations of the author, with tiles that are cut at the edge, and in a list that no iteration divides."""
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], l: pl.Tensor[[P], pl.INT16], y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
              s: pl.Out[pl.Tensor[[P], pl.INT16]]):
            for r in pl.parallel(0, M, 4):
                values, indices = pl.sort(pl.load(x, [r, 0], [4, 2000]))
                pl.store(values, [r, 0], y)
            values, indices = pl.sort(l)
            s[:] = values
        """,
        tmp_path,
    )
    for m, n, p in [(1, 1, 1), (9, 33, 1500), (5, 1999, 5000), (4, 2000, 0)]:
        x, given = awkward(m, n), awkward(p, dtype=np.int16)
        y, s = np.zeros_like(x), np.zeros_like(given)
        kernel(x, given, y, s)
        np.testing.assert_array_equal(y, np.take_along_axis(x, order(x, -1, False), -1))
        np.testing.assert_array_equal(s, np.sort(given))


@pytest.mark.parametrize("dtype", ["FP32", "INT64"])
def test_lists_that_blocks_share(dtype, tmp_path):
    """No iteration divides a list, or a few rows."""
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[N], pl.{dtype}], r: pl.Tensor[[3, M], pl.{dtype}], i: pl.Out[pl.Tensor[[N], pl.INT32]],
              v: pl.Out[pl.Tensor[[3, M], pl.{dtype}]], t: pl.Out[pl.Tensor[[3, 900], pl.INT32]]):
            values, indices = pl.sort(x, descending=True)
            i[:] = indices
            sorted_rows, indices = pl.sort(r)
            v[:] = sorted_rows
            best, indices = pl.topk(r, 900)
            t[:] = indices
        """,
        tmp_path,
    )
    for n, m in [(0, 900), (1, 1000), (1025, 1025), (20011, 5003), (9000, 30011)]:
        x, r = awkward(n, dtype=TYPES[dtype]), awkward(3, m, dtype=TYPES[dtype])
        i, v, t = np.zeros(n, np.int32), np.zeros_like(r), np.zeros((3, 900), np.int32)
        kernel(x, r, i, v, t)
        np.testing.assert_array_equal(i, order(x, 0, True))
        np.testing.assert_array_equal(v, np.take_along_axis(r, order(r, -1, False), -1))
        np.testing.assert_array_equal(t, order(r, -1, True)[:, :900])


@pytest.mark.parametrize("taken", [4, 33_540_000])
def test_sort_without_memory(taken, tmp_path):
    """Sizes are known when the kernel runs, and there may be little memory left then."""
    kernel = compiled(
        """
        def k(x: pl.Tensor[[N], pl.INT64], n: pl.Tensor[[2], pl.INT32], y: pl.Out[pl.Tensor[[N], pl.INT64]]):
            for r in pl.parallel(1):
                count = pl.read(n, [0])
                taken = pl.create_tensor([pl.read(n, [1]), 2], dtype=pl.INT8)
                taken[0:2] = pl.full([2, 2], pl.INT8, 1)
                values, indices = pl.sort(x[0:count] * pl.cast(pl.read(taken, [1, 1]), pl.INT64))
                y[0:count] = values
        """,
        tmp_path,
    )
    for n in (3, 1500):
        x = awkward(2000, dtype=np.int64)
        y = np.zeros_like(x)
        kernel(x, np.array([n, taken], np.int32), y)
        np.testing.assert_array_equal(y[:n], np.sort(x[:n]))
        np.testing.assert_array_equal(y[n:], 0)


def pairs_of(values: np.ndarray, indices: np.ndarray) -> np.ndarray:
    return np.stack([values, indices.view(np.float32)], -1).reshape(*values.shape[:-1], -1)


@pytest.mark.parametrize("run", [32, 2048])
def test_sorted_runs(run, tmp_path):
    merges = {32: "p", 2048: "pl.mrgsort(pl.mrgsort(pl.mrgsort(p, block_len=64), block_len=256), block_len=1024)"}[run]
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, N], pl.UINT32], y: pl.Out[pl.Tensor[[M, P], pl.FP32]]):
            p = pl.sort32(x, i)
            y[:] = {merges}
        """,
        tmp_path,
    )
    for n in (32, 64, 4096, 3104, 1024):
        x = awkward(3, n)
        i = np.random.default_rng(n).integers(0, 2**30, (3, n)).astype(np.uint32)
        y = np.zeros((3, 2 * n), np.float32)
        kernel(x, i, y)
        wanted = np.concatenate([order(x[:, at : at + run], -1, True) + at for at in range(0, n, run)], -1)
        right = pairs_of(np.take_along_axis(x, wanted, -1), np.take_along_axis(i, wanted, -1))
        np.testing.assert_array_equal(y.view(np.uint32), right.view(np.uint32))


def test_merged_lists(tmp_path):
    kernel = compiled(
        """
        def k(a: pl.Tensor[[M, N], pl.FP32], b: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, P], pl.FP32]]):
            y[:] = pl.mrgsort(a[:], b[:])
        """,
        tmp_path,
    )
    for n in (1, 33, 600, 1500):
        parts = []
        for seed in (0, 1):
            x = -np.sort(-np.random.default_rng(seed).integers(-9, 9, (3, n)).astype(np.float32), -1)
            parts.append(pairs_of(x, np.arange(3 * n, dtype=np.uint32).reshape(3, n) + 10000 * seed))
        y = np.zeros((3, 4 * n), np.float32)
        kernel(*parts, y)
        both = np.concatenate(parts, -1).reshape(3, 2 * n, 2)
        wanted = np.argsort(-both[..., 0], axis=-1, kind="stable")
        right = np.take_along_axis(both, wanted[..., None], 1).reshape(3, 4 * n)
        np.testing.assert_array_equal(y.view(np.uint32), right.view(np.uint32))


@pytest.mark.parametrize("dtype", TYPES)
def test_scatter(dtype, tmp_path):
    """Of several elements with one index the last stays."""
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], i: pl.Tensor[[M, P], pl.INT32], s: pl.Tensor[[M, P], pl.{dtype}],
              y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
            y[:] = pl.scatter(x, dim=-1, index=i, src=s)
        """,
        tmp_path,
    )
    sizes = [(1, 1, 1), (3, 33, 31), (2, 5, 1024), (5, 700, 1025), (90, 3, 20), (0, 3, 3), (3, 3, 0)]
    for m, n, p in sizes if dtype == "FP32" else sizes[:4:2]:
        rng = np.random.default_rng(n)
        x, s = awkward(m, n, dtype=TYPES[dtype]), awkward(m, p, dtype=TYPES[dtype])
        i = rng.integers(0, max(n, 1), (m, p)).astype(np.int32)
        y, wanted = np.zeros_like(x), x.copy()
        kernel(x, i, s, y)
        for index in range(p):
            wanted[np.arange(m), i[:, index]] = s[:, index]
        bits = f"u{x.itemsize}"
        np.testing.assert_array_equal(y.view(bits), wanted.view(bits))


@pytest.mark.parametrize("axis", [0, 1])
def test_scatter_along(axis, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[B, M, N], pl.FP32], i: pl.Tensor[[P, M, N], pl.INT16] , s: pl.Tensor[[P, M, N], pl.FP32],
              y: pl.Out[pl.Tensor[[B, M, N], pl.FP32]]):
            y[:] = pl.scatter(x, dim={axis}, index=i, src=s)
        """.replace("[P, M, N]", "[B, P, N]" if axis == 1 else "[P, M, N]"),
        tmp_path,
    )
    for b, m, n, p in [(3, 5, 7, 11), (9, 9, 70, 300), (2, 2, 2, 1030)]:
        rng = np.random.default_rng(n)
        x = strided(awkward(b, m, n))
        shape = [b, m, n]
        shape[axis] = p
        i, s = rng.integers(0, x.shape[axis], shape).astype(np.int16), strided(awkward(*shape))
        y, wanted = np.zeros_like(x), x.copy()
        kernel(x, i, s, y)
        for index in range(p):
            at = [slice(None)] * 3
            at[axis] = slice(index, index + 1)
            np.put_along_axis(wanted, i[tuple(at)].astype(np.int64), s[tuple(at)], axis)
        np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize("dtype", ["INT8", "UINT16", "INT32", "UINT32", "INT64", "FP32", "FP64"])
def test_scatter_add(dtype, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[N], pl.{dtype}], i: pl.Tensor[[N], pl.INT64], y: pl.InOut[pl.Tensor[[M], pl.{dtype}]]):
            pl.mscatter(x, i, y, atomic=pl.AtomicType.Add)
        """,
        tmp_path,
    )
    # Those of more than 4096 elements are sorted.
    sizes = [(0, 1), (1, 1), (33, 5), (1023, 1), (4096, 100), (4097, 100), (5000, 4099), (40000, 1), (40000, 1009)]
    for n, m in sizes:
        rng = np.random.default_rng(n)
        x = np.rint(rng.standard_normal(n) * 50).astype(TYPES[dtype])
        i, y = rng.integers(0, m, n), np.rint(rng.standard_normal(m) * 50).astype(TYPES[dtype])
        wanted = y.copy()
        np.add.at(wanted, i, x)
        kernel(x, i, y)
        np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize("n", [4000, 30000])
def test_rounded_scatter_add(n, tmp_path):
    """Few floats are added as a loop does it; of many, those whose index occurs twice in a tile of 32."""
    kernel = compiled(
        """
        def k(x: pl.Tensor[[N], pl.FP32], i: pl.Tensor[[N], pl.INT32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
            pl.mscatter(x, i, y, atomic=pl.AtomicType.Add)
        """,
        tmp_path,
    )
    rng = np.random.default_rng(n)
    for ids in (np.zeros(n), rng.integers(0, 7, n), np.sort(rng.integers(0, 2000, n)), np.arange(n)[::-1] // 9):
        i = ids.astype(np.int32)
        x, y = rng.standard_normal(n).astype(np.float32), rng.standard_normal(i.max() + 1).astype(np.float32)
        wanted, again = y.copy(), y.copy()
        np.add.at(wanted, i, x)
        kernel(x, i, y)
        kernel(x, i, again)
        np.testing.assert_array_equal(y.view("u4"), again.view("u4"))
        if n <= 4096:
            np.testing.assert_array_equal(y.view("u4"), wanted.view("u4"))
        np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("columns", [1, 3, 64, 300])
def test_segments(columns, tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.FP32], ids: pl.Tensor[[M], pl.INT32], y: pl.Out[pl.Tensor[[P, N], pl.FP32]]):
            y[:] = pl.segment_sum(x, ids, P)
        """,
        tmp_path,
    )
    for m, p in [(0, 3), (1, 1), (1100, 7), (2050, 3000), (4097, 50), (9001, 50)]:
        rng = np.random.default_rng(m)
        x = np.rint(rng.standard_normal((m, columns)) * 50).astype(np.float32)
        ids = rng.integers(-1, p + 1, m).astype(np.int32)
        y, wanted = np.zeros((p, columns), np.float32), np.zeros((p, columns), np.float32)
        kernel(x, ids, y)
        inside = (ids >= 0) & (ids < p)
        np.add.at(wanted, ids[inside], x[inside])
        np.testing.assert_array_equal(y, wanted)


def test_last_rows_stay(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[M, N], pl.BF16], i: pl.Tensor[[M], pl.INT32], y: pl.InOut[pl.Tensor[[P, N], pl.BF16]]):
            pl.mscatter(x, i, y, coalesce="row")
        """,
        tmp_path,
    )
    for m, n, p in [(1, 1, 1), (0, 3, 2), (1030, 3, 7), (700, 40, 2000), (20000, 3, 11)]:
        rng = np.random.default_rng(m)
        x, y = awkward(m, n, dtype=TYPES["BF16"]), awkward(p, n, dtype=TYPES["BF16"])
        i, wanted = rng.integers(0, p, m).astype(np.int32), y.copy()
        kernel(x, i, y)
        for row in range(m):
            wanted[i[row]] = x[row]
        np.testing.assert_array_equal(y.view("u2"), wanted.view("u2"))


def test_histogram(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[N], pl.INT32], y: pl.Out[pl.Tensor[[P], pl.INT32]]):
            y[:] = pl.histogram(x, P)
        """,
        tmp_path,
    )
    for n, bins in [(0, 3), (5, 1), (9000, 256), (4097, 1), (9000, 5000)]:
        x, y = np.random.default_rng(n).integers(0, bins, n).astype(np.int32), np.zeros(bins, np.int32)
        kernel(x, y)
        np.testing.assert_array_equal(y, np.bincount(x, minlength=bins))


def test_index_out_of_range(tmp_path):
    kernel = compiled(
        """
        def k(x: pl.Tensor[[N], pl.FP32], i: pl.Tensor[[N], pl.INT32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
            pl.mscatter(x, i, y, atomic=pl.AtomicType.Add)
        """,
        tmp_path,
    )
    i = np.zeros(1500, np.int32)
    i[1234] = 7
    with pytest.raises(KernelError, match="index 7 of axis 0 is out of range, the extent is 7"):
        kernel(np.ones(1500, np.float32), i, np.zeros(7, np.float32))


@pytest.mark.parametrize("dtype", ["INT32", "INT64", "FP32", "FP64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_running_sums(axis, dtype, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
            y[:] = pl.cumsum(x, axis={axis})
        """,
        tmp_path,
    )
    for m, n in [(1, 1), (0, 5), (5, 0), (1, 63), (1, 65), (2, 1000), (37, 33), (300, 3), (4099, 1), (1, 9001)]:
        x = np.random.default_rng(m + n).integers(-99, 99, (m, n)).astype(TYPES[dtype])
        y = np.zeros_like(x)
        kernel(x, y)
        np.testing.assert_array_equal(y, np.cumsum(x, axis, dtype=x.dtype))


@pytest.mark.parametrize("target", ["cuda:emulate", "cpu"])
@pytest.mark.parametrize("dtype", ["FP16", "FP32", "FP64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_running_sums_keep_the_sign_of_zero(axis, dtype, target, tmp_path):
    """Short rows, long ones, columns, and rows that blocks share."""
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
            y[:] = pl.cumsum(x, axis={axis})
        """,
        tmp_path,
        target,
    )
    for m, n in [(1, 1), (1, 5), (2, 1000), (37, 33), (300, 3), (1, 9001), (9001, 1)]:
        x = np.full((m, n), -0.0, TYPES[dtype])
        x[m // 2 :, n // 2 :] = 0.0
        y = np.ones_like(x)
        kernel(x, y)
        wanted = np.cumsum(x, axis, dtype=x.dtype)
        np.testing.assert_array_equal(np.signbit(y), np.signbit(wanted))
        assert not y.any()


@pytest.mark.parametrize("dtype", TYPES)
def test_arg_reductions(dtype, tmp_path):
    kernel = compiled(
        f"""
        def k(x: pl.Tensor[[M, N], pl.{dtype}], a: pl.Out[pl.Tensor[[M, 1], pl.INT32]],
              c: pl.Out[pl.Tensor[[1, N], pl.INT32]]):
            a[:] = pl.row_argmax(x)
            c[:] = pl.col_argmin(x)
        """,
        tmp_path,
    )
    for m, n in [(1, 1), (3, 33), (1, 1031), (70, 5), (17, 200), (1, 8200)]:
        x = awkward(m, n, dtype=TYPES[dtype])
        a, c = np.zeros((m, 1), np.int32), np.zeros((1, n), np.int32)
        kernel(x, a, c)
        keys = as_keys(x)
        np.testing.assert_array_equal(a, keys.argmax(axis=1, keepdims=True))
        np.testing.assert_array_equal(c, keys.argmin(axis=0, keepdims=True))
    a, c = np.zeros((3, 1), np.int32), np.zeros((1, 0), np.int32)
    kernel(np.zeros((3, 0), TYPES[dtype]), a, c)
    np.testing.assert_array_equal(a, -1)
