// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over rows that may have gaps, as the strides of a call tell.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_STAGEDCHUNKS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_STAGEDCHUNKS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class StridedStaging;

class StagedChunks : NestPart {
public:
  StagedChunks(NestState &state, StridedStaging &staged)
      : NestPart(state), staged(staged) {}

  /// Rows that may have gaps are read and written by way of a buffer.
  void stageRows();

  /// What `emitRows` makes: for all iterations at once where rows have no
  /// gaps, else for a chunk of one row at a time.
  void emit(llvm::function_ref<void()> emitRows) { emitFrom(0, emitRows); }

private:
  /// The loops from this one on.
  void emitFrom(unsigned position, llvm::function_ref<void()> emitRows);
  void emitChunk(llvm::function_ref<void()> emitRows);

  StridedStaging &staged;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_STAGEDCHUNKS_H
