// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Statements of ordinary Python.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_STATEMENTRUNNER_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_STATEMENTRUNNER_H

#include "tegula/frontend/constants/evaluator/Frame.h"
#include "tegula/frontend/syntax/AstWalk.h"

namespace tegula {

class AssignmentRunner;
class ClassMaker;
class Evaluator;

/// Runs statements.
class StatementRunner {
public:
  StatementRunner(Evaluator &evaluator, AssignmentRunner &assignments,
                  ClassMaker &classes)
      : evaluator(evaluator), assignments(assignments), classes(classes) {}

  StatementEnd run(Stmts stmts, Frame &frame);
  StatementEnd run(const ast::Stmt &stmt, Frame &frame);

private:
  StatementEnd runFor(const ast::For &node, Frame &frame);
  StatementEnd runWhile(const ast::While &node, Frame &frame);
  StatementEnd runIf(const ast::If &node, Frame &frame);
  StatementEnd runTry(const ast::Try &node, Frame &frame);
  StatementEnd runAssert(const ast::Assert &node, Frame &frame);
  StatementEnd runFunction(const ast::FunctionDef &node, Frame &frame);
  StatementEnd runJump(const ast::Stmt &stmt, Frame &frame);
  StatementEnd runImport(const ast::Stmt &stmt, Frame &frame);

  Evaluator &evaluator;
  AssignmentRunner &assignments;
  ClassMaker &classes;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_STATEMENTRUNNER_H
