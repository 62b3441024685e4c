# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks up the embeddings of tokens, and writes their keys and values to the slots of a cache."""

import numpy as np

import tegula.language as pl

T = pl.dynamic("T")
D = pl.dynamic("D")
C = pl.dynamic("C")
WORDS = pl.dynamic("WORDS")
SLOTS = pl.dynamic("SLOTS")
DTYPE = pl.FP32


@pl.jit
def embedding_kv_cache(
    tokens: pl.Tensor[[T], pl.INT32],
    table: pl.Tensor[[WORDS, D], DTYPE],
    keys: pl.Tensor[[T, C], DTYPE],
    values: pl.Tensor[[T, C], DTYPE],
    slots: pl.Tensor[[T], pl.INT32],
    key_cache: pl.InOut[pl.Tensor[[SLOTS, C], DTYPE]],
    value_cache: pl.InOut[pl.Tensor[[SLOTS, C], DTYPE]],
    hidden: pl.Out[pl.Tensor[[T, D], DTYPE]],
) -> None:
    for t in pl.parallel(T):
        with pl.at(level=pl.Level.CORE_GROUP):
            word = pl.cast(tokens[t], pl.INDEX)
            hidden[t, :] = table[word, :]
    for t in pl.range(T):
        with pl.at(level=pl.Level.CORE_GROUP):
            slot = pl.cast(slots[t], pl.INDEX)
            key_cache[slot, :] = keys[t, :]
            value_cache[slot, :] = values[t, :]


def reference(
    tokens: np.ndarray,
    table: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    slots: np.ndarray,
    key_cache: np.ndarray,
    value_cache: np.ndarray,
) -> tuple[np.ndarray, ...]:
    key_cache[slots] = keys
    value_cache[slots] = values
    return key_cache, value_cache, table[tokens]
