// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The matmul of a program with the tensors of a call, and what its epilogue
/// reads and writes.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_MATMULOFCALL_H
#define TEGULA_LAUNCH_GPU_VARIANTS_MATMULOFCALL_H

#include "tegula/launch/gpu/GpuProgram.h"

#include <algorithm>

namespace tegula {

struct MatmulOfCall {
  const GpuProgram &program;
  const int64_t *slots;
  GpuMatmulCall call;
  GpuRowCall rows;

  /// Of a program that is a matmul.
  MatmulOfCall(const GpuProgram &program, const int64_t *slots);

  const GpuMatmul &getMatmul() const { return *program.matmul; }
  /// The slots of a tensor.
  const int64_t *at(int64_t tensor) const {
    return slots + program.tensors[tensor].slot;
  }

  /// Why tuned code cannot take it, or null.
  const char *findObstacle() const;

  /// Its sizes and slots, as every kernel is told them (abi/).
  template <typename Parameters> void describe(Parameters &numbers) const {
    numbers.rows = static_cast<int32_t>(call.left.rows);
    numbers.columns = static_cast<int32_t>(call.right.columns);
    numbers.inner = static_cast<int32_t>(call.left.columns);
    std::copy(slots, slots + program.numSlots, numbers.slots);
  }
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_MATMULOFCALL_H
