# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as Hopper chips run it, on this processor: sizes and layouts of test/gpu/attention.py, smaller."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from tegula_library import EXAMPLES, Kernel

SHARING = 4
SHAPES = [(1, 1, 1), (2, 64, 64), (1, 129, 129), (2, 127, 200), (1, 193, 385), (3, 1, 131), (2, 65, 300)]
CASES = [*itertools.product((64, 128), ("causal", "full")), (128, "shared")]


def make_kernel(folder, size, mask, target="cuda:emulate"):
    text = (EXAMPLES / "flash_attention_bf16.py").read_text().replace("D = 64", f"D = {size}")
    if mask == "full":
        text = text.replace("CAUSAL = True", "CAUSAL = False")
    if mask == "shared":
        text = text.replace("H = ", 'G = pl.dynamic("G")\nH = ', 1)
        for name in "kv":
            text = text.replace(f"{name}: pl.Tensor[[H,", f"{name}: pl.Tensor[[G,")
            text = text.replace(f"{name}[h,", f"{name}[h // {SHARING},")
    path = folder / f"attention_{size}_{mask}.py"
    path.write_text(text)
    return Kernel(path, target=target)


def make(random, layout, heads, rows, size):
    """A tensor of normal numbers that lies in memory in one of several ways, from a multiple of 64 bytes on."""
    shape = {
        "dense": (heads, rows, size),
        "rows first": (rows, heads, size),
        "apart": (heads, 2 * rows, size + 8),
        "not aligned": (heads, rows, size + 1),
    }[layout]
    memory = np.zeros(2 * int(np.prod(shape)) + 64, np.uint8)
    start = -memory.ctypes.data % 64
    tensor = memory[start : start + 2 * int(np.prod(shape))].view(ml_dtypes.bfloat16).reshape(shape)
    tensor[...] = random.standard_normal(shape)
    if layout == "rows first":
        return tensor.transpose(1, 0, 2)
    if layout == "apart":
        return tensor[:, ::2, 8:]
    return tensor[:, :, 1:] if layout == "not aligned" else tensor


def expect(q, k, v, scale, is_causal):
    scores = q.astype(np.float32) @ k.astype(np.float32).transpose(0, 2, 1) * np.float32(scale)
    if is_causal:
        rows = np.arange(q.shape[1])[:, None] + k.shape[1] - q.shape[1]
        scores = np.where(np.arange(k.shape[1]) <= rows, scores, -np.inf)
    weights = np.exp(scores - scores.max(2, keepdims=True))
    return weights / weights.sum(2, keepdims=True) @ v.astype(np.float32)


def check(kernel, size, mask, shape, scale=0.125, layout="dense"):
    random = np.random.default_rng(sum(shape))
    heads, queries, keys = shape
    sharing = SHARING if mask == "shared" else 1
    q = make(random, layout, heads, queries, size)
    k, v = (make(random, layout, -(-heads // sharing), keys, size) for _ in range(2))
    # What lies around the result must stay.
    around = make(random, layout, heads + 1, queries + 1, size)
    around[...] = 7
    kernel(q, k, v, scale, around[1:, :queries])
    k, v = (np.repeat(tensor, sharing, 0)[:heads] for tensor in (k, v))
    wanted = expect(q, k, v, scale, mask != "full")
    np.testing.assert_allclose(around[1:, :queries].astype(np.float32), wanted, rtol=2e-2, atol=2e-2)
    assert (around[0] == 7).all() and (around[1:, queries:] == 7).all()


@pytest.mark.parametrize("size, mask", CASES)
def test_sizes(size, mask, tmp_path):
    kernel = make_kernel(tmp_path, size, mask)
    for shape in SHAPES:
        check(kernel, size, mask, shape)


@pytest.mark.parametrize("layout", ["rows first", "apart", "not aligned"])
def test_layouts(layout, tmp_path):
    """Those that have no boxes take the fallback."""
    check(make_kernel(tmp_path, 64, "causal"), 64, "causal", (3, 100, 133), 0.3, layout)


def test_scales(tmp_path):
    kernel = make_kernel(tmp_path, 64, "full")
    for scale in (-0.5, 0.0, 4.0):
        check(kernel, 64, "full", (2, 70, 130), scale)
    check(kernel, 64, "full", (1, 140, 40))


def test_nan_stays_in_its_row(tmp_path):
    random = np.random.default_rng(0)
    q, k, v, out = (make(random, "dense", 2, 200, 64) for _ in range(4))
    q[1, 130, 3] = np.nan
    make_kernel(tmp_path, 64, "causal")(q, k, v, 0.125, out)
    wanted = np.zeros((2, 200, 64), bool)
    wanted[1, 130] = True
    np.testing.assert_array_equal(np.isnan(out.astype(np.float32)), wanted)


def test_chips_without_have_the_fallback(tmp_path):
    check(make_kernel(tmp_path, 64, "causal", "cuda:emulate-sm_80"), 64, "causal", (1, 65, 70))
