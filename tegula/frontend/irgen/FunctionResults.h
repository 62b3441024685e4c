// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a function returns: the types behind `->`, and the parameters that an
/// entry hands back.

#ifndef TEGULA_FRONTEND_IRGEN_FUNCTIONRESULTS_H
#define TEGULA_FRONTEND_IRGEN_FUNCTIONRESULTS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class SymbolExtents;

/// Checks what is returned.
class FunctionResults : FunctionPart {
public:
  FunctionResults(FunctionState &state, SymbolExtents &symbolExtents)
      : FunctionPart(state), symbolExtents(symbolExtents) {}

  /// What `return value` gives to a caller inside the program.
  Object take(const Object &value, mlir::Location loc);

private:
  void checkReturned(const Object &value, mlir::Location loc);
  void checkResult(const DeclaredParameter &declared, const Object &value,
                   mlir::Location loc);
  void noteEntryReturns(const Object &value, mlir::Location loc);

  SymbolExtents &symbolExtents;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_FUNCTIONRESULTS_H
