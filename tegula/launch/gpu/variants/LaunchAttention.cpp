// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention on chips that have tuned code for it.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

using namespace tegula;
using namespace tegula::cuda;

/// The box of a tensor that is copied at once: 64 elements of rows of one head.
static Result encode(const Driver &driver, const GpuHeads &tensor, bool isBf16,
                     int32_t boxRows, TegulaTensorMap &map) {
  uint64_t sizes[] = {uint64_t(tensor.columns), uint64_t(tensor.rows),
                      uint64_t(tensor.heads)};
  uint64_t pitches[] = {uint64_t(tensor.row) * 2, uint64_t(tensor.head) * 2};
  uint32_t box[] = {64, static_cast<uint32_t>(boxRows), 1}, steps[] = {1, 1, 1};
  return driver.encodeMap(&map, isBf16 ? mapBf16 : mapFp16, 3,
                          reinterpret_cast<void *>(tensor.address), sizes,
                          pitches, box, steps, 0, swizzle128Bytes,
                          promoteTo256Bytes, 0);
}

bool Kernel::attend(const Loaded &on, const int64_t *slots, Stream queue,
                    std::string &problem) {
  if (!on.matmuls || !program.attention)
    return false;
  const GpuAttention &attention = *program.attention;
  auto at = [&](int64_t tensor) {
    return slots + program.tensors[tensor].slot;
  };
  GpuAttentionCall call(attention, at(attention.queries), at(attention.keys),
                        at(attention.values), at(attention.result), slots);
  if (!call.isPossible())
    return false;
  TegulaTensorMap queries, keys, values, result;
  TegulaAttention sizes = call.getSizes(on.numSMs);
  void *parameters[] = {&queries, &keys, &values, &result, &sizes};
  auto map = [&](const GpuHeads &tensor, int32_t rows, TegulaTensorMap &to) {
    return check(encode(driver, tensor, attention.isBf16, rows, to),
                 "describe a tensor", problem);
  };
  int32_t blockQueries = tegulaAttentionQueries(call.headSize);
  Launch launch;
  launch.blocks = static_cast<unsigned>(call.countBlocks(on.numSMs));
  launch.threads = static_cast<unsigned>(tegulaAttentionThreads(call.headSize));
  launch.shared = static_cast<unsigned>(tegulaAttentionShared(call.headSize));
  launch.queue = queue;
  launch.overlaps = on.overlaps;
  // Who fails has said why.
  (void)(map(call.queries, blockQueries, queries) &&
         map(call.keys, tegulaAttentionKeys, keys) &&
         map(call.values, tegulaAttentionKeys, values) &&
         map(call.result, 64, result) &&
         launchVariant(
             on, 0, [&] { return attention.getKernel(); }, launch, parameters,
             problem));
  return true;
}
