// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A module as text, with the author's names where values have some.

#ifndef TEGULA_RUNTIME_PRINTMODULE_H
#define TEGULA_RUNTIME_PRINTMODULE_H

#include "tegula/runtime/StageText.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tegula {

/// The text, and the place of each line of it.
StageText printModule(mlir::ModuleOp module);

} // namespace tegula

#endif // TEGULA_RUNTIME_PRINTMODULE_H
