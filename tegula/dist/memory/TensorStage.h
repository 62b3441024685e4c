// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tensors of a call that only one process sees, as copies in memory that all
/// ranks see.

#ifndef TEGULA_DIST_MEMORY_TENSORSTAGE_H
#define TEGULA_DIST_MEMORY_TENSORSTAGE_H

#include "tegula/launch/call/Signature.h"
#include "tegula/support/TensorView.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace tegula {

/// The slots of a call (KernelAbi.h) and the copies behind them. Copies have
/// the strides of what they are of; gaps between elements are not copied.
class TensorStage {
public:
  TensorStage(const Signature &signature, int64_t *slots);

  /// Replaces each tensor that is not `isShared` by memory from `allocate`,
  /// which begins with nothing; false if that gives none.
  bool allocateCopies(llvm::function_ref<bool(const void *)> isShared,
                      llvm::function_ref<void *(int64_t bytes)> allocate);

  /// True if no tensor was replaced.
  bool isEmpty() const { return copies.empty(); }

  /// Copies to the copies what is the part of one of so many ranks.
  void copyIn(int64_t rank, int64_t count) const;
  /// Copies all that was written back.
  void copyOut() const;

private:
  struct Copy {
    /// As the caller passed it, and the same in shared memory.
    TensorView outside, inside;
    bool isWritten;
  };

  const Signature &signature;
  int64_t *slots;
  std::vector<Copy> copies;
};

/// Calls `use` with each tensor parameter, and the number of its first slot.
void forEachTensorSlot(
    const Signature &signature,
    llvm::function_ref<void(const Parameter &, unsigned slot)> use);

} // namespace tegula

#endif // TEGULA_DIST_MEMORY_TENSORSTAGE_H
