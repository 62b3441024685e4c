// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `t: pl.Tile[[16, 64], pl.FP32] = ...`: what an author says of a local
/// variable must not contradict what it is.

#ifndef TEGULA_FRONTEND_IRGEN_LOCALANNOTATIONS_H
#define TEGULA_FRONTEND_IRGEN_LOCALANNOTATIONS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Expressions;

/// Checks annotations of local variables.
class LocalAnnotations : FunctionPart {
public:
  LocalAnnotations(FunctionState &state, Expressions &expressions)
      : FunctionPart(state), expressions(expressions) {}

  void check(const ast::AnnAssign &node, const Object &object);

private:
  void checkShape(llvm::StringRef name, const ast::Expr &shape,
                  mlir::Value value);
  void checkDtype(llvm::StringRef name, const ast::Expr &dtype,
                  mlir::Value value);

  Expressions &expressions;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOCALANNOTATIONS_H
