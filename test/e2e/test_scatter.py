# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters and atomic adds against NumPy."""

import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

RNG = np.random.default_rng(4)


def numbers(shape: tuple, dtype=np.float32) -> np.ndarray:
    return RNG.integers(0, 100, shape).astype(dtype)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_along_an_axis(axis, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, N], pl.INT32], s: pl.Tensor[[M, N], pl.FP32],
          y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        y[:] = pl.scatter(x, dim={axis}, index=i, src=s + 1.0)
    """
    for m, n in [(17, 5), (0, 3), (1, 1), (3, 513)]:
        x, s = numbers((m, n)), numbers((m, n))
        i = RNG.integers(0, max(x.shape[axis], 1), x.shape).astype(np.int32)
        results = run_kernel(text, tmp_path, x=x, i=i, s=s, y=np.zeros_like(x))
        wanted = x.copy()
        # One by one: of two with one index, the last one stays.
        for index in np.ndindex(*x.shape):
            to = list(index)
            to[axis] = i[index]
            wanted[tuple(to)] = s[index] + 1
        np.testing.assert_array_equal(results["y"], wanted)


def test_fewer_columns_in_tiles(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, 16], pl.FP16], i: pl.Tensor[[M, 3], pl.INT16], s: pl.Tensor[[M, 3], pl.FP16],
          y: pl.Out[pl.Tensor[[M, 16], pl.FP16]]):
        for r in pl.parallel(0, M, 4):
            t = pl.load(x, [r, 0], [4, 16])
            y[r : r + 4, :] = pl.scatter(t, -1, i[r : r + 4, :], s[r : r + 4, :])
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for m in (0, 1, 4, 5, 11):
        x, s = numbers((m, 16), np.float16), numbers((m, 3), np.float16)
        i = np.array([RNG.permutation(16)[:3] for _ in range(m)], np.int16).reshape(m, 3)
        y = np.zeros_like(x)
        kernel(x, i, s, y)
        wanted = x.copy()
        np.put_along_axis(wanted, i.astype(np.int64), s, 1)
        np.testing.assert_array_equal(y, wanted)


def test_flat_and_masked(tmp_path):
    text = """
    def k(x: pl.Tensor[[4, 12], pl.INT32], i: pl.Tensor[[4, 3], pl.INT32], s: pl.Tensor[[4, 3], pl.INT32],
          y: pl.Out[pl.Tensor[[4, 12], pl.INT32]], z: pl.Out[pl.Tensor[[4, 12], pl.INT32]],
          w: pl.Out[pl.Tensor[[4, 12], pl.INT32]]):
        y[:] = pl.tile.scatter(pl.load(x, [0, 0], [4, 12]), pl.load(s, [0, 0], [4, 3]), pl.load(i, [0, 0], [4, 3]))
        z[:] = pl.tile.scatter_mask(pl.load(x, [0, 0], [4, 12]), s, pl.MaskPattern.P0100)
        w[:] = pl.scatter(s, mask_pattern=3, dst=x)
    """
    x, s = numbers((4, 12), np.int32), numbers((4, 3), np.int32)
    i = RNG.permutation(48)[:12].reshape(4, 3).astype(np.int32)
    empty = np.zeros_like(x)
    results = run_kernel(text, tmp_path, x=x, i=i, s=s, y=empty, z=empty, w=empty)
    y, z, w = x.copy(), x.copy(), x.copy()
    y.reshape(-1)[i] = s
    z[:, 2::4] = s
    w[:, 0::4] = s
    np.testing.assert_array_equal(results["y"], y)
    np.testing.assert_array_equal(results["z"], z)
    np.testing.assert_array_equal(results["w"], w)


@pytest.mark.parametrize("name, dtype", [("FP32", np.float32), ("INT32", np.int32), ("UINT8", np.uint8)])
def test_into_memory(name, dtype, tmp_path):
    text = f"""
    def k(s: pl.Tensor[[K, N], pl.{name}], i: pl.Tensor[[K, N], pl.INT32], r: pl.Tensor[[K], pl.INT32],
          y: pl.InOut[pl.Tensor[[M, N], pl.{name}]], z: pl.InOut[pl.Tensor[[M, N], pl.{name}]],
          w: pl.InOut[pl.Tensor[[M, N], pl.{name}]]):
        pl.mscatter(s, i, y)
        pl.mscatter(s, r, z, coalesce="row")
        pl.mscatter(s, r, w, coalesce="row", atomic=pl.AtomicType.Add)
    """
    for m, n, k in [(5, 7, 9), (1, 1, 1), (9, 513, 4), (3, 2, 0)]:
        s, x = numbers((k, n), dtype), numbers((m, n), dtype)
        i = RNG.integers(0, m * n, (k, n)).astype(np.int32)
        r = RNG.integers(0, m, k).astype(np.int32)
        results = run_kernel(text, tmp_path, s=s, i=i, r=r, y=x, z=x, w=x)
        y, z, w = x.copy(), x.copy(), x.copy()
        for index in np.ndindex(k, n):
            y.reshape(-1)[i[index]] = s[index]
        for row in range(k):
            z[r[row]] = s[row]
        np.add.at(w, r, s)
        np.testing.assert_array_equal(results["y"], y)
        np.testing.assert_array_equal(results["z"], z)
        np.testing.assert_array_equal(results["w"], w)


@pytest.mark.parametrize("axis", [0, 1])
def test_into_memory_along_an_axis(axis, tmp_path):
    text = f"""
    def k(s: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, N], pl.INT32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
        pl.mscatter(s, i, y, dim={axis}, atomic=pl.AtomicType.Add)
    """
    s, y = numbers((5, 7)), numbers((5, 7))
    i = RNG.integers(0, s.shape[axis], s.shape).astype(np.int32)
    wanted = y.copy()
    for index in np.ndindex(*s.shape):
        to = list(index)
        to[axis] = i[index]
        wanted[tuple(to)] += s[index]
    np.testing.assert_array_equal(run_kernel(text, tmp_path, s=s, i=i, y=y)["y"], wanted)


def test_of_a_tensor_into_itself(tmp_path):
    text = """
    def k(x: pl.InOut[pl.Tensor[[M, N], pl.INT32]], i: pl.Tensor[[M, N], pl.INT32]):
        pl.mscatter(x, i, x)
    """
    x = numbers((5, 7), np.int32)
    i = RNG.permutation(35).reshape(5, 7).astype(np.int32)
    results = run_kernel(text, tmp_path, x=x, i=i)
    wanted = np.zeros_like(x)
    wanted.reshape(-1)[i] = x
    np.testing.assert_array_equal(results["x"], wanted)


def test_a_part_at_an_index(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        t = pl.assemble(pl.load(x), 7.0, [n, 1], shapes=[1, 2], drop_dims=[0])
        y[:] = pl.assemble(t, pl.reshape(pl.load(x[0, :]), [1, N]), [n + 1, 0], drop_dims=[0])
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    x = numbers((4, 5))
    y = np.zeros_like(x)
    kernel(x, 2, y)
    wanted = x.copy()
    wanted[2, 1:3], wanted[3] = 7, x[0]
    np.testing.assert_array_equal(y, wanted)
    with pytest.raises(KernelError, match="index 4 .*axis 0.*4"):
        kernel(x, 3, y)


def test_an_index_out_of_range_is_an_error(tmp_path):
    text = """
    def k(s: pl.Tensor[[K], pl.FP32], i: pl.Tensor[[K], pl.INT32], y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
        pl.mscatter(s, i, y)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    y = np.zeros(4, np.float32)
    with pytest.raises(KernelError, match="index 4 .*axis 0.*4"):
        kernel(np.ones(2, np.float32), np.array([1, 4], np.int32), y)


def test_rows_of_a_cache(tmp_path):
    text = """
    def k(cache: pl.InOut[pl.Tensor[[M, 8], pl.FP32]], pages: pl.InOut[pl.Tensor[[N, 4, 1, 8], pl.FP32]],
          i: pl.Tensor[[2, 3], pl.INT32], s: pl.Tensor[[6, 8], pl.FP32], p: pl.Tensor[[2, 3, 1, 8], pl.FP32],
          y: pl.Out[pl.Tensor[[16, 8], pl.FP32]]):
        cache = pl.scatter_update(cache, -2, i, s)
        pages = pl.scatter_update(pages, i, p, dim=-2)
        y[:] = pl.scatter_update(pl.full([16, 8], dtype=pl.FP32, value=0.5), dim=-2, index=i, src=s)
    """
    cache, pages = numbers((20, 8)), numbers((5, 4, 1, 8))
    i = RNG.permutation(16)[:6].reshape(2, 3).astype(np.int32)
    s, p = numbers((6, 8)), numbers((2, 3, 1, 8))
    results = run_kernel(text, tmp_path, cache=cache, pages=pages, i=i, s=s, p=p, y=np.zeros((16, 8), np.float32))
    y = np.full((16, 8), 0.5, np.float32)
    cache[i.reshape(-1)] = s
    y[i.reshape(-1)] = s
    pages.reshape(20, 8)[i.reshape(-1)] = p.reshape(6, 8)
    np.testing.assert_array_equal(results["cache"], cache)
    np.testing.assert_array_equal(results["pages"], pages)
    np.testing.assert_array_equal(results["y"], y)


@pytest.mark.parametrize("atomic", ["pl.AtomicType.Add", '"add"', "True"])
def test_atomic_add_of_parts_of_a_sum(atomic, tmp_path):
    text = f"""
    def k(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
          z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        y[:] = pl.full([M, N], dtype=pl.FP32, value=0.0)
        z[:] = pl.full([M, N], dtype=pl.FP32, value=1.0)
        for k in pl.parallel(0, K, 8):
            part = pl.matmul(a[:, k : k + 8], b[k : k + 8, :])
            pl.store(part, [0, 0], y, atomic={atomic})
            z = pl.assemble(z, part, [0, 0], atomic={atomic})
    """
    for m, n, k in [(5, 6, 19), (1, 1, 1), (17, 3, 0)]:
        a, b = numbers((m, k)), numbers((k, n))
        empty = np.zeros((m, n), np.float32)
        results = run_kernel(text, tmp_path, a=a, b=b, y=empty, z=empty)
        np.testing.assert_array_equal(results["y"], a @ b)
        np.testing.assert_array_equal(results["z"], a @ b + 1)


def test_atomic_add_beyond_the_edge_and_of_scalars(tmp_path):
    text = """
    def k(x: pl.Tensor[[M], pl.INT32], y: pl.InOut[pl.Tensor[[M], pl.INT32]]):
        for i in pl.range(0, M, 4):
            pl.store(pl.full([8], dtype=pl.INT32, value=1), [i], y, atomic=pl.AtomicType.Add)
        for i in pl.range(M):
            pl.store(x[i], [0], y, atomic=pl.AtomicType.Add)
        y[M - 1 :] += 5
        twos = pl.full([4], dtype=pl.INT32, value=2)
        acc = pl.assemble(twos, pl.full([2], dtype=pl.INT32, value=3), [1], atomic="add")
        y[:4] += acc
    """
    x, y = numbers((11,), np.int32), numbers((11,), np.int32)
    wanted = y.copy()
    for i in range(0, 11, 4):
        wanted[i : i + 8] += 1
    wanted[0] += x.sum()
    wanted[-1] += 5
    wanted[:4] += np.array([2, 5, 5, 2], np.int32)
    np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=y)["y"], wanted)


def test_atomic_add_needs_something_to_add_to(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
        pl.store(x + 1.0, [0, 0], y, atomic=pl.AtomicType.Add)
    """
    with pytest.raises(KernelError, match="'y' is read before anything is written to it"):
        Kernel(write_kernel(text, tmp_path))


def test_rows_named_by_the_tensor_itself(tmp_path):
    text = """
    def k(x: pl.InOut[pl.Tensor[[M, N], pl.INT32]], s: pl.Tensor[[M, N], pl.INT32]):
        pl.mscatter(s, x[:, 0], x, coalesce="row")
    """
    x, s = numbers((6, 3), np.int32), numbers((6, 3), np.int32)
    x[:, 0] = RNG.permutation(6)
    wanted = np.zeros_like(x)
    wanted[x[:, 0]] = s
    np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, s=s)["x"], wanted)


def test_rows_put_where_few_sizes_come(tmp_path):
    text = """
    def k(i: pl.Tensor[[8], pl.INT32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
        for j in pl.range(0, N, 16):
            if j > 5:
                pl.mscatter(pl.full([8, 16], dtype=pl.FP32, value=2.0), i, y, coalesce="row")
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    i = np.arange(8, dtype=np.int32)
    for n in (0, 5, 16):
        y = np.ones((9, n), np.float32)
        kernel(i, y)
        np.testing.assert_array_equal(y, np.ones_like(y))
    # Here it comes there, with rows of another length.
    with pytest.raises(KernelError, match="needs 16 == N, but N is 40"):
        kernel(i, np.ones((9, 40), np.float32))
