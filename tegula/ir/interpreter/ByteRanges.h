// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bytes of strided views, as ranges.

#ifndef TEGULA_IR_INTERPRETER_BYTERANGES_H
#define TEGULA_IR_INTERPRETER_BYTERANGES_H

#include "tegula/support/TensorView.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace tegula::pl {

/// From `begin` up to, not including, `end`.
struct ByteRange {
  char *begin;
  char *end;
};

/// Calls `visit` with the bytes of the first `extents` elements, in their
/// order; elements that lie next to each other are one range. Of half bytes,
/// the byte that both lie in.
void forEachByteRange(const TensorView &view, llvm::ArrayRef<int64_t> extents,
                      llvm::function_ref<void(ByteRange)> visit);

/// All of them, sorted, none touching the next.
std::vector<ByteRange> getByteRanges(const TensorView &view);

/// True if a byte is in both, which are sorted.
bool overlap(llvm::ArrayRef<ByteRange> lhs, llvm::ArrayRef<ByteRange> rhs);

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_BYTERANGES_H
