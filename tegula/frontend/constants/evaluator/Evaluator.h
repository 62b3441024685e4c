// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the ordinary Python that constants are computed with: expressions,
/// statements, functions and classes, with the results that Python gives. It
/// reads no files, starts nothing and always ends: steps, sizes and depth are
/// limited. Nothing is reported; what has no value says why.

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EVALUATOR_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EVALUATOR_H

#include "tegula/frontend/constants/evaluator/AssignmentRunner.h"
#include "tegula/frontend/constants/evaluator/ClassMaker.h"
#include "tegula/frontend/constants/evaluator/EvaluationBudget.h"
#include "tegula/frontend/constants/evaluator/ExpressionEvaluator.h"
#include "tegula/frontend/constants/evaluator/FunctionCaller.h"
#include "tegula/frontend/constants/evaluator/Instances.h"
#include "tegula/frontend/constants/evaluator/ObjectLifetimes.h"
#include "tegula/frontend/constants/evaluator/StatementRunner.h"

namespace tegula {

class SourceFiles;

/// Evaluates for all files of one program. The work is done by parts, each with
/// one job, which find each other here.
class Evaluator {
public:
  /// `outside` has the variables of the environment; there are none if it is
  /// null.
  explicit Evaluator(mlir::MLIRContext &context, SourceFiles *outside = nullptr)
      : context(context), outside(outside) {}
  Evaluator(const Evaluator &) = delete;
  Evaluator &operator=(const Evaluator &) = delete;

  /// The value of an expression; stuck if there is none.
  Object evaluate(const ast::Expr &expr, Frame &frame) {
    return expressions.evaluate(expr, frame);
  }
  /// Runs statements. After StatementEnd::Failed, getFailure says why.
  StatementEnd run(Stmts stmts, Frame &frame) {
    return statements.run(stmts, frame);
  }
  StatementEnd run(const ast::Stmt &stmt, Frame &frame) {
    return statements.run(stmt, frame);
  }
  StatementEnd fail(Object why) {
    failure = std::move(why);
    return StatementEnd::Failed;
  }
  const Object &getFailure() const { return failure; }

  Object call(const Object &callee, OrdinaryArguments arguments) {
    return functions.call(callee, std::move(arguments));
  }
  Object makeFunction(const std::vector<ast::Param> &params,
                      llvm::StringRef name, llvm::SMLoc loc, Frame &frame,
                      llvm::function_ref<void(FunctionThing &)> fill) {
    return functions.makeFunction(params, name, loc, frame, fill);
  }

  /// Assigns to a name, an attribute, an element, or several of them.
  bool assign(const ast::Expr &target, const Object &value, Frame &frame) {
    return assignments.assign(target, value, frame);
  }
  bool assignItem(const Object &container, const Object &index,
                  const Object &value) {
    return assignments.assignItem(container, index, value);
  }
  bool assignAttribute(const Object &object, llvm::StringRef name,
                       const Object &value) {
    return assignments.assignAttribute(object, name, value);
  }

  Object instantiate(const std::shared_ptr<ClassThing> &type,
                     OrdinaryArguments arguments) {
    return instances.instantiate(type, std::move(arguments));
  }
  Object attribute(const Object &object, llvm::StringRef name) {
    return instances.attribute(object, name);
  }
  /// What `self` has in the kernels of a program besides what its class says:
  /// what the bases have, and what `__init__` sets when it is given nothing.
  std::vector<std::pair<llvm::StringRef, Object>>
  readAttributes(const ast::ClassDef &program, Frame &frame) {
    return classes.readAttributes(program, frame);
  }

  /// What an iterator gives next. Iterators may be made from one another.
  std::optional<Object> next(IteratorThing &iterator);
  /// An iterator over `object`, or null, and `problem` says why.
  std::shared_ptr<IteratorThing> iterate(const Object &object, Object &problem);
  /// All that an iterator over `object` gives; nothing if there is none, and
  /// `problem` says why.
  std::optional<std::vector<Object>> collect(const Object &object,
                                             Object &problem);

  mlir::MLIRContext &getContext() const { return context; }
  /// A variable of the environment.
  std::optional<std::string> findVariable(llvm::StringRef name);

  EvaluationBudget budget;
  ObjectLifetimes lifetimes;

private:
  mlir::MLIRContext &context;
  SourceFiles *outside;
  Object failure;
  FunctionCaller functions{*this};
  Instances instances{*this};
  ClassMaker classes{*this, instances};
  AssignmentRunner assignments{*this};
  ExpressionEvaluator expressions{*this, functions};
  StatementRunner statements{*this, assignments, classes};
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_EVALUATOR_H
