# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that move, pad, combine and make elements, against NumPy."""

import ml_dtypes
import numpy as np
import pytest
from kernel_text import run_kernel, write_kernel
from tegula_library import Kernel, KernelError

RNG = np.random.default_rng(6)


def numbers(shape: tuple, dtype=np.float32) -> np.ndarray:
    return RNG.integers(-50, 50, shape).astype(dtype)


@pytest.mark.parametrize(
    "op, ufunc, empty",
    [("add", np.add, 0), ("mul", np.multiply, 1), ("max", np.maximum, -np.inf), ("min", np.minimum, np.inf)],
)
def test_partly_valid_operands(op, ufunc, empty, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], z: pl.Tensor[[K, 5], pl.FP32], y: pl.Out[pl.Tensor[[8, 8], pl.FP32]],
          w: pl.Out[pl.Tensor[[1, 5], pl.FP32]]):
        a = pl.load(x, [0, 0], [8, 8])
        b = pl.load(z, [0, 0], [8, 8])
        y[:] = pl.fillpad(pl.part_{op}(a, b), 77.0)
        w[:] = pl.part_{op}(pl.load(z, [0, 0], [1, 5]), pl.full([1, 5], dtype=pl.FP32, value=2.0))
    """
    for m, n, k in [(3, 7, 6), (8, 8, 8), (1, 1, 8), (0, 4, 2), (7, 2, 1)]:
        x, z = numbers((m, n)), numbers((k, 5))
        results = run_kernel(text, tmp_path, x=x, z=z, y=np.zeros((8, 8), np.float32), w=np.zeros((1, 5), np.float32))
        first, second = np.full((8, 8), empty, np.float32), np.full((8, 8), empty, np.float32)
        first[:m, :n], second[:k, :5] = x, z
        wanted = np.full((8, 8), 77, np.float32)
        box = max(m, k), max(n, 5)
        wanted[: box[0], : box[1]] = ufunc(first, second)[: box[0], : box[1]]
        np.testing.assert_array_equal(results["y"], wanted)
        np.testing.assert_array_equal(results["w"], ufunc(z[:1], np.float32(2)))


def test_partly_valid_tensors(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.INT32], z: pl.Tensor[[K, N], pl.INT32], y: pl.InOut[pl.Tensor[[16, N], pl.INT32]]):
        pl.store(pl.part_max(x, z), [0, 0], y)
    """
    x, z, y = numbers((5, 7), np.int32), numbers((9, 7), np.int32), np.full((16, 7), 99, np.int32)
    wanted = y.copy()
    wanted[:9] = z
    wanted[:5] = np.maximum(x, z[:5])
    np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, z=z, y=y)["y"], wanted)


def test_three_operands_and_leaky_ones(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], z: pl.Tensor[[M, N], pl.FP32], s: pl.Scalar[pl.FP32],
          a: pl.Out[pl.Tensor[[M, N], pl.FP32]], b: pl.Out[pl.Tensor[[M, N], pl.FP32]],
          c: pl.Out[pl.Tensor[[M, N], pl.FP32]], d: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        a[:] = pl.addc(x, z, x) + pl.addsc(x, s, z)
        b[:] = pl.subc(x, z, x) + pl.tile.subsc(x, 3.0, z)
        c[:] = pl.lrelu(x, 0.25)
        d[:] = pl.prelu(x, z, x)
    """
    x, z = numbers((5, 18)), numbers((5, 18))
    empty = np.zeros_like(x)
    results = run_kernel(text, tmp_path, x=x, z=z, s=2.5, a=empty, b=empty, c=empty, d=empty)
    np.testing.assert_array_equal(results["a"], (x + z + x) + (x + np.float32(2.5) + z))
    np.testing.assert_array_equal(results["b"], (x - z - x) + (x - 3 - z))
    np.testing.assert_array_equal(results["c"], np.where(x > 0, x, x / 4))
    np.testing.assert_array_equal(results["d"], np.where(x > 0, x, x * z))


def test_scalar_variants(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.INT32], y: pl.Out[pl.Tensor[[16, M, N], pl.INT32]]):
        t = pl.load(x, [0, 0], [M, N])
        y[0] = pl.adds(t, 3)
        y[1] = pl.subs(t, 3)
        y[2] = pl.muls(t, 3)
        y[3] = pl.divs(t, 3)
        y[4] = pl.rems(t, 7, t)
        y[5] = pl.fmods(t, 7)
        y[6] = pl.ands(t, 12)
        y[7] = pl.ors(t, 12)
        y[8] = pl.xors(t, 12, t)
        y[9] = pl.shls(t, 2)
        y[10] = pl.shrs(t, 2)
        y[11] = pl.maximums(t, 5)
        y[12] = pl.minimums(t, 5)
        y[13] = pl.cast(pl.cmps(t, 5, cmp_type=3), pl.INT32)
        y[14] = pl.sels(pl.cmp(t, 5, cmp_type="gt"), t, t, 9)
        y[15] = pl.cast(pl.cmp(t, t + 1, cmp_type="ne"), pl.INT32)
    """
    x = numbers((5, 18), np.int32)
    y = run_kernel(text, tmp_path, x=x, y=np.zeros((16, 5, 18), np.int32))["y"]
    cut = np.trunc(x / 3).astype(np.int32)
    wanted = [x + 3, x - 3, x * 3, cut, x % 7, np.fmod(x, 7), x & 12, x | 12, x ^ 12, x << 2, x >> 2]
    wanted += [np.maximum(x, 5), np.minimum(x, 5), x <= 5, np.where(x > 5, x, 9), np.ones_like(x)]
    for row, (got, want) in enumerate(zip(y, wanted, strict=True)):
        np.testing.assert_array_equal(got, want, err_msg=str(row))


def test_moves_and_views(tmp_path):
    text = """
    def k(x: pl.Tensor[[8, 16], pl.FP32], v: pl.Tensor[[8, 1], pl.FP32], r: pl.Scalar[pl.INDEX],
          a: pl.Out[pl.Tensor[[2, 4], pl.FP32]], b: pl.Out[pl.Tensor[[16, 8], pl.FP32]],
          c: pl.Out[pl.Tensor[[8, 16], pl.FP32]], d: pl.Out[pl.Tensor[[4, 32], pl.FP32]],
          e: pl.InOut[pl.Tensor[[4, 32], pl.FP32]]):
        t = pl.move(pl.load(x, [0, 0], [8, 16], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Left)
        a[:] = pl.tile.extract(t, r, 2, [2, 4], target_memory=pl.Mem.Left)
        b[:] = pl.tile.transpose_view(t)
        c[:] = pl.expand_clone(v, x)
        d[:] = pl.tensor.view(x, [4, 32])
        pl.store(pl.view(x, [4, 32], valid_shape=[3, 5]), [0, 0], e)
        rows = pl.view(e, [8, 16])
        rows[7, 15] = 42.0
    """
    x, v, e = numbers((8, 16)), numbers((8, 1)), numbers((4, 32))
    results = run_kernel(
        text,
        tmp_path,
        x=x,
        v=v,
        r=3,
        a=np.zeros((2, 4), np.float32),
        b=np.zeros((16, 8), np.float32),
        c=np.zeros((8, 16), np.float32),
        d=np.zeros((4, 32), np.float32),
        e=e,
    )
    np.testing.assert_array_equal(results["a"], x[3:5, 2:6])
    np.testing.assert_array_equal(results["b"], x.T)
    np.testing.assert_array_equal(results["c"], np.broadcast_to(v, (8, 16)))
    np.testing.assert_array_equal(results["d"], x.reshape(4, 32))
    e[:3, :5] = x.reshape(4, 32)[:3, :5]
    e[3, 31] = 42
    np.testing.assert_array_equal(results["e"], e)


TYPES = {"UINT8": np.uint8, "INT16": np.int16, "BF16": ml_dtypes.bfloat16, "FP32": np.float32, "INT64": np.int64}


@pytest.mark.parametrize("source", TYPES)
@pytest.mark.parametrize("target", TYPES)
def test_the_same_bytes_as_another_type(source, target, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.{source}], y: pl.Out[pl.Tensor[[M, K], pl.{target}]]):
        pl.store(pl.reinterpret_view(x, pl.{target}), [0, 0], y)
    """
    kernel = Kernel(write_kernel(text, tmp_path))
    for rows, columns in [(1, 8), (5, 24), (3, 1200)]:
        x = RNG.integers(0, 100, (rows, columns)).astype(TYPES[source])
        wanted = x.view(TYPES[target])
        y = np.zeros(wanted.shape, TYPES[target])
        kernel(x, y)
        np.testing.assert_array_equal(y.view(np.uint8), wanted.view(np.uint8))


def test_the_same_bytes_in_a_tile(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, 8], pl.FP32], y: pl.Out[pl.Tensor[[M, 16], pl.UINT16]],
          z: pl.Out[pl.Tensor[[4, 8], pl.INT32]]):
        for r in pl.range(0, M, 4):
            y[r : r + 4, :] = pl.reinterpret_view(pl.load(x, [r, 0], [4, 8]), pl.UINT16)
        z[:] = pl.reinterpret_view(pl.full([2, 16], dtype=pl.FP32, value=1.0), pl.INT32, shape=[4, 8])
    """
    x = numbers((7, 8))
    results = run_kernel(text, tmp_path, x=x, y=np.zeros((7, 16), np.uint16), z=np.zeros((4, 8), np.int32))
    np.testing.assert_array_equal(results["y"], x.view(np.uint16))
    np.testing.assert_array_equal(results["z"], np.full((4, 8), 0x3F800000))


@pytest.mark.parametrize(
    "pad, value", [("pl.PadValue.zero", 0), ("pl.PadValue.max", np.inf), ('float("-inf")', -np.inf), ("2.5", 2.5)]
)
def test_pads(pad, value, tmp_path):
    text = f"""
    PAD = {pad}


    @pl.jit
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[8, 8], pl.FP32]],
          z: pl.Out[pl.Tensor[[9, 10], pl.FP32]]):
        t = pl.load(x, [0, 0], [8, 8])
        y[:] = pl.tile.fillpad_inplace(t, PAD)
        z[:] = pl.fillpad_expand(t, [9, 10], pad_value=PAD)
    """.replace("    ", "", 1)
    path = tmp_path / "kernel.py"
    lines = text.splitlines()
    head = 'import tegula.language as pl\n\nM = pl.dynamic("M")\nN = pl.dynamic("N")\n'
    path.write_text(head + "\n".join(line[4:] if line.startswith("    ") else line for line in lines))
    kernel = Kernel(path)
    for m, n in [(8, 8), (0, 3), (5, 7)]:
        x = numbers((m, n))
        y, z = np.zeros((8, 8), np.float32), np.zeros((9, 10), np.float32)
        kernel(x, y, z)
        wanted = np.full((9, 10), value, np.float32)
        wanted[:m, :n] = x
        np.testing.assert_array_equal(y, wanted[:8, :8])
        np.testing.assert_array_equal(z, wanted)


def test_concat_of_several(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], z: pl.Tensor[[M, 3], pl.FP32], y: pl.Out[pl.Tensor[[M, K], pl.FP32]],
          w: pl.Out[pl.Tensor[[6, 3], pl.FP32]]):
        pl.store(pl.concat(x, z, x * 2.0), [0, 0], y)
        w[:] = pl.concat([z[0:2, :], pl.full([3, 3], dtype=pl.FP32, value=1.0), z[0:1, :]], axis=0)
    """
    x, z = numbers((5, 7)), numbers((5, 3))
    results = run_kernel(text, tmp_path, x=x, z=z, y=np.zeros((5, 17), np.float32), w=np.zeros((6, 3), np.float32))
    np.testing.assert_array_equal(results["y"], np.concatenate([x, z, 2 * x], 1))
    np.testing.assert_array_equal(results["w"], np.concatenate([z[:2], np.ones((3, 3)), z[:1]]))


def test_slices_with_all_their_options(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], n: pl.Scalar[pl.INT32], y: pl.InOut[pl.Tensor[[8, 8], pl.FP32]],
          z: pl.Out[pl.Tensor[[8], pl.FP32]], w: pl.InOut[pl.Tensor[[8, 8], pl.FP32]]):
        valid = pl.cast(n, pl.INDEX)
        t = pl.slice(x, [8, 8], [1, 2], valid_shape=[valid, 3], pad_value=pl.PadValue.zero, clamp=True)
        pl.store(t, [0, 0], y)
        row = pl.slice(x, [1, 8], [2, 1], valid_shape=[1, valid], drop_dims=[0])
        z[:] = pl.fillpad(row, 9.0)
        pl.store(pl.load(x, [1, 1], [8, 8], valid_shape=[2, valid], clamp=True, target_memory=pl.Mem.Vec), [0, 0], w)
    """
    for m, n, valid in [(9, 11, 4), (4, 5, 7), (5, 6, 0)]:
        x, y = numbers((m, n)), numbers((8, 8))
        results = run_kernel(text, tmp_path, x=x, n=valid, y=y, z=np.zeros(8, np.float32), w=y)
        wanted, other, row = np.zeros((8, 8), np.float32), y.copy(), np.full(8, 9, np.float32)
        part = x[1:9, 2:10][:valid, :3]
        wanted[: part.shape[0], : part.shape[1]] = part
        np.testing.assert_array_equal(results["y"], wanted)
        part = x[2, 1:9][:valid]
        row[: len(part)] = part
        np.testing.assert_array_equal(results["z"], row)
        part = x[1:9, 1:9][:2, :valid]
        other[: part.shape[0], : part.shape[1]] = part
        np.testing.assert_array_equal(results["w"], other)


def test_tensors_and_ramps(tmp_path):
    text = """
    def k(y: pl.Out[pl.Tensor[[M, N], pl.FP32]], z: pl.Out[pl.Tensor[[3, N], pl.INT32]]):
        scratch = pl.create_tensor([M, N], dtype=pl.FP32, layout=pl.TensorLayout.ND, manual_dep=True, init_value=1.5)
        scratch[0:1, :] = scratch[0:1, :] + 1.0
        y[:] = scratch
        z[0:1, :] = pl.arange(5, [1, N], dtype=pl.INT32)
        z[1:2, :] = pl.tile.ci(5, [1, N], dtype=pl.INT32, descending=True)
        a = pl.array.create(4, pl.INT32)
        a = pl.array.update_element(a, 1, 7)
        a[2] = 8
        total = pl.array.get_element(a, 1) + a[2] + a[3]
        z[2:3, :] = pl.full([1, N], dtype=pl.INT32, value=total)
    """
    results = run_kernel(text, tmp_path, y=np.zeros((5, 7), np.float32), z=np.zeros((3, 7), np.int32))
    wanted = np.full((5, 7), 1.5)
    wanted[0] += 1
    np.testing.assert_array_equal(results["y"], wanted)
    np.testing.assert_array_equal(results["z"], [np.arange(7) + 5, 5 - np.arange(7), np.full(7, 15)])


@pytest.mark.parametrize("upper", [False, True])
def test_triangles(upper, tmp_path):
    text = f"""
    def k(d: pl.Scalar[pl.INT32], x: pl.Out[pl.Tensor[[M, N], pl.FP32]], y: pl.Out[pl.Tensor[[8, 9], pl.INT32]],
          z: pl.InOut[pl.Tensor[[8, 9], pl.INT8]]):
        x[:] = pl.tri(d, [M, N], dtype=pl.FP32, upper={upper})
        y[:] = pl.tile.tri(-2, [8, 9], upper={upper})
        pl.store(pl.tri(1, [8, 9], valid_shape=[5, 4], dtype=pl.INT8, upper={upper}), [0, 0], z)
    """

    def reference(rows, columns, diagonal):
        if upper:
            return np.triu(np.ones((rows, columns)), diagonal)
        return np.tril(np.ones((rows, columns)), diagonal)

    for m, n, d in [(5, 18, 3), (1, 1, 0), (17, 513, -4)]:
        z = np.full((8, 9), 7, np.int8)
        results = run_kernel(text, tmp_path, d=d, x=np.zeros((m, n), np.float32), y=np.zeros((8, 9), np.int32), z=z)
        np.testing.assert_array_equal(results["x"], reference(m, n, d))
        np.testing.assert_array_equal(results["y"], reference(8, 9, -2))
        z[:5, :4] = reference(8, 9, 1)[:5, :4]
        np.testing.assert_array_equal(results["z"], z)


def philox(key, counter, count, rounds):
    """Philox 4x32 as published: `count` words from the given counter on."""
    words = []
    start = sum(word << (32 * index) for index, word in enumerate(counter))
    for block in range((count + 3) // 4):
        number = (start + block) % (1 << 128)
        x = [(number >> (32 * index)) & 0xFFFFFFFF for index in range(4)]
        k0, k1 = key
        for _ in range(rounds):
            first, second = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
            x = [
                (second >> 32) ^ x[1] ^ k0,
                second & 0xFFFFFFFF,
                (first >> 32) ^ x[3] ^ k1,
                first & 0xFFFFFFFF,
            ]
            k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
        words += x
    return np.array(words[:count], np.uint32)


def test_the_reference_gives_the_published_numbers():
    zeros = philox((0, 0), (0, 0, 0, 0), 4, 10)
    np.testing.assert_array_equal(zeros, np.array([0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8], np.uint32))


@pytest.mark.parametrize("rounds", [7, 10])
def test_random_numbers(rounds, tmp_path):
    text = f"""
    def k(key: pl.Scalar[pl.INT32], x: pl.Out[pl.Tensor[[M, N], pl.UINT32]], y: pl.Out[pl.Tensor[[6], pl.INT32]]):
        x[:] = pl.random(key, 7, 4294967295, 4294967295, 3, 4, [M, N], dtype=pl.UINT32, rounds={rounds})
        y[:] = pl.random(0, 0, 0, 0, 0, 0, [6], dtype=pl.INT32, rounds={rounds})
    """
    for m, n, key in [(5, 18, 11), (1, 1, -1), (3, 130, 2**31 - 1)]:
        results = run_kernel(text, tmp_path, key=key, x=np.zeros((m, n), np.uint32), y=np.zeros(6, np.int32))
        wanted = philox((key & 0xFFFFFFFF, 7), (0xFFFFFFFF, 0xFFFFFFFF, 3, 4), m * n, rounds)
        np.testing.assert_array_equal(results["x"].reshape(-1), wanted)
        np.testing.assert_array_equal(results["y"].view(np.uint32), philox((0, 0), (0, 0, 0, 0), 6, rounds))


@pytest.mark.parametrize(
    "call, message",
    [
        ("pl.gather(x, dim=2, index=i)", "axis 2 is out of range for rank 2"),
        ("pl.gather(x, dim=1, index=x)", "indices must be integers"),
        ("pl.gather(x, mask_pattern=8)", "a mask pattern is 1 to 7"),
        ("pl.gather(x)", "needs 'index', 'mask_pattern' or 'kvalue'"),
        ("pl.gather(x, kvalue=1.0, cmp_mode='near', out_cols=2)", "a comparison is"),
        ("pl.scatter(x, dim=1, index=i)", "needs 'index' and 'src'"),
        ("pl.scatter(x, dim=1, index=i, src=i)", "cannot put .* among elements of FP32"),
        ("pl.mgather(x, i, coalesce='row')", "expected a list of integers"),
        ("pl.mgather(x, i, coalesce='diagonal')", "'coalesce' is"),
        ("pl.reinterpret_view(x[:, 0:3], pl.INT64)", "a multiple of 2 elements, got 3"),
        ("pl.fillpad_expand(x, [4, 8], 0)", "only grows: axis 0 is 8, got 4"),
        ("pl.part_add(x, i)", "two tiles of one rank and one number type"),
        ("pl.random(0, 0, 0, 0, 0, 0, [4], rounds=9)", "INT32 or UINT32 in 7 or 10 rounds"),
        ("pl.tri(0, [2, 3, 4])", "one or two axes, got 3"),
        ("pl.concat(x, i)", "joins tiles of one dtype"),
        ("pl.store(x, [0, 0], y, atomic='max')", "'atomic' is pl.AtomicType.Add"),
    ],
)
def test_mistakes_are_named(call, message, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[8, 8], pl.FP32], i: pl.Tensor[[8, 8], pl.INT32], y: pl.InOut[pl.Tensor[[8, 8], pl.FP32]]):
        t = {call}
        y[:] = x
    """
    with pytest.raises(KernelError, match=message):
        Kernel(write_kernel(text, tmp_path))


def test_what_only_orders_or_hints_does_nothing(tmp_path):
    text = """
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        ctx = pl.prefetch.make_context()
        event = pl.prefetch.async_prefetch(x, ctx)
        pl.prefetch.wait(event, ctx)
        pl.dump_tag(x)
        pl.system.bar_all()
        y[:] = x + 1.0
        pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id=0)
        pl.system.syncall(core_type="mix", mode="hard")
        pl.system.fence()
    """
    x = numbers((3, 5))
    np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], x + 1)


@pytest.mark.parametrize(
    "call",
    [
        "bar_v()",
        "bar_m()",
        "bar_all()",
        "fence()",
        "sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)",
        "sync_dst(set_pipe=pl.PipeType.MTE1, wait_pipe=pl.PipeType.M, event_id=3)",
        "sync_set(13, pipe=pl.PipeType.S)",
        "sync_wait(13, pipe=pl.PipeType.ALL)",
        "set_ffts(x)",
        "syncall(core_type='aiv_only', mode='soft', gm_workspace=x, used_cores=4)",
        "cacheinvalid()",
        "cacheinvalid(x, [1, 8], [0, 0])",
    ],
)
def test_what_orders_the_parts_of_a_machine_changes_nothing(call, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        for i in pl.spmd(2):
            t = pl.load(x, [0, 0], [M, N]) + 1.0
            pl.system.{call}
            y[:] = t
    """
    x = numbers((3, 5))
    np.testing.assert_array_equal(run_kernel(text, tmp_path, x=x, y=np.zeros_like(x))["y"], x + 1)


CHANNELS = [
    f"t{verb}_{to}" for verb, to in [("push", "to_aiv"), ("push", "to_aic"), ("free", "to_aic"), ("free", "to_aiv")]
]
CHANNELS += ["tpop_from_aic", "tpop_from_aiv", "aic_initialize_pipe", "aiv_initialize_pipe"]
CHANNELS += ["reserve_buffer", "import_peer_buffer"]


@pytest.mark.parametrize("call", [*(f"{name}(x)" for name in CHANNELS), "quant_mx(x)", "gatherb(x, x)"])
def test_what_belongs_to_another_machine_is_refused(call, tmp_path):
    text = f"""
    def k(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
        t = pl.{call}
        y[:] = x
    """
    with pytest.raises(KernelError, match=r"pl\.[a-z_.]+ (moves a tile|sets up a channel|makes block|counts bytes)"):
        Kernel(write_kernel(text, tmp_path))


@pytest.mark.parametrize(
    "statements, message",
    [
        ("t = x + 0.0; pl.assemble(t, x[0:2, :], [0, 0])", "the result is not used"),
        ("t = pl.transpose(y, 0, 1); t[0:4, :] = x[0:4, :]", "would not change the tensor"),
    ],
)
def test_lost_changes_are_errors(statements, message, tmp_path):
    first, second = statements.split("; ")
    text = f"""
    def k(x: pl.Tensor[[8, 8], pl.FP32], y: pl.InOut[pl.Tensor[[8, 8], pl.FP32]]):
        {first}
        {second}
        y[0:1, :] = x[0:1, :]
    """
    with pytest.raises(KernelError, match=message):
        Kernel(write_kernel(text, tmp_path))
