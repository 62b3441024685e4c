// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When rows are stored past the caches.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_STREAMINGROWS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_STREAMINGROWS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class StridedStaging;
struct CacheHints;

class StreamingRows : NestPart {
public:
  StreamingRows(NestState &state, const CacheHints &hints,
                StridedStaging &staged)
      : NestPart(state), hints(hints), staged(staged) {}

  /// True if there are loops of their own for stores past the caches.
  bool canStream() const;
  /// An i1: stores go to the caches.
  mlir::Value areStoresNear();

private:
  /// An i1: rows are so short that they are better kept in the caches.
  mlir::Value areRowsInCache();

  const CacheHints &hints;
  StridedStaging &staged;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_STREAMINGROWS_H
