// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic on symbols outside of a body, as in `pl.Tensor[[M // 2, 2 * M],
/// pl.FP32]`. The result is a symbol again, one that is computed from others.

#ifndef TEGULA_FRONTEND_CONSTANTS_EXTENTEXPRESSION_H
#define TEGULA_FRONTEND_CONSTANTS_EXTENTEXPRESSION_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/syntax/Ast.h"
#include "tegula/support/ExtentProgram.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {

/// One operation on two extents.
struct ExtentExpression {
  enum class Op { Add, Sub, Mul, FloorDiv, Mod, Min, Max };

  /// A number if there is no symbol.
  struct Operand {
    std::shared_ptr<Symbol> symbol;
    int64_t number = 0;
  };

  Op op;
  Operand lhs, rhs;
};

/// True if one is a symbol and both are symbols or integers.
bool isExtentArithmetic(const Object &lhs, const Object &rhs);

/// The symbol for an operation on symbols and integers, or an UnusableObject if
/// extents have no such operation.
Object combineExtents(ast::BinaryOp op, const Object &lhs, const Object &rhs);
Object combineExtents(ExtentExpression::Op op, const Object &lhs,
                      const Object &rhs);

/// `pl.min`, `pl.max`, `pl.cdiv`, and Python's `min` and `max`, on symbols and
/// integers; nothing if the function does not take them.
std::optional<Object> callOnExtents(llvm::StringRef name,
                                    llvm::ArrayRef<Object> arguments);

/// The symbols made by pl.dynamic that `symbol` is computed from, each once;
/// itself if it is one.
void collectBases(const std::shared_ptr<Symbol> &symbol,
                  llvm::SetVector<Symbol *> &bases);

/// Gives an expression the text that the names of its symbols make now; does
/// nothing to others.
void nameExpression(Symbol &symbol);

/// The program that computes it from the names of its bases.
ExtentProgram programOf(const std::shared_ptr<Symbol> &symbol);

/// How to find an unknown symbol from the value of an expression that it
/// appears in once, outermost step first.
struct InverseStep {
  ExtentExpression::Op op;
  /// The operand that is known, and whether it is the left one.
  ExtentExpression::Operand other;
  bool isLeft;
};

/// The steps, or nothing if the unknown appears more than once or below an
/// operation that forgets it, such as `//`.
std::optional<std::vector<InverseStep>>
invertExpression(const std::shared_ptr<Symbol> &symbol, const Symbol *unknown);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EXTENTEXPRESSION_H
