// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `t: pl.Tile[[16, 64], pl.FP32] = ...`: what an author says of a local
/// variable must not contradict what it is.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_LOCALANNOTATIONS_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_LOCALANNOTATIONS_H

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
  /// The annotation of a name, or a part of it, and what it is about.
  struct Declared {
    llvm::StringRef name;
    const ast::Expr &type;
    const Object &object;
  };

  void check(const Declared &declared);
  void checkPlain(const Declared &declared);
  void checkSubscript(const Declared &declared, const ast::Subscript &node);
  void checkTuple(const Declared &declared,
                  llvm::ArrayRef<const ast::Expr *> types);
  bool checkKind(const Declared &declared, llvm::StringRef kind);
  void contradict(const Declared &declared, const llvm::Twine &shown);
  void checkSymbol(llvm::StringRef name, const ast::Expr &entry,
                   const Object &extent, mlir::Value value, unsigned axis);
  bool isMask(const ast::Expr &dtype, mlir::Value value);
  void checkShape(llvm::StringRef name, const ast::Expr &shape,
                  mlir::Value value);
  void checkDtype(llvm::StringRef name, const ast::Expr &dtype,
                  mlir::Value value);

  Expressions &expressions;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_LOCALANNOTATIONS_H
