# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one token to a cache of pages, whose number is data: the last block of a sequence may hold nothing."""

import numpy as np
import pytest
from tegula_library import Kernel

PAGE, HEADS, WIDTH = 8, 4, 32
DECLARED = f"""
import tegula.language as pl

B = pl.dynamic("B")
P = pl.dynamic("P")
T = pl.dynamic("T")
PAGE, H, D = {PAGE}, {HEADS}, {WIDTH}


@pl.jit
def decode(
    q: pl.Tensor[[B, H, D], pl.FP32], kc: pl.Tensor[[P, PAGE, H, D], pl.FP32],
    vc: pl.Tensor[[P, PAGE, H, D], pl.FP32], table: pl.Tensor[[B, T], pl.INT32], lens: pl.Tensor[[B], pl.INT32],
    out: pl.Out[pl.Tensor[[B, H, D], pl.FP32]],
):
"""
BODY = """
    for b in pl.parallel(B):
        for h in pl.range(H):
            n = pl.cast(lens[b], pl.INDEX)
            m = pl.full([1, 1], dtype=pl.FP32, value=-1e30)
            l = pl.full([1, 1], dtype=pl.FP32, value=0.0)
            o = pl.full([1, D], dtype=pl.FP32, value=0.0)
            row = pl.reshape(q[b, h, :], [1, D])
            for p in pl.range((n + PAGE - 1) // PAGE + 1):
                page = pl.cast(table[b, pl.min(p, T - 1)], pl.INDEX)
                valid = pl.max(pl.min(PAGE, n - p * PAGE), 0)
                {loads}
                s = pl.matmul(row, keys, b_trans=True)
                high = pl.maximum(m, pl.row_max(s))
                w = pl.exp(s - high)
                f = pl.exp(m - high)
                l = l * f + pl.row_sum(w)
                o = o * f + pl.matmul(w, values)
                m = high
            out[b, h, :] = pl.reshape(o / l, [D])
"""
LOADS = {
    "reshaped": """keys = pl.reshape(
                    pl.load(kc, [page, 0, h, 0], [1, PAGE, 1, D], valid_shape=[1, valid, 1, D]), [PAGE, D])
                values = pl.reshape(
                    pl.load(vc, [page, 0, h, 0], [1, PAGE, 1, D], valid_shape=[1, valid, 1, D]), [PAGE, D])""",
    "windows": """keys = kc[page, 0:valid, h, :]
                values = vc[page, 0:valid, h, :]""",
}


def attention(q, kc, vc, table, lens):
    out = np.zeros_like(q)
    for b, length in enumerate(lens):
        pages = table[b, np.arange(length) // PAGE]
        for h in range(HEADS):
            keys, values = (cache[pages, np.arange(length) % PAGE, h].astype(np.float64) for cache in (kc, vc))
            scores = keys @ q[b, h]
            weights = np.exp(scores - scores.max())
            out[b, h] = weights @ values / weights.sum()
    return out


@pytest.mark.parametrize("target", ["cpu", "npu:tpuv3", "cuda:emulate", "interpreter"])
@pytest.mark.parametrize("loads", LOADS)
def test_blocks_whose_count_is_data(loads, target, tmp_path):
    path = tmp_path / "decode.py"
    path.write_text(DECLARED + BODY.replace("{loads}", LOADS[loads]))
    kernel = Kernel(path, target=target)
    rng = np.random.default_rng(11)
    # Lengths with a tail, without, and of one element.
    for lens in ([1], [8, 16, 3], [17, 24, 9, 1]):
        lens = np.array(lens, np.int32)
        batch, most, pages = len(lens), 4, 9
        q = rng.standard_normal((batch, HEADS, WIDTH), np.float32)
        kc, vc = (rng.standard_normal((pages, PAGE, HEADS, WIDTH), np.float32) for _ in range(2))
        table = rng.integers(0, pages, (batch, most)).astype(np.int32)
        out = np.zeros_like(q)
        kernel(q, kc, vc, table, lens, out)
        np.testing.assert_allclose(out, attention(q, kc, vc, table, lens), rtol=2e-5, atol=2e-5)
