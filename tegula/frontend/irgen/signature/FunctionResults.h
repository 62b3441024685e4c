// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a function returns: the types behind `->`, and the parameters that an
/// entry hands back as they are.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_FUNCTIONRESULTS_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_FUNCTIONRESULTS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class EntryResults;
class SymbolExtents;

/// Checks what is returned.
class FunctionResults : FunctionPart {
public:
  FunctionResults(FunctionState &state, SymbolExtents &symbolExtents,
                  EntryResults &entryResults)
      : FunctionPart(state), symbolExtents(symbolExtents),
        entryResults(entryResults) {}

  /// What `return value` leaves to be given to the caller at the end.
  Object take(const Object &value, mlir::Location loc);

private:
  void checkReturned(const Object &value, mlir::Location loc);
  void checkResult(const DeclaredParameter &declared, const Object &value,
                   mlir::Location loc);
  bool returnsParameters(const Object &value);

  SymbolExtents &symbolExtents;
  EntryResults &entryResults;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_FUNCTIONRESULTS_H
