# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builtin functions in forms that existing kernels use, at awkward sizes, against NumPy."""

import ml_dtypes
import numpy as np
import pytest
from kernel_text import run_kernel

SIZES = [(1, 1), (3, 5), (8, 8), (17, 33), (64, 70)]


def floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("dtype", ["INT8", "UINT8", "INT32", "INT64"])
def test_div_truncates_and_the_operator_floors(dtype, tmp_path):
    kind = np.dtype(dtype.lower())
    text = (
        f"def k(x: pl.Tensor[[M, N], pl.{dtype}], w: pl.Tensor[[M, N], pl.{dtype}],\n"
        f"      y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]], z: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):\n"
        "    y[:] = pl.div(x, w)\n"
        "    z[:] = x // w\n"
    )
    low = 0 if kind.kind == "u" else -100
    for m, n in SIZES:
        rng = np.random.default_rng(m)
        x, w = (rng.integers(low, 100, (m, n)).astype(kind) for _ in range(2))
        safe = np.where(w == 0, 1, w).astype(np.int64)
        floor = np.where(w == 0, 0, x // safe)
        truncated = np.where(w == 0, 0, np.trunc(x / safe)).astype(kind)
        results = run_kernel(text, tmp_path, x=x, w=w, y=np.zeros_like(x), z=np.zeros_like(x))
        np.testing.assert_array_equal(results["y"], truncated)
        np.testing.assert_array_equal(results["z"], floor.astype(kind))


def test_div_of_sizes_truncates(tmp_path):
    text = (
        "def k(x: pl.Tensor[[M], pl.INT64], y: pl.Out[pl.Tensor[[M], pl.INT64]]):\n"
        "    for i in pl.range(M):\n"
        "        y[i] = pl.div(i - 5, 3) * 10000 + pl.div(i - 5, -3) * 100 + pl.div(7, i - 2) + pl.div(i, 2)\n"
    )
    for m in (0, 1, 4, 20):
        i = np.arange(m)
        safe = np.where(i == 2, 1, i - 2)
        wanted = np.trunc((i - 5) / 3) * 10000 + np.trunc((i - 5) / -3) * 100
        wanted = wanted + np.where(i == 2, 0, np.trunc(7 / safe)) + i // 2
        x = np.zeros(m, np.int64)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=x)["y"], wanted)


@pytest.mark.parametrize("row", ["pl.slice(g, [1, 16], [p, 0])", "g[p : p + 1, 0:16]"])
@pytest.mark.parametrize("function", ["pl.col_expand_mul(x, q)", "pl.mul(x, pl.col_expand(x[0:1, :], q))", "x * q"])
def test_a_gathered_row_is_repeated(row, function, tmp_path):
    text = f"""
def k(x: pl.Tensor[[M, 16], pl.FP32], s: pl.Tensor[[1], pl.INT32], g: pl.Tensor[[N, 16], pl.FP32],
      y: pl.InOut[pl.Tensor[[M, 16], pl.FP32]]):
    p = pl.read(s, [0])
    q = {row}
    pl.store({function}, [0, 0], y)
"""
    for m, n, p in ((1, 1, 0), (8, 5, 4), (17, 33, 20), (5, 3, 3)):
        x, g = floats(m, 16), floats(n, 16, seed=1)
        y = np.full((m, 16), 9, np.float32)
        # A row that is not there is repeated to nothing.
        wanted = x * g[p] if p < n else y
        arguments = {"x": x, "s": np.array([p], np.int32), "g": g, "y": y}
        np.testing.assert_allclose(run_kernel(text, tmp_path, **arguments)["y"], wanted, rtol=1e-6)


def test_a_gathered_column_is_repeated(tmp_path):
    text = """
def k(x: pl.Tensor[[8, N], pl.FP32], s: pl.Tensor[[1], pl.INT32], g: pl.Tensor[[8, N], pl.FP32],
      y: pl.Out[pl.Tensor[[8, N], pl.FP32]]):
    p = pl.read(s, [0])
    y[:] = pl.row_expand_sub(x, pl.slice(g, [8, 1], [0, p]))
"""
    for n, p in ((1, 0), (33, 20)):
        x, g = floats(8, n), floats(8, n, seed=1)
        results = run_kernel(text, tmp_path, x=x, s=np.array([p], np.int32), g=g, y=np.zeros_like(x))
        np.testing.assert_array_equal(results["y"], x - g[:, p : p + 1])


def test_a_list_is_a_row(tmp_path):
    text = """
def k(x: pl.Tensor[[M, N], pl.FP32], g: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]],
      z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for b in pl.parallel(M):
        row = pl.col_expand_mul(x[b, 0:N], g[b, 0:N])
        y = pl.assemble(y, pl.row_expand_add(row, pl.row_max(x[b, :])), [b, 0])
        z[b : b + 1, :] = pl.col_sum(x[b, :]) + pl.cast(pl.col_argmax(g[b, :]), pl.FP32)
"""
    for m, n in SIZES:
        x, g = floats(m, n), floats(m, n, seed=1)
        results = run_kernel(text, tmp_path, x=x, g=g, y=np.zeros_like(x), z=np.zeros_like(x))
        np.testing.assert_allclose(results["y"], x * g + x.max(axis=1, keepdims=True), rtol=1e-6)
        np.testing.assert_array_equal(results["z"], x)


def test_a_load_transposes(tmp_path):
    text = """
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.InOut[pl.Tensor[[8, 4], pl.FP32]]):
    t = pl.load(x, [1, 2], [4, 8], valid_shape=[3, 8], target_memory=pl.Mem.Mat, transpose=True)
    pl.store(t, [0, 0], y)
"""
    for m, n in SIZES:
        x = floats(m, n)
        wanted = np.full((8, 4), 9, np.float32)
        part = x[1:4, 2:10].T
        wanted[: part.shape[0], : part.shape[1]] = part
        y = np.full((8, 4), 9, np.float32)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=y)["y"], wanted)


@pytest.mark.parametrize("dtype", ["FP16", "BF16"])
@pytest.mark.parametrize("statement", ["pl.store(p, [0, 0], y)", "y[:, :] = p", "y = pl.assemble(y, p, [0, 0])"])
def test_a_matmul_is_rounded_where_it_is_stored(dtype, statement, tmp_path):
    text = f"""
def k(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
    p = a @ b
    {statement}
"""
    kind = np.float16 if dtype == "FP16" else ml_dtypes.bfloat16
    for m, n in SIZES:
        a, b = (np.random.default_rng(7).integers(-40, 40, shape).astype(np.float32) for shape in ((m, 9), (9, n)))
        results = run_kernel(text, tmp_path, a=a, b=b, y=np.zeros((m, n), kind))
        np.testing.assert_array_equal(results["y"], (a @ b).astype(kind))


def test_a_matmul_summed_in_a_loop_is_rounded_where_it_is_stored(tmp_path):
    text = """
def k(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP16]]):
    acc = pl.full([M, N], pl.FP32, 0.0)
    for j in pl.range(0, K, 4):
        acc = pl.matmul_acc(acc, a[:, j : j + 4], b[j : j + 4, :])
    y[:] = acc
"""
    for m, n in SIZES:
        a, b = (np.random.default_rng(7).integers(-40, 40, shape).astype(np.float32) for shape in ((m, 12), (12, n)))
        results = run_kernel(text, tmp_path, a=a, b=b, y=np.zeros((m, n), np.float16))
        np.testing.assert_array_equal(results["y"], (a @ b).astype(np.float16))


def test_leading_axes_of_one_may_be_missing(tmp_path):
    text = """
def k(x: pl.Tensor[[K, M, N], pl.FP32], y: pl.Out[pl.Tensor[[K, M, N], pl.FP32]],
      z: pl.InOut[pl.Tensor[[M, N], pl.FP32]]):
    for b in pl.parallel(K):
        t = pl.load(x, [b, 0, 0], [M, N])
        u = pl.slice(x, [M, N], [b, 0, 0])
        v = pl.view(x, [M, N], [b, 0, 0])
        y = pl.assemble(y, t + u + v, [b, 0, 0])
    pl.store(pl.load(x, [1, 0, 0], [1, M, N]), [0, 0], z)
"""
    for m, n in SIZES:
        x = floats(3, m, n)
        results = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x), z=np.zeros((m, n), np.float32))
        np.testing.assert_array_equal(results["y"], x + x + x)
        np.testing.assert_array_equal(results["z"], x[1])


def test_a_view_with_an_offset_is_a_window(tmp_path):
    text = """
def k(x: pl.Tensor[[4, 8, 32], pl.INT32], y: pl.Out[pl.Tensor[[4, 8, 32], pl.INT32]],
      z: pl.Out[pl.Tensor[[4, 8], pl.INT32]]):
    for b in pl.parallel(4):
        for i in pl.range(8):
            t: pl.Tensor[[1, 32], pl.INT32] = pl.view(x, [1, 32], [b, i, 0])
            y = pl.assemble(y, pl.mul(t, 2), [b, i, 0])
    z[:] = pl.view(x[0, :, :], [4, 8], offset=[2, 3])
"""
    x = np.arange(4 * 8 * 32, dtype=np.int32).reshape(4, 8, 32)
    results = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x), z=np.zeros((4, 8), np.int32))
    np.testing.assert_array_equal(results["y"], 2 * x)
    np.testing.assert_array_equal(results["z"], x[0, 2:6, 3:11])


def test_one_element_by_a_single_index(tmp_path):
    text = """
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]], z: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    t = x + 0.0
    for i in pl.range(M * N):
        pl.write(t, i, pl.read(t, i) + pl.read(x, M * N - 1 - i))
        pl.write(z, i, pl.read(x, i) * 2.0)
    if M > 2:
        pl.tile.write(t, [0, 0], 5.0)
    y[:] = t
"""
    for m, n in SIZES:
        x = floats(m, n)
        results = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x), z=np.zeros_like(x))
        wanted = x + x.reshape(-1)[::-1].reshape(m, n)
        if m > 2:
            wanted[0, 0] = 5
        np.testing.assert_array_equal(results["y"], wanted)
        np.testing.assert_array_equal(results["z"], 2 * x)


def test_elements_of_index(tmp_path):
    text = """
def k(x: pl.Tensor[[M], pl.INDEX], y: pl.Out[pl.Tensor[[M], pl.INT64]], z: pl.InOut[pl.Tensor[[M], pl.INDEX]]):
    n: pl.Scalar[pl.INDEX] = pl.tensor.read(x, [0])
    y[:] = pl.cast(x, pl.INT64) + n
    z[0:n] = x[0:n] * 2
"""
    for m in (1, 7, 40):
        x = np.arange(m)[::-1].copy()
        results = run_kernel(text, tmp_path, x=x, y=np.zeros_like(x), z=np.zeros_like(x))
        np.testing.assert_array_equal(results["y"], x + x[0])
        np.testing.assert_array_equal(results["z"], np.where(np.arange(m) < x[0], 2 * x, 0))


@pytest.mark.parametrize("mode", ['"clamp"', '"wrap"', '"zero"', "1", "2", "3"])
def test_flat_indices_out_of_range(mode, tmp_path):
    text = f"""
def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[5, 7], pl.INT32], y: pl.InOut[pl.Tensor[[5, 7], pl.FP32]]):
    t = pl.mgather(x, i, coalesce="elem", gather_oob={mode}, valid_shape=[4, 6])
    pl.store(t, [0, 0], y)
"""
    for m, n in SIZES:
        x, count = floats(m, n), m * n
        i = np.random.default_rng(m).integers(-3 * count, 3 * count, (5, 7)).astype(np.int32)
        flat, inside = x.reshape(-1), (i >= 0) & (i < count)
        if mode in ('"wrap"', "2"):
            wanted = flat[i % count]
        else:
            wanted = flat[np.clip(i, 0, count - 1)]
        if mode in ('"zero"', "3"):
            wanted = np.where(inside, wanted, 0)
        y = np.full((5, 7), 9, np.float32)
        results = run_kernel(text, tmp_path, x=x, i=i, y=y)
        y[:4, :6] = wanted[:4, :6]
        np.testing.assert_array_equal(results["y"], y)


@pytest.mark.parametrize(
    "call",
    [
        "pl.store(x + 0.0, [1, 2], y, [R, 3])",
        "pl.store(x, [1, 2], [R, 3], y)",
        "pl.store(x, offsets=[1, 2], shapes=[R, 3], output_tensor=y)",
        "pl.assemble(y, x, [1, 2], shapes=[R, 3])",
    ],
)
def test_shapes_say_how_much_is_written(call, tmp_path):
    text = f"""
def k(x: pl.Tensor[[M, N], pl.FP32], r: pl.Scalar[pl.INDEX], y: pl.InOut[pl.Tensor[[20, 20], pl.FP32]]):
    R = r
    {call}
"""
    for m, n, r in ((1, 1, 1), (3, 5, 2), (8, 8, 0), (17, 33, 40)):
        x, y = floats(m, n), np.full((20, 20), 9, np.float32)
        wanted = y.copy()
        part = x[:r, :3]
        wanted[1 : 1 + len(part), 2 : 2 + part.shape[1]] = part
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, r=r, y=y)["y"], wanted)


@pytest.mark.parametrize("dtype, largest", [("FP16", 65504), ("FP8E4M3FN", 448), ("INT8", 127)])
def test_a_cast_saturates(dtype, largest, tmp_path):
    kind = {"FP16": np.float16, "FP8E4M3FN": ml_dtypes.float8_e4m3fn, "INT8": np.int8}[dtype]
    text = f"""
def k(x: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]],
      z: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
    y[:] = pl.cast(x, pl.{dtype}, mode="rint", saturation_mode="on")
    z[:] = pl.cast(i, pl.{dtype}, mode="rint", saturation_mode=1)
"""
    low = -128 if dtype == "INT8" else -largest
    for m, n in SIZES:
        x = floats(m, n) * largest * 4
        x.flat[0] = np.inf
        i = (floats(m, n, seed=2) * largest * 4).astype(np.int32)
        zeros = np.zeros((m, n), kind)
        results = run_kernel(text, tmp_path, x=x, i=i, y=zeros, z=zeros)
        clipped = np.clip(x, low, largest)
        wanted = np.rint(clipped).astype(kind) if dtype == "INT8" else clipped.astype(kind)
        np.testing.assert_array_equal(results["y"].astype(np.float32), wanted.astype(np.float32))
        wanted = np.clip(i, low, largest).astype(np.float32).astype(kind)
        np.testing.assert_array_equal(results["z"].astype(np.float32), wanted.astype(np.float32))


@pytest.mark.parametrize("dtype", ["FP16", "INT8"])
def test_a_store_scales_and_rounds(dtype, tmp_path):
    text = f"""
def k(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[M, N], pl.{dtype}]]):
    pl.store(pl.load(x, [0, 0], [M, N]), [0, 0], y, pre_quant=0.5, pre_relu=True, st_phase=pl.STPhase.Final)
"""
    kind, largest = (np.float16, 65504) if dtype == "FP16" else (np.int8, 127)
    for m, n in SIZES:
        x = np.random.default_rng(m).integers(-300000, 300000, (m, n)).astype(np.int32) // (
            1 if dtype == "FP16" else 500
        )
        scaled = np.clip(np.maximum(x, 0).astype(np.float32) * np.float32(0.5), -largest, largest)
        wanted = scaled.astype(kind) if dtype == "FP16" else np.rint(scaled).astype(kind)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros((m, n), kind))["y"], wanted)


def test_the_larger_value_and_its_index(tmp_path):
    text = """
def k(x: pl.Tensor[[M, N], pl.FP32], w: pl.Tensor[[M, N], pl.FP32], i: pl.Tensor[[M, N], pl.INT32],
      v: pl.Out[pl.Tensor[[M, N], pl.FP32]], y: pl.Out[pl.Tensor[[M, N], pl.INT32]]):
    short = pl.set_validshape(x + 0.0, M, 2)
    top, where = pl.tile.part_argmax(w, short, i, pl.set_validshape(i + 1000, M, 2))
    low, there = pl.tile.part_argmin(w, x, i, i + 1000)
    v[:] = top + low
    y[:] = where * 2 + there
"""
    for m, n in ((1, 2), (3, 5), (17, 33)):
        x, w = (np.random.default_rng(s).integers(-3, 3, (m, n)).astype(np.float32) for s in (0, 1))
        i = np.arange(m * n, dtype=np.int32).reshape(m, n)
        is_first = (w >= x) | (np.arange(n) >= 2)
        zeros = np.zeros_like(i)
        results = run_kernel(text, tmp_path, x=x, w=w, i=i, v=np.zeros_like(x), y=zeros)
        np.testing.assert_array_equal(results["v"], np.where(is_first, w, x) + np.minimum(w, x))
        wanted = np.where(is_first, i, i + 1000) * 2 + np.where(w <= x, i, i + 1000)
        np.testing.assert_array_equal(results["y"], wanted)


def test_rows_of_lengths_that_are_data_are_joined(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 6], pl.FP32], w: pl.Tensor[[M, 4], pl.FP32], a: pl.Tensor[[M, 1], pl.INT32],
      b: pl.Tensor[[M, 1], pl.INT16], y: pl.InOut[pl.Tensor[[M, 8], pl.FP32]]):
    y[:] = pl.tile.concat_idx(x, w, a, b, y)
"""
    for m in (1, 3, 40):
        rng = np.random.default_rng(m)
        x, w, y = floats(m, 6), floats(m, 4, seed=1), floats(m, 8, seed=2)
        a, b = rng.integers(0, 7, (m, 1)), rng.integers(0, 5, (m, 1))
        wanted = y.copy()
        for r in range(m):
            row = np.concatenate([x[r, : a[r, 0]], w[r, : b[r, 0]]])[:8]
            wanted[r, : len(row)] = row
        arguments = {"x": x, "w": w, "a": (a * 4).astype(np.int32), "b": (b * 2).astype(np.int16), "y": y}
        np.testing.assert_array_equal(run_kernel(text, tmp_path, **arguments)["y"], wanted)


def test_four_lists_are_merged_with_scratch(tmp_path):
    text = """
def k(x: pl.Tensor[[4, 32], pl.FP32], i: pl.Tensor[[4, 32], pl.INT32], y: pl.Out[pl.Tensor[[1, 256], pl.FP32]]):
    a = pl.sort32(src=x[0:1, :], idx=i[0:1, :])
    b = pl.sort32(x[1:2, :], i[1:2, :])
    c = pl.sort32(x[2:3, :], i[2:3, :])
    d = pl.sort32(x[3:4, :], i[3:4, :])
    t = pl.tile.create([1, 256], pl.FP32)
    y[:] = pl.tile.mrgsort(a, b, c, d, t)
"""
    x, i = floats(4, 32), np.arange(128, dtype=np.int32).reshape(4, 32)
    y = run_kernel(text, tmp_path, x=x, i=i, y=np.zeros((1, 256), np.float32))["y"]
    np.testing.assert_array_equal(y[0, 0::2], np.sort(x.reshape(-1))[::-1])


def test_buffers_are_picked_by_an_index(tmp_path):
    text = """
def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 8], pl.FP32]]):
    buffers = pl.create_tile_buffers(2, [4, 8], pl.FP32, pl.Mem.Vec)
    for i in pl.range(0, M, 4):
        s = buffers[(i // 4) % 2]
        s = pl.load(x, [i, 0], [4, 8])
        pl.store(s, [i, 0], y)
        pl.tile.release(s)
"""
    for m in (0, 1, 5, 40):
        x = floats(m, 8)
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], x)


def test_padding_leaves_dynamic_axes_alone(tmp_path):
    text = """
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, 16], pl.FP32]]):
    y[:] = pl.fillpad(pl.load(x, [0, 0], [M, 16]), 7.0)
"""
    for m, n in SIZES:
        x = floats(m, n)
        wanted = np.full((m, 16), 7, np.float32)
        wanted[:, : min(n, 16)] = x[:, :16]
        np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(wanted))["y"], wanted)


@pytest.mark.parametrize("pads", ["PadValue", "TilePad"])
def test_pads_go_by_two_names(pads, tmp_path):
    text = f"""
def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[8, 8], pl.FP32]], z: pl.Out[pl.Tensor[[2, 2], pl.INT16]]):
    t = pl.fillpad(pl.load(x, [0, 0], [8, 8]), pl.{pads}.max)
    u = pl.slice(x, [8, 8], [0, 0], pad_value=pl.{pads}.min)
    y[:] = pl.maximum(t, u) + pl.full([8, 8], pl.FP32, pl.{pads}.zero)
    z[:] = pl.full([2, 2], pl.INT16, pl.{pads}.min)
"""
    for m, n in ((1, 1), (8, 8), (3, 5)):
        x = floats(m, n)
        results = run_kernel(text, tmp_path, x=x, y=np.zeros((8, 8), np.float32), z=np.zeros((2, 2), np.int16))
        wanted = np.full((8, 8), np.inf, np.float32)
        wanted[:m, :n] = x
        np.testing.assert_array_equal(results["y"], wanted)
        np.testing.assert_array_equal(results["z"], np.full((2, 2), -(2**15)))
