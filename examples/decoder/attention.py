# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of each new token over its pages, and the write of its key and value to them."""

from model import DTYPE, GROUP, HEAD_DIM, HEADS, KV_HEADS, LOWEST, PAGE, SCALE

import tegula.language as pl


@pl.jit.inline
def write_cache(
    k: pl.Tensor,
    v: pl.Tensor,
    table: pl.Tensor,
    lengths: pl.Tensor,
    keys: pl.InOut[pl.Tensor],
    values: pl.InOut[pl.Tensor],
) -> tuple[pl.Tensor, pl.Tensor]:
    for t in pl.range(k.shape[0]):
        with pl.at(level=pl.Level.CORE_GROUP):
            position = pl.cast(lengths[t], pl.INDEX) - 1
            page = pl.cast(table[t, position // PAGE], pl.INDEX)
            keys[page, position % PAGE, :, :] = k[t, :, :]
            values[page, position % PAGE, :, :] = v[t, :, :]
    return keys, values


@pl.jit.inline
def attend(q: pl.Tensor, keys: pl.Tensor, values: pl.Tensor, table: pl.Tensor, lengths: pl.Tensor) -> pl.Tensor:
    tokens = q.shape[0]
    out = pl.create_tensor([tokens, HEADS, HEAD_DIM], dtype=DTYPE)
    for t in pl.parallel(tokens):
        for h in pl.parallel(KV_HEADS):
            with pl.at(level=pl.Level.CORE_GROUP):
                queries = q[t, h * GROUP : (h + 1) * GROUP, :]
                length = pl.cast(lengths[t], pl.INDEX)
                largest = pl.full([GROUP, 1], dtype=pl.FP32, value=LOWEST)
                total = pl.full([GROUP, 1], dtype=pl.FP32, value=0.0)
                result = pl.full([GROUP, HEAD_DIM], dtype=pl.FP32, value=0.0)
                for p in pl.pipeline((length + PAGE - 1) // PAGE, stage=2):
                    page = pl.cast(table[t, p], pl.INDEX)
                    valid = min(PAGE, length - p * PAGE)
                    k = pl.set_validshape(keys[page, :, h, :], valid, HEAD_DIM)
                    v = pl.set_validshape(values[page, :, h, :], valid, HEAD_DIM)
                    scores = pl.matmul(queries, k, b_trans=True, out_dtype=pl.FP32) * SCALE
                    higher = pl.maximum(largest, pl.row_max(scores))
                    weights = pl.exp(pl.row_expand_sub(scores, higher))
                    faded = pl.exp(largest - higher)
                    total = total * faded + pl.row_sum(weights)
                    result = pl.matmul_acc(pl.row_expand_mul(result, faded), weights, pl.cast(v, pl.FP32))
                    largest = higher
                out[t, h * GROUP : (h + 1) * GROUP, :] = pl.cast(pl.row_expand_div(result, total), DTYPE, mode="rint")
    return out
