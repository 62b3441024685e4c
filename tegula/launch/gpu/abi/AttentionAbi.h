// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the kernels of Attention.cpp are launched with, after maps of queries,
/// keys, values and the result.

#ifndef TEGULA_LAUNCH_GPU_ABI_ATTENTIONABI_H
#define TEGULA_LAUNCH_GPU_ABI_ATTENTIONABI_H

#include <cstdint>

/// The sizes of attention.
struct TegulaAttention {
  int32_t heads, queries, keys;
  /// Query `i` sees the keys up to `i + past`, and no others.
  int32_t past;
  /// Heads of queries that share one of keys and values.
  int32_t sharing;
  /// Heads whose tiles come in order of their length. If 0, a block computes
  /// two tiles of a head after each other, a long one and a short one, which
  /// together take as long as any other two.
  int32_t together;
  /// What scores are multiplied with, times the binary logarithm of e.
  float scale;
};

/// Warpgroups that compute, 64 queries each; one more is the producer, which
/// copies.
inline constexpr int32_t tegulaAttentionGroups(int64_t headSize) {
  return headSize == 64 ? 3 : 2;
}
/// Queries and keys of a block, and how many blocks of keys and of values are
/// in shared memory at once.
inline constexpr int32_t tegulaAttentionQueries(int64_t headSize) {
  return 64 * tegulaAttentionGroups(headSize);
}
inline constexpr int32_t tegulaAttentionKeys = 128;
inline constexpr int32_t tegulaAttentionStages = 2;

inline constexpr int32_t tegulaAttentionThreads(int64_t headSize) {
  return 128 * (1 + tegulaAttentionGroups(headSize));
}
/// Two blocks of queries, the stages, and barriers.
inline constexpr int32_t tegulaAttentionShared(int64_t headSize) {
  return static_cast<int32_t>(
             2 * headSize *
             (2 * tegulaAttentionQueries(headSize) +
              2 * tegulaAttentionStages * tegulaAttentionKeys)) +
         1024 + 128;
}

#endif // TEGULA_LAUNCH_GPU_ABI_ATTENTIONABI_H
