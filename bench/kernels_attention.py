# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that bench/attention.py calls: examples/flash_attention.py for any head, type and mask, and the same in
whole-array expressions."""

import tegula.language as pl

H = pl.dynamic("H")
G = pl.dynamic("G")
SQ = pl.dynamic("SQ")
SK = pl.dynamic("SK")
QUERIES = 64
KEYS = 64
LOWEST = -1e30


def make_flash(D: int, DTYPE, CAUSAL: bool, H=H, SQ=SQ, SK=SK):
    """With dynamic or static sizes."""

    @pl.jit
    def flash(
        q: pl.Tensor[[H, SQ, D], DTYPE],
        k: pl.Tensor[[H, SK, D], DTYPE],
        v: pl.Tensor[[H, SK, D], DTYPE],
        scale: pl.Scalar[pl.FP32],
        out: pl.Out[pl.Tensor[[H, SQ, D], DTYPE]],
    ):
        past = SK - SQ
        for h in pl.parallel(H):
            for i in pl.parallel(0, SQ, QUERIES):
                with pl.at(level=pl.Level.CORE_GROUP):
                    queries = q[h, i : i + QUERIES, :]
                    largest = pl.full([QUERIES, 1], dtype=pl.FP32, value=LOWEST)
                    total = pl.full([QUERIES, 1], dtype=pl.FP32, value=0.0)
                    result = pl.full([QUERIES, D], dtype=pl.FP32, value=0.0)
                    for j in pl.range(0, min(past + i + QUERIES, SK) if CAUSAL else SK, KEYS):
                        scores = pl.matmul(queries, k[h, j : j + KEYS, :], b_trans=True, out_dtype=pl.FP32) * scale
                        if CAUSAL and j + KEYS > past + i + 1:
                            rows = pl.reshape(pl.arange(past + i, [1, QUERIES], pl.INT32), [QUERIES, 1])
                            columns = pl.arange(j, [1, KEYS], pl.INT32)
                            scores = pl.sel(columns <= rows, scores, LOWEST)
                        higher = pl.maximum(largest, pl.row_max(scores))
                        weights = pl.exp(pl.row_expand_sub(scores, higher))
                        faded = pl.exp(largest - higher)
                        total = total * faded + pl.row_sum(weights)
                        values = pl.cast(v[h, j : j + KEYS, :], pl.FP32)
                        result = pl.matmul_acc(pl.row_expand_mul(result, faded), weights, values)
                        largest = higher
                    out[h, i : i + QUERIES, :] = pl.cast(pl.row_expand_div(result, total), DTYPE, mode="rint")

    return flash


def make_tensors(D: int, DTYPE):
    @pl.jit
    def attention(
        q: pl.Tensor[[H, SQ, D], DTYPE],
        k: pl.Tensor[[H, SK, D], DTYPE],
        v: pl.Tensor[[H, SK, D], DTYPE],
        scale: pl.Scalar[pl.FP32],
        out: pl.Out[pl.Tensor[[H, SQ, D], DTYPE]],
    ):
        for h in pl.parallel(H):
            scores = pl.matmul(q[h], k[h], b_trans=True, out_dtype=pl.FP32) * scale
            weights = pl.exp(scores - pl.max(scores, axis=1, keepdims=True))
            total = pl.sum(weights, axis=1, keepdims=True)
            out[h] = pl.cast(pl.matmul(weights, pl.cast(v[h], pl.FP32)) / total, DTYPE, mode="rint")

    return attention
