// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel that is nothing but attention, for chips that have tuned code
/// for it.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_GPUATTENTION_H
#define TEGULA_LAUNCH_GPU_VARIANTS_GPUATTENTION_H

#include "tegula/launch/gpu/abi/AttentionAbi.h"
#include "tegula/launch/gpu/variants/GpuParameter.h"

#include <cstdint>
#include <string>

namespace tegula {

/// Which tensors of the program are queries, keys, values and the result, each
/// heads x rows x the size of a head.
struct GpuAttention {
  GpuTensorNumber queries, keys, values, result;
  /// What scores are multiplied with; without one it is the number.
  GpuSlotNumber scaleSlot;
  float scale = 1;
  int64_t headSize = 0;
  /// Heads of queries that share one of keys and values.
  int64_t sharing = 1;
  /// The tensors are BF16, or else FP16.
  bool isBf16 = false;
  /// A query sees no keys that come after it.
  bool isCausal = false;

  /// What the kernel for it is called.
  std::string getKernel() const;
};

template <> struct Fields<GpuAttention> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("queries", self.queries);
    visit("keys", self.keys);
    visit("values", self.values);
    visit("result", self.result);
    visit("scale_parameter", self.scaleSlot);
    visit("scale", self.scale);
    visit("head_size", self.headSize);
    visit("heads_per_key_head", self.sharing);
    visit("bf16", self.isBf16);
    visit("causal", self.isCausal);
  }
  static const char *findMistake(const GpuAttention &attention);
};

/// A tensor of heads in memory.
struct GpuHeads {
  uint64_t address;
  int64_t heads, rows, columns;
  /// Elements from one of each to the next.
  int64_t head, row, column;

  explicit GpuHeads(const int64_t *slots)
      : address(static_cast<uint64_t>(slots[0])), heads(slots[1]),
        rows(slots[2]), columns(slots[3]), head(slots[4]), row(slots[5]),
        column(slots[6]) {}

  /// Whether boxes of its rows can be copied: elements of two bytes side by
  /// side, rows and heads that begin at multiples of 16 bytes.
  bool hasBoxes() const;
};

/// Such attention of a call.
struct GpuAttentionCall {
  GpuHeads queries, keys, values, result;
  float scale;
  int64_t headSize, sharing;
  bool isCausal;

  /// The tensors among the slots of the call, and the slots themselves.
  GpuAttentionCall(const GpuAttention &attention, const int64_t *queries,
                   const int64_t *keys, const int64_t *values,
                   const int64_t *result, const int64_t *slots);

  /// Why tuned code cannot take it, or null: nothing may be empty, sizes have
  /// 31 bits, every query sees a key, boxes of all tensors can be copied, and
  /// the largest score stays the largest when it is scaled.
  const char *findObstacle() const;
  bool isPossible() const { return !findObstacle(); }
  /// The sizes, and in which order so many SMs compute tiles.
  TegulaAttention getSizes(int64_t numSMs) const;
  int64_t countTiles() const;
  /// How many blocks to launch.
  int64_t countBlocks(int64_t numSMs) const;

private:
  int64_t countTilesOfHead() const;
  float getBinaryScale() const;
  /// Of causal attention some tiles are longer than others. Two of a head that
  /// are as long as any other two keep its keys near, which matters for large
  /// heads, if all SMs have about as many of these; else tiles of all heads are
  /// sorted by length.
  int64_t chooseTogether(int64_t numSMs) const;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_GPUATTENTION_H
