// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The C function of a kernel in a library that stands alone.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_STANDALONEENTRY_H
#define TEGULA_BACKENDS_CPU_OBJECT_STANDALONEENTRY_H

#include "tegula/backends/Backend.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

namespace tegula {

/// What the C function is made of.
struct StandaloneEntry {
  /// Its name.
  std::string name;
  Signature signature;
  /// What tegula::writeFacts made.
  std::string facts;
  /// What the processor must have, with spaces between.
  std::string features;
  /// Parameters that the function does not take.
  llvm::ArrayRef<BoundTensor> bound = {};
  /// Whether it takes a stream before the message.
  bool takesStream = false;
};

/// Adds `int32_t name(parameters..., [void *stream,] char *message, size_t
/// messageSize)`, which
/// checks its arguments and calls `kernel`, a TegulaKernel. A tensor is a
/// pointer to a TegulaTensor, a number is passed as getPassedType says.
void addStandaloneEntry(llvm::Function &kernel, const StandaloneEntry &entry);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_STANDALONEENTRY_H
