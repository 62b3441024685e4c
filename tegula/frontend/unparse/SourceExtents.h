// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Source does not say how long what comes out of a loop is: it asks. Brings a
/// program into that form before it is written.

#ifndef TEGULA_FRONTEND_UNPARSE_SOURCEEXTENTS_H
#define TEGULA_FRONTEND_UNPARSE_SOURCEEXTENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Takes every pl.with_extents away. An extent that comes out of a loop, a
/// branch or a call besides its value is read off the value instead, and comes
/// out no more.
void askForExtents(mlir::ModuleOp module);

} // namespace tegula

#endif // TEGULA_FRONTEND_UNPARSE_SOURCEEXTENTS_H
