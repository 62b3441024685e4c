// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/routines/IndexReader.h"

#include <type_traits>

using namespace tegula;

namespace {

#include "tegula/launch/routines/ReadIndices.inc"

} // namespace

ReadIndices tegula::getIndexReaderPlain(DType dtype) { return readerOf(dtype); }

ReadIndices tegula::getIndexReader(DType dtype, int64_t vectorBits) {
#if defined(__x86_64__)
  if (vectorBits >= 512)
    return getIndexReaderAvx512(dtype);
  if (vectorBits >= 256)
    return getIndexReaderAvx2(dtype);
#endif
  return getIndexReaderPlain(dtype);
}
