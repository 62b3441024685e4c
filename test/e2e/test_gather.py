# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gathers against NumPy's take_along_axis and slices."""

import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

RNG = np.random.default_rng(3)


def numbers(shape: tuple, dtype=np.float32) -> np.ndarray:
    return RNG.integers(0, 100, shape).astype(dtype)


@pytest.mark.parametrize(
    "name, dtype, index_name, index_dtype",
    [
        ("FP32", np.float32, "INT32", np.int32),
        ("FP16", np.float16, "INT64", np.int64),
        ("INT8", np.int8, "UINT16", np.uint16),
        ("BOOL", bool, "UINT64", np.uint64),
    ],
)
def test_along_columns_of_every_type(name, dtype, index_name, index_dtype, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{name}], i: pl.Tensor[[M, K], pl.{index_name}],
          y: pl.Out[pl.Tensor[[M, K], pl.{name}]]):
        y[:] = pl.gather(x, dim=-1, index=i)
    """
    x, i = numbers((5, 7), dtype), RNG.integers(0, 7, (5, 3)).astype(index_dtype)
    results = run_kernel(text, tmp_path, x=x, i=i, y=np.zeros((5, 3), dtype))
    np.testing.assert_array_equal(results["y"], np.take_along_axis(x, i.astype(np.int64), 1))


def test_along_columns_at_every_size(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, K], pl.INT32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
        y[:] = pl.gather(x * 2.0, dim=1, index=i) + 1.0
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for m, n, k in [(0, 5, 3), (4, 5, 0), (1, 1, 1), (15, 511, 16), (16, 512, 17), (17, 513, 600), (131, 7, 5)]:
        x, i = numbers((m, n)), RNG.integers(0, n, (m, k)).astype(np.int32)
        y = np.zeros((m, k), np.float32)
        kernel(x, i, y)
        np.testing.assert_array_equal(y, np.take_along_axis(x * 2, i.astype(np.int64), 1) + 1)


@pytest.mark.parametrize("axis", [0, 1, 2, -3])
def test_along_any_axis(axis, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N, 4], pl.FP32], i: pl.Tensor[[M, N, 4], pl.INT32],
          y: pl.Out[pl.Tensor[[M, N, 4], pl.FP32]]):
        y[:] = pl.gather(x, {axis}, i)
    """
    x = numbers((3, 5, 4))
    i = RNG.integers(0, x.shape[axis], x.shape).astype(np.int32)
    results = run_kernel(text, tmp_path, x=x, i=i, y=np.zeros_like(x))
    np.testing.assert_array_equal(results["y"], np.take_along_axis(x, i.astype(np.int64), axis))


def test_in_tiles_with_a_tail(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, K], pl.INT32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
        for r in pl.parallel(0, M, 4):
            with pl.at(level=pl.Level.CORE_GROUP):
                rows = pl.load(x, [r, 0], [4, 16])
                y[r : r + 4, :] = pl.gather(rows + 1.0, dim=-1, index=i[r : r + 4, :])
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for m in (0, 1, 3, 4, 5, 13):
        x, i = numbers((m, 11)), RNG.integers(0, 11, (m, 6)).astype(np.int32)
        y = np.zeros((m, 6), np.float32)
        kernel(x, i, y)
        np.testing.assert_array_equal(y, np.take_along_axis(x + 1, i.astype(np.int64), 1))


def test_of_what_is_overwritten_afterwards(tmp_path):
    text = """
    def k(x: pl.InOut[pl.Tensor[[M, N], pl.FP32]], i: pl.Tensor[[M, N], pl.INT32]):
        old = x + 0.0
        t = pl.load(x, [0, 0], [M, N])
        x[:] = pl.full([M, N], dtype=pl.FP32, value=7.0)
        x[:] = pl.gather(t, dim=-1, index=i) + old
    """
    x, i = numbers((5, 6)), RNG.integers(0, 6, (5, 6)).astype(np.int32)
    results = run_kernel(text, tmp_path, x=x, i=i)
    np.testing.assert_array_equal(results["x"], np.take_along_axis(x, i.astype(np.int64), 1) + x)


def test_carried_around_a_loop(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        t = x + 0.0
        for _ in pl.range(3):
            t = pl.gather(t, dim=1, index=i)
        y[:] = t
    """
    x, i = numbers((5, 6)), RNG.integers(0, 6, (5, 6)).astype(np.int32)
    results = run_kernel(text, tmp_path, x=x, i=i, y=np.zeros_like(x))
    wanted = x
    for _ in range(3):
        wanted = np.take_along_axis(wanted, i.astype(np.int64), 1)
    np.testing.assert_array_equal(results["y"], wanted)


@pytest.mark.parametrize("wrong", [-1, 7])
def test_an_index_out_of_range_is_an_error(wrong, tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, K], pl.INT32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
        y[:] = pl.gather(x, dim=-1, index=i)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    i = np.zeros((2, 3), np.int32)
    i[1, 2] = wrong
    with pytest.raises(KernelError, match=f"index {wrong} .*axis 1.*7"):
        kernel(numbers((2, 7)), i, np.zeros((2, 3), np.float32))


def test_flat(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[K], pl.INT32], y: pl.Out[pl.Tensor[[K], pl.FP32]],
          z: pl.Out[pl.Tensor[[2, 3], pl.FP32]]):
        y[:] = pl.gather(x, i)
        tile = pl.load(x, [0, 0], [8, 16])
        z[:] = pl.tile.gather(tile, pl.reshape(pl.arange(14, [6]), [2, 3]), tile)
    """
    x, i = numbers((5, 16)), RNG.integers(0, 80, 40).astype(np.int32)
    results = run_kernel(text, tmp_path, x=x, i=i, y=np.zeros(40, np.float32), z=np.zeros((2, 3), np.float32))
    np.testing.assert_array_equal(results["y"], x.reshape(-1)[i])
    # The flat index of a tile counts in its static shape, 16 columns.
    np.testing.assert_array_equal(results["z"], x.reshape(-1)[14:20].reshape(2, 3))


PATTERNS = {"P0101": (2, 0), "P1010": (2, 1), "P0001": (4, 0), "P0010": (4, 1), "P0100": (4, 2), "P1000": (4, 3)}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_mask_patterns(pattern, tmp_path):
    step, start = PATTERNS[pattern]
    number = list(PATTERNS).index(pattern) + 1
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]],
          z: pl.Out[pl.Tensor[[M, 16], pl.FP32]]):
        for r in pl.range(0, M, 4):
            picked = pl.tile.gather_mask(pl.load(x, [r, 0], [4, 12]), pl.MaskPattern.{pattern})
            pl.store(picked, [r, 0], y)
        pl.store(pl.fillpad(pl.gather(pl.load(x, [0, 0], [4, 16]), mask_pattern={number}), 5.0), [0, 0], z)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for m, n in [(1, 1), (4, 3), (5, 4), (3, 8), (7, 11), (6, 12)]:
        x = numbers((m, n))
        wanted = x[:, start::step]
        y, z = np.full((m, max(wanted.shape[1], 1)), -1, np.float32), np.full((m, 16), -1, np.float32)
        kernel(x, y, z)
        np.testing.assert_array_equal(y[:, : wanted.shape[1]], wanted)
        padded = np.full((4, (16 - start + step - 1) // step), 5, np.float32)
        padded[: min(m, 4), : wanted.shape[1]] = wanted[:4]
        np.testing.assert_array_equal(z[:4, : padded.shape[1]], padded[:m])


def test_mask_pattern_of_a_whole_tensor_as_other_bits(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, K], pl.UINT32]]):
        odd = pl.gather(x, mask_pattern=pl.tile.MaskPattern.P1010, output_dtype=pl.UINT32)
        pl.store(odd, [0, 0], y)
    """
    x = numbers((5, 9))
    results = run_kernel(text, tmp_path, x=x, y=np.zeros((5, 4), np.uint32))
    np.testing.assert_array_equal(results["y"], x.view(np.uint32)[:, 1::2])


@pytest.mark.parametrize("mode, compare", [("gt", np.greater), ("eq", np.equal), (2, np.less)])
def test_compare(mode, compare, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, 6], pl.INT32]],
          n: pl.Out[pl.Tensor[[1, M], pl.INT32]], z: pl.Out[pl.Tensor[[M, 6], pl.INT32]],
          f: pl.Out[pl.Tensor[[M, 6], pl.INT32]]):
        f[:] = pl.find(pl.cmp(x, 50, {mode!r}), 6)
        indices, counts = pl.gather(x, kvalue=50, cmp_mode={mode!r}, out_cols=6)
        y[:] = indices
        n[:] = counts
        moved, again = pl.gather(x, kvalue=50, cmp_mode={mode!r}, out_cols=6, offset=100)
        z[:] = moved
    """
    for m, n in [(5, 18), (1, 1), (17, 3)]:
        x = RNG.integers(45, 55, (m, n)).astype(np.int32)
        shape = (m, 6)
        empty, counts = np.zeros(shape, np.int32), np.zeros((1, m), np.int32)
        results = run_kernel(text, tmp_path, x=x, y=empty, n=counts, z=empty, f=empty)
        np.testing.assert_array_equal(results["f"], results["y"])
        for row in range(m):
            found = np.flatnonzero(compare(x[row], 50))
            assert results["n"][0, row] == len(found)
            wanted = np.zeros(6, np.int32)
            wanted[: len(found)] = found[:6]
            np.testing.assert_array_equal(results["y"][row], wanted)
            wanted[: len(found)] += 100
            np.testing.assert_array_equal(results["z"][row], wanted)


def test_rows_of_a_tensor(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP16], i: pl.Tensor[[K], pl.INT32], y: pl.Out[pl.Tensor[[K, N], pl.FP16]],
          z: pl.Out[pl.Tensor[[K, N], pl.FP16]], w: pl.Out[pl.Tensor[[K], pl.FP16]]):
        y[:] = pl.mgather(x, i)
        z[:] = pl.tile.mgather(x, i - 1, gather_oob="wrap")
        w[:] = pl.mgather(x, i, coalesce="elem")
    """
    for m, n, k in [(7, 600, 5), (1, 1, 1), (3, 2, 0)]:
        x, i = numbers((m, n), np.float16), RNG.integers(0, m, k).astype(np.int32)
        empty = np.zeros((k, n), np.float16)
        results = run_kernel(text, tmp_path, x=x, i=i, y=empty, z=empty, w=np.zeros(k, np.float16))
        np.testing.assert_array_equal(results["y"], x[i])
        np.testing.assert_array_equal(results["z"], x[i - 1])
        np.testing.assert_array_equal(results["w"], x.reshape(-1)[i])


def test_rows_that_are_not_there_are_zeros(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.INT8], i: pl.Tensor[[1, K], pl.INT32], y: pl.Out[pl.Tensor[[K, N], pl.INT8]]):
        y[:] = pl.mgather(x, i, gather_oob="zero")
    """
    for m, n, k in [(7, 600, 9), (1, 1, 3), (0, 5, 4), (3, 2, 0)]:
        x, i = numbers((m, n), np.int8), RNG.integers(-3, m + 3, (1, k)).astype(np.int32)
        wanted = np.stack([x[row] if 0 <= row < m else np.zeros(n, np.int8) for row in i[0]]) if k else x[:0]
        y = run_kernel(text, tmp_path, x=x, i=i, y=np.ones((k, n), np.int8))["y"]
        np.testing.assert_array_equal(y, wanted)


@pytest.mark.parametrize("transposed", [False, True])
def test_pages(transposed, tmp_path):
    shape = "[16, K]" if transposed else "[K, 16]"
    text = f"""
    def k(pool: pl.Tensor[[M, 24], pl.FP32], i: pl.Tensor[[1, K], pl.INT32], table: pl.Tensor[[N], pl.INT32],
          y: pl.Out[pl.Tensor[{shape}, pl.FP32]]):
        rows = pl.paged_gather(pool, i, table, block_size=4, size=16, max_indices=64, col_off=3, is_trans={transposed})
        pl.store(rows, [0, 0], y)
    """
    table = RNG.permutation(6).astype(np.int32)
    for k in (9, 1, 64):
        pool, i = numbers((24, 24)), RNG.integers(0, 24, (1, k)).astype(np.int32)
        wanted = pool[table[i[0] // 4] * 4 + i[0] % 4, 3:19]
        wanted = wanted.T if transposed else wanted
        results = run_kernel(text, tmp_path, pool=pool, i=i, table=table, y=np.zeros(wanted.shape, np.float32))
        np.testing.assert_array_equal(results["y"], wanted)


def test_rows_put_together_by_hand(tmp_path):
    text = """
    def k(pool: pl.Tensor[[M, 24], pl.FP32], i: pl.Tensor[[8], pl.INT32], y: pl.Out[pl.Tensor[[8, 16], pl.FP32]],
          z: pl.Out[pl.Tensor[[16, 8], pl.FP32]]):
        acc = pl.create_l1([8, 16], pl.FP32)
        transposed = pl.create_l1([16, 8], pl.FP32, transpose=True)
        for r in pl.range(8):
            row = pl.cast(i[r], pl.INDEX)
            acc = pl.gather_row(acc, pool, [r, 0], [row, 2], [1, 16])
            transposed = pl.gather_row(transposed, pool, [0, r], [row, 2], [1, 16], transpose=True)
        y[:] = acc
        z[:] = transposed
    """
    pool, i = numbers((9, 24)), RNG.integers(0, 9, 8).astype(np.int32)
    empty = np.zeros((8, 16), np.float32)
    results = run_kernel(text, tmp_path, pool=pool, i=i, y=empty, z=empty.T.copy())
    np.testing.assert_array_equal(results["y"], pool[i, 2:18])
    np.testing.assert_array_equal(results["z"], pool[i, 2:18].T)
