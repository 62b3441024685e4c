// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/GpuAttention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tegula;

/// Numbers of 32 bits count rows, and go a little beyond.
static constexpr int64_t mostExtent = (int64_t(1) << 30) - (1 << 20);

std::string GpuAttention::getKernel() const {
  return std::string("tegulaAttention") + (isBf16 ? "Bf16" : "Fp16") + "Head" +
         std::to_string(headSize);
}

const char *Fields<GpuAttention>::findMistake(const GpuAttention &attention) {
  for (GpuTensorNumber tensor :
       {attention.queries, attention.keys, attention.values, attention.result})
    if (tensor < 0)
      return "attention has queries, keys, values and a result";
  if (attention.headSize != 64 && attention.headSize != 128)
    return "the head size is 64 or 128";
  return attention.sharing < 1
             ? "a head of keys has one head of queries or more"
             : nullptr;
}

bool GpuHeads::hasBoxes() const {
  // Boxes know strides of 40 bits.
  constexpr int64_t mostStride = int64_t(1) << 38;
  auto isStride = [](int64_t stride) {
    return stride > 0 && stride % 8 == 0 && stride < mostStride;
  };
  return column == 1 && address % 16 == 0 && isStride(row) && isStride(head);
}

static float scaleOf(const GpuAttention &attention, const int64_t *slots) {
  if (attention.scaleSlot < 0)
    return attention.scale;
  auto bits = static_cast<uint32_t>(slots[attention.scaleSlot]);
  float scale;
  std::memcpy(&scale, &bits, sizeof(scale));
  return scale;
}

GpuAttentionCall::GpuAttentionCall(const GpuAttention &attention,
                                   const int64_t *queries, const int64_t *keys,
                                   const int64_t *values, const int64_t *result,
                                   const int64_t *slots)
    : queries(queries), keys(keys), values(values), result(result),
      scale(scaleOf(attention, slots)), headSize(attention.headSize),
      sharing(attention.sharing), isCausal(attention.isCausal) {}

const char *GpuAttentionCall::findObstacle() const {
  for (const GpuHeads *tensor : {&queries, &keys, &values, &result}) {
    if (tensor->heads <= 0 || tensor->rows <= 0)
      return "there are no heads, queries or keys";
    if (tensor->heads >= mostExtent || tensor->rows >= mostExtent)
      return "there are too many heads, queries or keys";
    if (tensor->columns != headSize)
      return "a head has another size";
    if (!tensor->hasBoxes())
      return "the rows of a tensor do not begin at multiples of 16 bytes, or "
             "its elements lie apart";
  }
  // The first of more queries than keys would see none.
  if (isCausal && queries.rows > keys.rows)
    return "there are more queries than keys, and keys are hidden";
  if (queries.heads != result.heads || queries.rows != result.rows ||
      keys.heads != values.heads || keys.rows != values.rows ||
      (queries.heads - 1) / sharing >= keys.heads)
    return "the sizes of tensors do not fit each other";
  if (!(scale > 0) || !std::isfinite(getBinaryScale()))
    return "the scale is not positive, or too large";
  return countTiles() < mostExtent ? nullptr : "there are too many tiles";
}

float GpuAttentionCall::getBinaryScale() const {
  constexpr float binaryLogarithmOfE = 1.44269504088896340736f;
  return scale * binaryLogarithmOfE;
}

TegulaAttention GpuAttentionCall::getSizes(int64_t numSMs) const {
  // Where nothing is hidden, every query is past all keys.
  int64_t past = isCausal ? keys.rows - queries.rows : keys.rows;
  TegulaAttention sizes;
  sizes.heads = static_cast<int32_t>(queries.heads);
  sizes.queries = static_cast<int32_t>(queries.rows);
  sizes.keys = static_cast<int32_t>(keys.rows);
  sizes.past = static_cast<int32_t>(past);
  sizes.sharing = static_cast<int32_t>(sharing);
  sizes.together = static_cast<int32_t>(chooseTogether(numSMs));
  sizes.scale = getBinaryScale();
  return sizes;
}

int64_t GpuAttentionCall::countTilesOfHead() const {
  int64_t rows = tegulaAttentionQueries(headSize);
  return (queries.rows + rows - 1) / rows;
}

int64_t GpuAttentionCall::countTiles() const {
  return countTilesOfHead() * queries.heads;
}

int64_t GpuAttentionCall::countBlocks(int64_t numSMs) const {
  return std::min(countTiles(), numSMs);
}

int64_t GpuAttentionCall::chooseTogether(int64_t numSMs) const {
  if (!isCausal)
    return 1;
  int64_t pairs = (countTilesOfHead() + 1) / 2 * queries.heads;
  int64_t rounds = (pairs + numSMs - 1) / numSMs;
  bool isShared = 10 * pairs >= 9 * rounds * numSMs;
  return headSize == 128 && isShared ? 0 : queries.heads;
}
