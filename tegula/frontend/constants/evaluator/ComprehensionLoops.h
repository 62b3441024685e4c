// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Comprehensions, and generators, which are the same one element at a time.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_COMPREHENSIONLOOPS_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_COMPREHENSIONLOOPS_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

class Evaluator;

/// What a comprehension makes: a list, set, dict, or a generator that runs when
/// it is asked.
Object evaluateComprehension(Evaluator &evaluator,
                             const ast::Comprehension &node, Frame &frame);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_COMPREHENSIONLOOPS_H
