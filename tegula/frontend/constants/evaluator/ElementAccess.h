// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elements and slices of lists, tuples, dicts, strings and ranges.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ELEMENTACCESS_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ELEMENTACCESS_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

class Evaluator;

/// `container[index]`; stuck if there is no such element.
Object elementOf(Evaluator &evaluator, const Object &container,
                 const Object &index);

/// `value[lower:upper:step]`
Object sliceOf(Evaluator &evaluator, const Object &value,
               const ast::Slice &node, Frame &frame);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ELEMENTACCESS_H
