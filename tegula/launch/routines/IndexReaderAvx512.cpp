// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/IndexReader.h"

#if defined(__x86_64__)
#include <type_traits>

using namespace tegula;

#pragma clang attribute push(__attribute__((target("avx512f"))),               \
                             apply_to = function)
namespace {

#include "tegula/launch/routines/ReadIndices.inc"

} // namespace
#pragma clang attribute pop

ReadIndices tegula::getIndexReaderAvx512(DType dtype) {
  return readerOf(dtype);
}
#endif
