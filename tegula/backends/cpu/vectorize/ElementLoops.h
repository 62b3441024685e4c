// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over single elements, for ops that vectors cannot compute.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_ELEMENTLOOPS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_ELEMENTLOOPS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class ElementAccess;

class ElementLoops : NestPart {
public:
  ElementLoops(NestState &state, ElementAccess &access)
      : NestPart(state), access(access) {}

  /// All loops in order, and the body as it is.
  void emit() { emitFrom(0); }

private:
  void emitFrom(unsigned position);
  void emitElement();

  ElementAccess &access;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_ELEMENTLOOPS_H
