// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/advice/Advice.h"

#include "tegula/transforms/plan/BufferSize.h"

using namespace mlir;
using namespace tegula;

void Advised::remark(Location loc, const std::string &text) {
  if (remarked.insert({loc.getAsOpaquePointer(), text}).second)
    emitRemark(loc) << text;
}

int64_t tegula::countLanes(Type element, const CpuOptions &options) {
  unsigned bits = memoryType(element).getIntOrFloatBitWidth();
  if (pl::isFloat(element))
    bits = std::max(bits, 32u);
  return std::max<int64_t>(1, options.vectorBits / bits);
}
