// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operators on objects of ordinary Python, and their truth.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_OPERATORS_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_OPERATORS_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

class Evaluator;

/// Whether Python takes it for true; stuck if that is not known.
bool isTrue(const Object &object, Object &problem);

/// `lhs op rhs`; stuck if there is no such operation.
Object applyBinary(Evaluator &evaluator, ast::BinaryOp op, const Object &lhs,
                   const Object &rhs);
Object applyCompare(Evaluator &evaluator, ast::CompareOp op, const Object &lhs,
                    const Object &rhs);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_OPERATORS_H
