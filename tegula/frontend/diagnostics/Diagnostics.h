// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the lexer and the parser send what is wrong with a source text. It
/// knows nothing of MLIR; whoever parses decides how a message is shown.

#ifndef TEGULA_FRONTEND_DIAGNOSTICS_DIAGNOSTICS_H
#define TEGULA_FRONTEND_DIAGNOSTICS_DIAGNOSTICS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/SMLoc.h"

namespace tegula {

/// Receives errors about a source text, in source order.
class SourceDiagnostics {
public:
  virtual ~SourceDiagnostics() = default;

  /// Takes one error. `loc` points into the parsed text, or one past its end.
  virtual void error(llvm::SMLoc loc, const llvm::Twine &message) = 0;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_DIAGNOSTICS_DIAGNOSTICS_H
