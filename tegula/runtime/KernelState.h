// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What copies of a Kernel share: its source and the code compiled so far.
/// Internal to the runtime.

#ifndef TEGULA_RUNTIME_KERNELSTATE_H
#define TEGULA_RUNTIME_KERNELSTATE_H

#include "tegula/runtime/SourceOrigin.h"

namespace tegula {

/// A kernel's source and its variants.
class KernelState {
public:
  explicit KernelState(const KernelSource &source)
      : source(source), dispatcher(std::make_unique<SourceOrigin>(source)) {}

  /// The source with its text, so that a changed file does not matter.
  const KernelSource source;
  Dispatcher dispatcher;
  /// The parameters as the source declares them, with what the body adds.
  Signature declared;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_KERNELSTATE_H
