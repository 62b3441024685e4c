// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Python's operators on values known while compiling, with Python's results:
/// `/` gives a float, `//` and `%` round down, comparisons mix number types.

#ifndef TEGULA_FRONTEND_CONSTANTS_CONSTANTFOLDING_H
#define TEGULA_FRONTEND_CONSTANTS_CONSTANTFOLDING_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

/// True if the operators below can be asked about this object: a number, a
/// string, None, or a tuple or dtype (for `==` and the like).
bool isConstant(const Object &object);

/// The result of an operator, or an UnusableObject that says what is wrong.
Object foldUnary(ast::UnaryOp op, const Object &operand);
Object foldBinary(ast::BinaryOp op, const Object &lhs, const Object &rhs);
Object foldCompare(ast::CompareOp op, const Object &lhs, const Object &rhs);

/// Whether Python takes a constant for true.
bool isTrue(const Object &object);

/// `min`, `max`, `abs`, `int`, `float`, `bool`, `len` and the functions of
/// `math` on constants; nothing if the function does not take them.
std::optional<Object> foldCall(llvm::StringRef name,
                               llvm::ArrayRef<Object> arguments);

/// `tuple[index]` for any index from either end, or an UnusableObject.
Object foldElement(const std::vector<Object> &tuple, const Object &index);

/// The same for a tuple or a dict.
Object foldItem(const Object &container, const Object &index);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_CONSTANTFOLDING_H
