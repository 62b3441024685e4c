// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/IndexReader.h"

#include <type_traits>

using namespace tegula;

namespace {

namespace plain {
#include "tegula/launch/routines/ReadIndices.inc"
} // namespace plain

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace avx2 {
#include "tegula/launch/routines/ReadIndices.inc"
} // namespace avx2
#pragma clang attribute pop

#pragma clang attribute push(__attribute__((target("avx512f"))),               \
                             apply_to = function)
namespace avx512 {
#include "tegula/launch/routines/ReadIndices.inc"
} // namespace avx512
#pragma clang attribute pop
#endif

} // namespace

ReadIndices tegula::getIndexReaderPlain(DType dtype) {
  return plain::readerOf(dtype);
}

#if defined(__x86_64__)
ReadIndices tegula::getIndexReaderAvx2(DType dtype) {
  return avx2::readerOf(dtype);
}

ReadIndices tegula::getIndexReaderAvx512(DType dtype) {
  return avx512::readerOf(dtype);
}
#endif

ReadIndices tegula::getIndexReader(DType dtype, int64_t vectorBits) {
#if defined(__x86_64__)
  if (vectorBits >= 512)
    return getIndexReaderAvx512(dtype);
  if (vectorBits >= 256)
    return getIndexReaderAvx2(dtype);
#endif
  return getIndexReaderPlain(dtype);
}
