// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every part of the generator of a function does with its state.

#ifndef TEGULA_FRONTEND_IRGEN_FUNCTIONPART_H
#define TEGULA_FRONTEND_IRGEN_FUNCTIONPART_H

#include "tegula/frontend/irgen/FunctionState.h"

namespace tegula {

/// A part of the generator of a function.
class FunctionPart {
public:
  /// Parts know each other by where they are.
  FunctionPart(const FunctionPart &) = delete;

protected:
  explicit FunctionPart(FunctionState &state)
      : state(state), emitter(state.emitter), scope(state.scope) {}

  mlir::Location locate(llvm::SMLoc loc) const { return state.locate(loc); }
  mlir::Location locate(const ast::Expr &expr) const {
    return state.locate(expr.loc);
  }
  /// Reports an error and gives the poisoned object.
  Object fail(mlir::Location loc, const llvm::Twine &message,
              llvm::ArrayRef<Note> notes = {}) {
    return emitter.fail(loc, message, notes);
  }

  FunctionState &state;
  Emitter &emitter;
  Scope &scope;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_FUNCTIONPART_H
