# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles in registers of GPU threads, on this processor: kernels without tuned variants, at sizes around their tiles."""

import functools

import ml_dtypes
import numpy as np
import pytest
from tegula_library import ROOT, Kernel

BF16 = ml_dtypes.bfloat16
SCALE = 0.125


@functools.cache
def find_kernel(name, target):
    return Kernel(ROOT / "bench/kernels_tiles.py", name=name, target=target)


def make(random, *shape, apart=0):
    """With `apart`, rows are not aligned."""
    memory = random.standard_normal((*shape[:-1], shape[-1] + apart)).astype(BF16)
    return memory[..., : shape[-1]]


def attention(q, k, v, mask, change=lambda scores: scores):
    q, k, v = (array.astype(np.float64) for array in (q, k, v))
    scores = np.where(mask, change(q @ k.transpose(0, 2, 1) * SCALE), -np.inf)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True, initial=-1e30))
    return weights / weights.sum(axis=2, keepdims=True) @ v


def assert_close(found, wanted):
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize(
    "target, sizes, apart",
    [
        ("cuda:emulate", (1, 0, 3), 0),
        ("cuda:emulate", (1, 1, 1), 0),
        ("cuda:emulate", (2, 65, 127), 0),
        ("cuda:emulate", (1, 64, 128), 3),
        ("cuda:emulate-sm_80", (1, 67, 131), 0),
        ("cuda:emulate,whole-blocks", (1, 70, 130), 0),
        ("cuda:emulate,whole-blocks", (2, 129, 513), 0),
        ("cuda:emulate,whole-blocks", (1, 128, 384), 0),
        ("cuda:emulate,whole-blocks", (1, 1, 1), 0),
        ("cuda:emulate,whole-blocks", (1, 65, 191), 3),
        ("cuda:emulate-sm_80,whole-blocks", (1, 130, 257), 0),
    ],
)
def test_softcap_attention(target, sizes, apart):
    heads, queries, keys = sizes
    random = np.random.default_rng(queries)
    q = make(random, heads, queries, 128, apart=apart)
    k, v = make(random, heads, keys, 128, apart=apart), make(random, heads, keys, 128, apart=apart)
    out = make(random, heads, queries, 128, apart=apart)
    find_kernel("softcap_attention", target)(q, k, v, SCALE, out)
    mask = np.arange(keys)[None, :] <= np.arange(queries)[:, None] + keys - queries
    assert_close(out, attention(q, k, v, mask, lambda scores: np.tanh(scores / 50) * 50))


@pytest.mark.parametrize("target", ["cuda:emulate", "cuda:emulate,whole-blocks"])
def test_window_attention(target):
    random = np.random.default_rng(1)
    q, k, v, out = (make(random, 1, 1100, 128) for _ in range(4))
    find_kernel("window_attention", target)(q, k, v, SCALE, out)
    behind = np.arange(1100)[:, None] - np.arange(1100)[None, :]
    assert_close(out, attention(q, k, v, (behind >= 0) & (behind < 1024)))


@pytest.mark.parametrize("apart", [0, 1])
@pytest.mark.parametrize(
    "target, sizes",
    [
        ("cuda:emulate", (1, 1, 1)),
        ("cuda:emulate", (127, 65, 0)),
        ("cuda:emulate", (0, 5, 5)),
        ("cuda:emulate", (129, 63, 131)),
        ("cuda:emulate,whole-blocks", (1, 1, 1)),
        ("cuda:emulate,whole-blocks", (127, 65, 0)),
        ("cuda:emulate,whole-blocks", (128, 128, 64)),
        ("cuda:emulate,whole-blocks", (128, 128, 448)),
        ("cuda:emulate,whole-blocks", (129, 133, 331)),
        # More rows of blocks than are in a group.
        ("cuda:emulate,whole-blocks", (2100, 260, 16)),
        ("cuda:emulate-sm_80,whole-blocks", (129, 133, 331)),
    ],
)
def test_gate_up(target, sizes, apart):
    m, n, k = sizes
    random = np.random.default_rng(m)
    x, gate, up = make(random, m, k, apart=apart), make(random, k, n, apart=apart), make(random, k, n, apart=apart)
    y = make(random, m, n)
    find_kernel("gate_up", target)(x, gate, up, y)
    first, second = (x.astype(np.float64) @ side.astype(np.float64) for side in (gate, up))
    np.testing.assert_allclose(y.astype(np.float64), first / (1 + np.exp(-first)) * second, rtol=2e-2, atol=0.1)


@pytest.mark.parametrize("target", ["cuda:emulate", "cuda:emulate,whole-blocks"])
@pytest.mark.parametrize("m", [0, 1, 64, 131])
def test_two_layers(m, target):
    random = np.random.default_rng(m)
    x, up, down, y = make(random, m, 128), make(random, 128, 512), make(random, 512, 128), make(random, m, 128)
    find_kernel("two_layers", target)(x, up, down, y)
    hidden = np.maximum(x.astype(np.float64) @ up.astype(np.float64), 0).astype(BF16)
    wanted = hidden.astype(np.float64) @ down.astype(np.float64)
    np.testing.assert_allclose(y.astype(np.float64), wanted, rtol=2e-2, atol=2)


EVERY = ["cuda:emulate,registers", "cuda:emulate-sm_80,registers", "cuda:emulate,whole-blocks,registers"]


def run(name, target, *inputs, result):
    """Rows of the result are not aligned, and what is next to them stays."""
    memory = np.full((*result.shape[:-1], result.shape[-1] + 1), 7, result.dtype)
    find_kernel(name, target)(*inputs, memory[..., 1:])
    assert (memory[..., 0] == 7).all()
    return memory[..., 1:].astype(np.float64)


@pytest.mark.parametrize("target", EVERY)
@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (0, 3, 3), (129, 67, 37), (128, 128, 32)])
def test_fp32_layer(target, m, n, k):
    random = np.random.default_rng(m)
    x, w, bias = (random.standard_normal(shape).astype(np.float32) for shape in ((m, k), (k, n), (n,)))
    found = run("fp32_layer", target, x, w, bias, result=np.empty((m, n), np.float32))
    wanted = x.astype(np.float64) @ w + bias
    np.testing.assert_allclose(found, wanted / (1 + np.exp(-wanted)), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("target", EVERY)
def test_batched_matmul(target):
    random = np.random.default_rng(5)
    x, w = make(random, 3, 65, 40), make(random, 3, 40, 33)
    found = run("batched_matmul", target, x, w, result=np.empty((3, 65, 33), np.float32))
    np.testing.assert_allclose(found, x.astype(np.float64) @ w.astype(np.float64), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("target", EVERY)
@pytest.mark.parametrize("name", ["byte_weights", "byte_weights_few"])
@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (17, 65, 129), (64, 128, 128), (130, 33, 67)])
def test_byte_weights(target, name, m, n, k):
    random = np.random.default_rng(m)
    x, scale = make(random, m, k), random.standard_normal(n).astype(np.float32)
    w = random.integers(-128, 127, (n, k), endpoint=True).astype(np.int8)
    found = run(name, target, x, w, scale, result=np.empty((m, n), BF16))
    np.testing.assert_allclose(found, x.astype(np.float64) @ w.T.astype(np.float64) * scale, rtol=1e-2, atol=1)


@pytest.mark.parametrize("target", EVERY)
@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (129, 65, 67)])
def test_fp8_matmul(target, m, n, k):
    random = np.random.default_rng(m)
    x, w = (random.standard_normal(shape).astype(ml_dtypes.float8_e4m3fn) for shape in ((m, k), (n, k)))
    left, right = (random.standard_normal(shape).astype(np.float32) for shape in ((m, 1), (1, n)))
    found = run("fp8_matmul", target, x, w, left, right, result=np.empty((m, n), BF16))
    wanted = x.astype(np.float64) @ w.T.astype(np.float64) * left * right
    np.testing.assert_allclose(found, wanted, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("target", EVERY)
def test_experts(target):
    random = np.random.default_rng(8)
    x, w, starts = make(random, 201, 72), make(random, 4, 72, 40), np.array([0, 1, 1, 150, 201], np.int32)
    found = run("experts", target, x, w, starts, result=np.empty((201, 40), BF16))
    expert = np.searchsorted(starts, np.arange(201), side="right") - 1
    wanted = np.einsum("mk,mkn->mn", x.astype(np.float64), w.astype(np.float64)[expert])
    np.testing.assert_allclose(found, wanted, rtol=1e-2, atol=0.1)


@pytest.mark.parametrize("target", EVERY)
@pytest.mark.parametrize("high, wide", [(1, 1), (2, 67)])
def test_convolution(target, high, wide):
    random = np.random.default_rng(wide)
    x, w = make(random, 1, high + 2, wide + 2, 128), make(random, 3, 3, 128, 128)
    found = run("convolution", target, x, w, result=np.empty((1, high, wide, 128), BF16))
    wanted = sum(
        x[:, p : p + high, q : q + wide].astype(np.float64) @ w[p, q].astype(np.float64)
        for p in range(3)
        for q in range(3)
    )
    np.testing.assert_allclose(found, wanted, rtol=1e-2, atol=0.5)


@pytest.mark.parametrize("target", EVERY)
@pytest.mark.parametrize("length", [1, 64, 131])
def test_linear_attention(target, length):
    random = np.random.default_rng(length)
    q, k, v = (make(random, 2, length, 128) * BF16(0.25) for _ in range(3))
    found = run("linear_attention", target, q, k, v, result=np.empty((2, length, 128), BF16))
    q, k, v = (array.astype(np.float64) for array in (q, k, v))
    np.testing.assert_allclose(found, np.tril(q @ k.transpose(0, 2, 1)) @ v, rtol=3e-2, atol=0.3)


IN_FLIGHT = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
K = pl.dynamic("K")


@pl.jit
def matmul(a: pl.Tensor[[M, K], pl.BF16], b: pl.Tensor[[K, N], pl.BF16], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 128):
        for j in pl.parallel(0, N, 256):
            acc = pl.full([128, 256], dtype=pl.FP32, value=0.0)
            for k in pl.range(0, K, 64):
                acc = pl.matmul_acc(acc, a[i : i + 128, k : k + 64], b[k : k + 64, j : j + 256])
            c[i : i + 128, j : j + 256] = acc
"""


@pytest.mark.parametrize("target", ["cuda:emulate,general", "cuda:emulate,whole-blocks,general"])
def test_wgmma_goes_on_between_iterations(target, tmp_path):
    """From no iteration to more than there are stages; rows that are aligned, and others. Sums are exact."""
    path = tmp_path / "matmul.py"
    path.write_text(IN_FLIGHT)
    kernel = Kernel(path, target=target)
    random = np.random.default_rng(5)
    sizes = [(129, 257, 0), (1, 1, 1), (128, 256, 64), (5, 9, 65), (130, 264, 128), (64, 256, 192), (3, 8, 256)]
    for m, n, depth in [*sizes, (127, 255, 321), (128, 8, 640)]:
        a = random.integers(-3, 4, (m, depth)).astype(BF16)
        b = random.integers(-3, 4, (depth, n)).astype(BF16)
        c = np.full((m, n), 7, np.float32)
        kernel(a, b, c)
        np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
