// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which memory of the iterations of a loop is memory that the threads of a
/// block share: that of tiles, and of tensors that the iteration makes.

#ifndef TEGULA_BACKENDS_CUDA_THREADS_SHAREDFRAMES_H
#define TEGULA_BACKENDS_CUDA_THREADS_SHAREDFRAMES_H

#include "tegula/backends/cuda/threads/ThreadCode.h"

namespace tegula {

/// Of one kernel.
class SharedFrames {
public:
  explicit SharedFrames(int64_t most) : most(most) {}

  /// Iterations of this loop are distributed from now on. What threads pass
  /// from registers to registers is at the beginning.
  void enter(mlir::scf::ForOp iterations);
  /// Has so many bytes at least.
  void keep(int64_t bytes) { used = std::max(used, bytes); }
  /// Gives what the call asks for, in every iteration, if it fits; the call is
  /// then gone.
  bool replacePush(ThreadCode code, mlir::LLVM::CallOp push);
  bool replaceAllocation(ThreadCode code, mlir::LLVM::CallOp allocate);
  int64_t getBytes() const { return used; }

private:
  mlir::Value take(ThreadCode &code, mlir::LLVM::CallOp call);

  int64_t most;
  int64_t used = 0;
  /// By the iterations that are distributed, so far.
  int64_t taken = 0;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_THREADS_SHAREDFRAMES_H
