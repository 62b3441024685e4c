// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/IndexReader.h"

#if defined(__x86_64__)
#include <type_traits>

using namespace tegula;

#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
namespace {

#include "tegula/launch/routines/ReadIndices.inc"

} // namespace
#pragma clang attribute pop

ReadIndices tegula::getIndexReaderAvx2(DType dtype) { return readerOf(dtype); }
#endif
