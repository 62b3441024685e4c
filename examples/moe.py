# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A mixture of experts: a gate picks the best two experts of each token, and each expert runs on the tokens it got.

How many tokens an expert gets is known only at run time: its rows are gathered in blocks, the last block is partly
filled, and an expert without tokens is skipped.
"""

import numpy as np

import tegula.language as pl

T = pl.dynamic("T")
D = pl.dynamic("D")
E = pl.dynamic("E")
F = pl.dynamic("F")
TOP = 2
ROWS = 16


@pl.jit.inline
def choose(
    x: pl.Tensor, w_gate: pl.Tensor, weights: pl.Out[pl.Tensor], chosen: pl.Out[pl.Tensor]
) -> tuple[pl.Tensor, pl.Tensor]:
    for i in pl.parallel(0, x.shape[0], ROWS):
        with pl.at(level=pl.Level.CORE_GROUP):
            scores = pl.matmul(x[i : i + ROWS, :], w_gate)
            largest, experts = pl.topk(scores, TOP)
            e = pl.exp(pl.row_expand_sub(largest, pl.row_max(largest)))
            weights[i : i + ROWS, :] = pl.row_expand_div(e, pl.row_sum(e))
            chosen[i : i + ROWS, :] = experts
    return weights, chosen


@pl.jit
def moe(
    x: pl.Tensor[[T, D], pl.FP32],
    w_gate: pl.Tensor[[D, E], pl.FP32],
    w_in: pl.Tensor[[E, D, F], pl.FP32],
    w_out: pl.Tensor[[E, F, D], pl.FP32],
    y: pl.Out[pl.Tensor[[T, D], pl.FP32]],
) -> None:
    weights = pl.create_tensor([T, TOP], dtype=pl.FP32)
    chosen = pl.create_tensor([T, TOP], dtype=pl.INT32, init_value=-1)
    weights, chosen = choose(x, w_gate, weights, chosen)
    y[:] = pl.full([T, D], dtype=pl.FP32, value=0.0)
    rows = pl.create_tensor([T], dtype=pl.INT32)
    shares = pl.create_tensor([T], dtype=pl.FP32)
    for expert in pl.range(E):
        count = 0
        for t in pl.range(T):
            for k in pl.unroll(TOP):
                if pl.cast(chosen[t, k], pl.INDEX) == expert:
                    rows[count] = pl.cast(t, pl.INT32)
                    shares[count] = weights[t, k]
                    count += 1
        for i in pl.range(0, count, ROWS):
            valid = min(ROWS, count - i)
            block = pl.full([ROWS, D], dtype=pl.FP32, value=0.0)
            for r in pl.range(valid):
                source = pl.cast(rows[i + r], pl.INDEX)
                block[r : r + 1, :] = x[source : source + 1, :]
            inner = pl.matmul(block[0:valid, :], w_in[expert, :, :])
            inner = inner * pl.recip(pl.exp(-inner) + 1.0)
            result = pl.matmul(inner, w_out[expert, :, :])
            for r in pl.range(valid):
                target = pl.cast(rows[i + r], pl.INDEX)
                y[target : target + 1, :] += result[r : r + 1, :] * shares[i + r]


def reference(x: np.ndarray, w_gate: np.ndarray, w_in: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    scores = (x @ w_gate).astype(np.float64)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
    largest = np.take_along_axis(scores, order, axis=1)
    weights = np.exp(largest - largest.max(axis=1, keepdims=True, initial=-np.inf))
    weights /= weights.sum(axis=1, keepdims=True)
    y = np.zeros(x.shape)
    for t in range(x.shape[0]):
        for weight, expert in zip(weights[t], order[t], strict=False):
            inner = x[t].astype(np.float64) @ w_in[expert]
            y[t] += weight * ((inner / (1.0 + np.exp(-inner))) @ w_out[expert])
    return y.astype(np.float32)
