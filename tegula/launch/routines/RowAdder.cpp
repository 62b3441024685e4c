// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/RowAdder.h"

using namespace tegula;

namespace {

constexpr int vectorBytes = 16;

#include "tegula/launch/routines/AddRows.inc"

} // namespace

AddRows tegula::getRowAdderPlain(DType dtype) { return adderOf(dtype); }

AddRows tegula::getRowAdder(DType dtype, int64_t vectorBits) {
#if defined(__x86_64__)
  if (vectorBits >= 512)
    return getRowAdderAvx512(dtype);
  if (vectorBits >= 256)
    return getRowAdderAvx2(dtype);
#endif
  return getRowAdderPlain(dtype);
}
