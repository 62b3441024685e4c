// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much memory a call takes for what it computes on the way.

#ifndef TEGULA_RUNTIME_PROFILE_TENSORMEMORY_H
#define TEGULA_RUNTIME_PROFILE_TENSORMEMORY_H

#include "tegula/runtime/Compiler.h"
#include "tegula/transforms/plan/TensorBytes.h"

namespace tegula {

/// What the tensors that the kernel makes take in a call with these arguments,
/// of which only sizes are looked at. Nothing is compiled to the end, or run.
[[nodiscard]] Expected<TensorBytes>
findTensorMemory(const KernelSource &source,
                 llvm::ArrayRef<Argument> arguments);

/// "5 tensors in 2 slots: 4096 bytes at most at once, 9216 if they shared
/// nothing".
std::string describeMemory(const TensorBytes &memory);

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_TENSORMEMORY_H
