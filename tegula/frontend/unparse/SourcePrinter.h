// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A module of the pl dialect as kernel source again. The text parses to the
/// same program; what has no form in the language is an error that names it.

#ifndef TEGULA_FRONTEND_UNPARSE_SOURCEPRINTER_H
#define TEGULA_FRONTEND_UNPARSE_SOURCEPRINTER_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace tegula {

/// How much is left to the front end.
enum class SourceStyle {
  /// Broadcasts, constant tiles and the sizes of stores are left out where the
  /// front end is expected to put them in again.
  Short,
  /// All of them are written out.
  Explicit
};

/// The source of the module's entry and of the functions it calls. Emits an
/// error if there is none.
llvm::FailureOr<std::string> printSource(mlir::ModuleOp module,
                                         SourceStyle style);

} // namespace tegula

#endif // TEGULA_FRONTEND_UNPARSE_SOURCEPRINTER_H
