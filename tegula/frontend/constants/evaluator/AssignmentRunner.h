// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names, elements and attributes that get another value, or none.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ASSIGNMENTRUNNER_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ASSIGNMENTRUNNER_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/syntax/Ast.h"

namespace tegula {

class Evaluator;

/// Assigns and deletes.
class AssignmentRunner {
public:
  explicit AssignmentRunner(Evaluator &evaluator) : evaluator(evaluator) {}

  StatementEnd run(const ast::Assign &node, Frame &frame);
  StatementEnd run(const ast::AnnAssign &node, Frame &frame);
  StatementEnd run(const ast::AugAssign &node, Frame &frame);
  StatementEnd run(const ast::Delete &node, Frame &frame);

  /// Assigns to a name, an attribute, an element, or several of them.
  bool assign(const ast::Expr &target, const Object &value, Frame &frame);
  bool assignItem(const Object &container, const Object &index,
                  const Object &value);
  bool assignAttribute(const Object &object, llvm::StringRef name,
                       const Object &value);

private:
  bool unpack(const std::vector<ast::ExprPtr> &targets, const Object &value,
              Frame &frame);

  Evaluator &evaluator;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_ASSIGNMENTRUNNER_H
