# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms that existing kernels keep from earlier versions of their language, against NumPy."""

import numpy as np
import pytest
from kernel_text import run_kernel


def floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("size", [(2, 3), (3, 5), (9, 9)])
def test_a_window_is_copied(size, tmp_path):
    """What lies beyond the edge of either is left alone."""
    text = f"""
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
    z = pl.copy(y, x, [1, 2], [0, 3], [{size[0]}, {size[1]}], source_memory=pl.Mem.DDR, target_memory=pl.Mem.DDR)
    z[0, 0] = 7.0
"""
    for m, n in ((1, 1), (4, 6), (20, 30)):
        x, y = floats(m, n), floats(m, n, seed=1)
        wanted = y.copy()
        part = x[: size[0], 3 : 3 + size[1]]
        room = wanted[1 : 1 + part.shape[0], 2 : 2 + part.shape[1]]
        room[:] = part[: room.shape[0], : room.shape[1]]
        wanted[0, 0] = 7
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=y)["y"], wanted)


def test_all_of_a_tensor_is_copied(tmp_path):
    text = """
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    t = pl.create_tensor(x.shape, dtype=x.dtype, memory_type=pl.Mem.DDR)
    pl.copy(t, x * 2.0)
    pl.copy(y, t, src_offsets=[0, 0])
"""
    for m, n in ((0, 3), (1, 1), (33, 70)):
        x = floats(m, n)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], 2 * x)


def test_a_tile_is_transposed_where_it_moves(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 8], pl.FP32], w: pl.Tensor[[N, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    right = pl.move(pl.load(w), target_memory=pl.Mem.Right, transpose=True)
    pl.l0c_store(pl.matmul(pl.move(pl.load(x)), right), offsets=[0, 0], output_tensor=y)
"""
    for m, n in ((1, 1), (5, 3), (40, 17)):
        x, w = floats(m, 8), floats(n, 8, seed=1)
        y = run_kernel(text, tmp_path, x=x, w=w, y=np.zeros((m, n), np.float32))["y"]
        np.testing.assert_allclose(y, x @ w.T, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("mode, value", [("zero", 0), ("max", np.inf), ("min", -np.inf)])
def test_a_pad_has_a_name(mode, value, tmp_path):
    text = f"""
def k(x: pl.Tensor[[8, 8], pl.FP32], n: pl.Tensor[[2], pl.INDEX], y: pl.Out[pl.Tensor[[8, 8], pl.FP32]]):
    rows: pl.Scalar[pl.INDEX] = pl.read(n, [0])
    y[:] = pl.fillpad(pl.load(x, [0, 0], [8, 8], valid_shapes=[rows, n[1]]), mode="{mode}")
"""
    for rows, columns in ((0, 0), (3, 8), (8, 5)):
        x = floats(8, 8)
        wanted = np.full_like(x, value)
        wanted[:rows, :columns] = x[:rows, :columns]
        n = np.array([rows, columns], np.int64)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, n=n, y=np.zeros_like(x))["y"], wanted)


def test_a_mask_is_declared_as_packed_bytes(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 16], pl.FP32]]):
    mask: pl.Tile[[M, 32], pl.UINT8] = pl.tile.cmps(x, 0.0, cmp_type=4)
    y[:] = pl.tile.sel(mask, x, 0.0)
"""
    x = floats(5, 16)
    np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], np.maximum(x, 0))


def test_a_number_is_shifted_by_a_loop_variable(tmp_path):
    text = """
def k(x: pl.Tensor[[M], pl.INT64], y: pl.Out[pl.Tensor[[M], pl.INT64]], z: pl.Out[pl.Tensor[[M], pl.INT64]]):
    for i in pl.range(M):
        y[i] = 3 << i
        z[i] = (i - 5) * 1000 >> i
"""
    for m in (0, 1, 20):
        i = np.arange(m)
        zeros = np.zeros(m, np.int64)
        results = run_kernel(text, tmp_path, x=zeros, y=zeros, z=zeros)
        np.testing.assert_array_equal(results["y"], 3 << i)
        np.testing.assert_array_equal(results["z"], (i - 5) * 1000 >> i)


def test_runs_whose_length_is_computed_are_merged(tmp_path):
    text = """
def k(x: pl.Tensor[[1, 512], pl.FP32], n: pl.Tensor[[1, 512], pl.UINT32], y: pl.Out[pl.Tensor[[1, 512], pl.FP32]],
      i: pl.Out[pl.Tensor[[1, 512], pl.UINT32]]):
    pairs = pl.sort32(x, n)
    for step, (runs,) in pl.range(2, init_values=(pairs,)):
        merged = pl.yield_(pl.mrgsort(runs, block_len=1 << (6 + step * 2)))
    y[:] = pl.gather(merged, mask_pattern=pl.tile.MaskPattern.P0101)
    i[:] = pl.gather(merged, mask_pattern=pl.tile.MaskPattern.P1010, output_dtype=pl.UINT32)
"""
    x = floats(1, 512)
    numbers = np.arange(512, dtype=np.uint32).reshape(1, 512)
    results = run_kernel(text, tmp_path, x=x, n=numbers, y=np.zeros_like(x), i=np.zeros_like(numbers))
    order = np.argsort(-x, axis=1, kind="stable")
    np.testing.assert_array_equal(results["y"], np.take_along_axis(x, order, 1))
    np.testing.assert_array_equal(results["i"], order)


def test_what_a_helper_loads_may_be_computed(tmp_path):
    text = """
def k(x: pl.Tensor[[4, M], pl.FP32], y: pl.InOut[pl.Tensor[[8, 4], pl.FP32]]):
    body(pl.transpose(x, 0, 1), y)


@pl.jit.incore
def body(a: pl.Tensor, out: pl.Out[pl.Tensor]):
    part = pl.load(a, [1, 0], [3, 4], valid_shape=[2, 4])
    return pl.store(part * 2.0, [0, 0], out)
"""
    for m in (0, 1, 2, 3, 20):
        x, y = floats(4, m), floats(8, 4, seed=1)
        wanted = y.copy()
        part = x.T[1:3]
        wanted[: len(part)] = part * 2
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=y)["y"], wanted)


def test_a_view_of_a_view_begins_at_its_offset(tmp_path):
    """A zero in the list after the shape is no extent, so the list is an offset."""
    text = """
def k(x: pl.Tensor[[M, 16], pl.FP32], n: pl.Tensor[[1], pl.INT32], y: pl.InOut[pl.Tensor[[4, 16], pl.FP32]]):
    rows = pl.view(x, [4, 16], [2, 0])
    part = pl.view(rows, [4, n[0]], [0, 0])
    pl.store(pl.load(part, [0, 0], [4, n[0]]), [0, 0], y)
"""
    for m, n in ((2, 3), (5, 0), (6, 16), (30, 7)):
        x, y = floats(m, 16), floats(4, 16, seed=1)
        wanted = y.copy()
        part = x[2:6, :n]
        wanted[: len(part), :n] = part
        n = np.array([n], np.int32)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, n=n, y=y)["y"], wanted)


def test_all_of_a_tensor_as_a_slice_is_the_tensor(tmp_path):
    """It is still there after the grid that wrote it."""
    text = """
def k(x: pl.Tensor[[8, 8], pl.FP32], r: pl.Out[pl.Tensor[[8, 8], pl.FP32]], y: pl.Out[pl.Tensor[[4, 16], pl.FP32]]):
    with pl.spmd(1):
        written = body(x, r)
    y[:] = pl.reshape(written, [4, 16])


@pl.jit.incore
def body(a: pl.Tensor[[8, 8], pl.FP32], r: pl.Out[pl.Tensor[[8, 8], pl.FP32]]):
    view = pl.slice(r, [8, 8], [0, 0])
    return pl.store(pl.load(a, [0, 0], [8, 8]) * 2.0, [0, 0], view)
"""
    x = floats(8, 8)
    results = run_kernel(text, tmp_path, x=x, r=np.zeros_like(x), y=np.zeros((4, 16), np.float32))
    np.testing.assert_array_equal(results["y"], (2 * x).reshape(4, 16))


def test_the_last_parameter_of_a_function_may_be_left_out(tmp_path):
    """What the body writes is an output, whether it is declared as one or not."""
    text = """
def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    y[:] = add(add(x, x), x)


@pl.function(type=pl.FunctionType.InCore)
def add(a: pl.Tensor[[M, 8], pl.FP32], b: pl.Tensor[[M, 8], pl.FP32], c: pl.Tensor[[M, 8], pl.FP32]):
    return pl.store(pl.load(a) + pl.load(b), [0, 0], c)
"""
    for m in (0, 1, 30):
        x = floats(m, 8)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], x + x + x)
