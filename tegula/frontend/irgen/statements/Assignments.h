// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assignments to names, tuples of names, and parts of tensors and tiles.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_ASSIGNMENTS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_ASSIGNMENTS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Expressions;
class Subscripts;

/// Assigns.
class Assignments : FunctionPart {
public:
  Assignments(FunctionState &state, Expressions &expressions,
              Subscripts &subscripts)
      : FunctionPart(state), expressions(expressions), subscripts(subscripts) {}

  void assign(const ast::Expr &target, const Object &value);
  /// `target op= value`
  void emitAugmented(const ast::AugAssign &node);

private:
  void assignName(llvm::StringRef name, mlir::Location loc,
                  const Object &value);
  void unpack(const std::vector<ast::ExprPtr> &targets, mlir::Location loc,
              const Object &value);
  void assignSubscript(const ast::Expr &target, const ast::Subscript &node,
                       const Object &value);

  Expressions &expressions;
  Subscripts &subscripts;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_ASSIGNMENTS_H
