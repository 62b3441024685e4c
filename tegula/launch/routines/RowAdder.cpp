// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/RowAdder.h"

using namespace tegula;

namespace {

namespace plain {
constexpr int vectorBytes = 16;
#include "tegula/launch/routines/AddRows.inc"
} // namespace plain

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace avx2 {
constexpr int vectorBytes = 32;
#include "tegula/launch/routines/AddRows.inc"
} // namespace avx2
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx512f"))),               \
                             apply_to = function)
namespace avx512 {
constexpr int vectorBytes = 64;
#include "tegula/launch/routines/AddRows.inc"
} // namespace avx512
#pragma clang attribute pop
#endif

} // namespace

AddRows tegula::getRowAdderPlain(DType dtype) { return plain::adderOf(dtype); }

#if defined(__x86_64__)
AddRows tegula::getRowAdderAvx2(DType dtype) { return avx2::adderOf(dtype); }

AddRows tegula::getRowAdderAvx512(DType dtype) {
  return avx512::adderOf(dtype);
}
#endif

AddRows tegula::getRowAdder(DType dtype, int64_t vectorBits) {
#if defined(__x86_64__)
  if (vectorBits >= 512)
    return getRowAdderAvx512(dtype);
  if (vectorBits >= 256)
    return getRowAdderAvx2(dtype);
#endif
  return getRowAdderPlain(dtype);
}
