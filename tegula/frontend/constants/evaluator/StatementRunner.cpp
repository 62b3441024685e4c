// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/StatementRunner.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/evaluator/AssignmentRunner.h"
#include "tegula/frontend/constants/evaluator/ClassMaker.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/library/PythonText.h"
#include "tegula/frontend/constants/module/ModuleConstants.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

StatementEnd StatementRunner::run(Stmts stmts, Frame &frame) {
  for (const ast::StmtPtr &stmt : stmts) {
    StatementEnd flow = run(*stmt, frame);
    if (flow != StatementEnd::Next)
      return flow;
  }
  return StatementEnd::Next;
}

StatementEnd StatementRunner::run(const ast::Stmt &stmt, Frame &frame) {
  Object problem;
  if (!evaluator.budget.spend(1, problem))
    return evaluator.fail(problem);
  if (evaluator.budget.nesting == EvaluationBudget::maxNesting)
    return evaluator.fail(stuck("expressions and calls are nested too deeply"));
  llvm::SaveAndRestore deeper(evaluator.budget.nesting,
                              evaluator.budget.nesting + 1);
  if (const auto *node = std::get_if<ast::Assign>(&stmt.node))
    return assignments.run(*node, frame);
  if (const auto *node = std::get_if<ast::AnnAssign>(&stmt.node))
    return assignments.run(*node, frame);
  if (const auto *node = std::get_if<ast::AugAssign>(&stmt.node))
    return assignments.run(*node, frame);
  if (const auto *node = std::get_if<ast::ExprStmt>(&stmt.node)) {
    Object value = evaluator.evaluate(*node->value, frame);
    return value.isStuck() ? evaluator.fail(value) : StatementEnd::Next;
  }
  if (const auto *node = std::get_if<ast::For>(&stmt.node))
    return runFor(*node, frame);
  if (const auto *node = std::get_if<ast::While>(&stmt.node))
    return runWhile(*node, frame);
  if (const auto *node = std::get_if<ast::If>(&stmt.node))
    return runIf(*node, frame);
  if (const auto *node = std::get_if<ast::Try>(&stmt.node))
    return runTry(*node, frame);
  if (const auto *node = std::get_if<ast::Assert>(&stmt.node))
    return runAssert(*node, frame);
  if (const auto *node = std::get_if<ast::FunctionDef>(&stmt.node))
    return runFunction(*node, frame);
  if (const auto *node = std::get_if<ast::ClassDef>(&stmt.node))
    return classes.run(*node, frame);
  if (const auto *node = std::get_if<ast::Delete>(&stmt.node))
    return assignments.run(*node, frame);
  return runJump(stmt, frame);
}

/// What leaves a block, or does nothing.
StatementEnd StatementRunner::runJump(const ast::Stmt &stmt, Frame &frame) {
  if (const auto *node = std::get_if<ast::Return>(&stmt.node)) {
    if (node->value)
      frame.returned = evaluator.evaluate(*node->value, frame);
    return frame.returned.isStuck() ? evaluator.fail(frame.returned)
                                    : StatementEnd::Return;
  }
  if (std::holds_alternative<ast::Raise>(stmt.node))
    return evaluator.fail(stuck("an exception is raised at line " +
                                llvm::Twine(frame.source.lineOf(stmt.loc))));
  if (std::holds_alternative<ast::Break>(stmt.node))
    return StatementEnd::Break;
  if (std::holds_alternative<ast::Continue>(stmt.node))
    return StatementEnd::Continue;
  if (std::holds_alternative<ast::Pass>(stmt.node))
    return StatementEnd::Next;
  return runImport(stmt, frame);
}

/// An import of a module, or a statement that constants cannot be made with.
StatementEnd StatementRunner::runImport(const ast::Stmt &stmt, Frame &frame) {
  const auto *import = std::get_if<ast::Import>(&stmt.node);
  const auto *from = std::get_if<ast::ImportFrom>(&stmt.node);
  if (frame.module && (import || from)) {
    if (import)
      frame.module->getImports().run(*import, frame.scope);
    else
      frame.module->getImports().run(*from, frame.scope);
    return StatementEnd::Next;
  }
  if (const auto *node = std::get_if<ast::Skipped>(&stmt.node))
    return evaluator.fail(stuck(node->what));
  if (std::optional<ast::Unsupported> node = ast::leftOut(stmt))
    return evaluator.fail(stuck(node->what + " is not understood here"));
  return evaluator.fail(stuck("a 'with' is not understood here"));
}

StatementEnd StatementRunner::runIf(const ast::If &node, Frame &frame) {
  for (const ast::IfBranch &branch : node.branches) {
    Object condition = evaluator.evaluate(*branch.condition, frame);
    if (condition.isStuck())
      return evaluator.fail(condition);
    Object problem;
    bool value = isTrue(condition, problem);
    if (problem.is<UnusableObject>())
      return evaluator.fail(problem);
    if (value)
      return run(branch.body, frame);
  }
  return run(node.orelse, frame);
}

StatementEnd StatementRunner::runFor(const ast::For &node, Frame &frame) {
  Object iterable = evaluator.evaluate(*node.iter, frame);
  if (iterable.isStuck())
    return evaluator.fail(iterable);
  Object problem;
  std::shared_ptr<IteratorThing> iterator =
      evaluator.iterate(iterable, problem);
  if (!iterator)
    return evaluator.fail(problem);
  while (std::optional<Object> element = evaluator.next(*iterator)) {
    if (element->isStuck())
      return evaluator.fail(*element);
    if (!evaluator.budget.spend(1, problem))
      return evaluator.fail(problem);
    if (!evaluator.assign(*node.target, *element, frame))
      return StatementEnd::Failed;
    StatementEnd flow = run(node.body, frame);
    if (flow == StatementEnd::Break)
      return StatementEnd::Next;
    if (flow != StatementEnd::Next && flow != StatementEnd::Continue)
      return flow;
  }
  return run(node.orelse, frame);
}

StatementEnd StatementRunner::runWhile(const ast::While &node, Frame &frame) {
  while (true) {
    Object condition = evaluator.evaluate(*node.condition, frame);
    if (condition.isStuck())
      return evaluator.fail(condition);
    Object problem;
    bool value = isTrue(condition, problem);
    if (problem.is<UnusableObject>())
      return evaluator.fail(problem);
    if (!value)
      return run(node.orelse, frame);
    StatementEnd flow = run(node.body, frame);
    if (flow == StatementEnd::Break)
      return StatementEnd::Next;
    if (flow != StatementEnd::Next && flow != StatementEnd::Continue)
      return flow;
  }
}

StatementEnd StatementRunner::runAssert(const ast::Assert &node, Frame &frame) {
  Object condition = evaluator.evaluate(*node.condition, frame);
  if (condition.isStuck())
    return evaluator.fail(condition);
  Object problem;
  bool value = isTrue(condition, problem);
  if (problem.is<UnusableObject>())
    return evaluator.fail(problem);
  if (value)
    return StatementEnd::Next;
  Object message =
      node.message ? evaluator.evaluate(*node.message, frame) : Object::none();
  const auto *text = message.as<StringObject>();
  return evaluator.fail(
      stuck("an assertion at line " +
            llvm::Twine(frame.source.lineOf(node.condition->loc)) +
            " does not hold" + (text ? ": " + text->value : "")));
}

/// `try` guards imports, mostly: of another package with the same names, or of
/// one that need not be there. What else goes wrong in one is not understood.
StatementEnd StatementRunner::runTry(const ast::Try &node, Frame &frame) {
  const ast::Stmt *missing =
      frame.module ? frame.module->getImports().findMissing(node.body)
                   : nullptr;
  if (missing) {
    // Names that are imported in its stead are as good; others depend on it.
    for (const ast::ExceptClause &handler : node.handlers)
      if (frame.module->getImports().importsOnly(handler.body))
        return run(handler.body, frame);
    return evaluator.fail(stuck("it depends on an import, at line " +
                                llvm::Twine(frame.source.lineOf(missing->loc)) +
                                ", of something that is not known here"));
  }
  StatementEnd flow = run(node.body, frame);
  if (flow == StatementEnd::Next)
    flow = run(node.orelse, frame);
  if (flow == StatementEnd::Failed)
    return flow;
  StatementEnd last = run(node.finally, frame);
  return last == StatementEnd::Next ? flow : last;
}

/// The names that a function binds: those it assigns and its parameters.
static std::shared_ptr<const llvm::StringMap<bool>>
localsOf(const ast::FunctionDef &node) {
  auto names = std::make_shared<llvm::StringMap<bool>>();
  for (const auto &[name, how] : assignedNames(node.body))
    if (how.isRebound)
      (*names)[name] = true;
  return names;
}

StatementEnd StatementRunner::runFunction(const ast::FunctionDef &node,
                                          Frame &frame) {
  if (frame.module && frame.module->getKernels().define(node, frame))
    return StatementEnd::Next;
  Object function = evaluator.makeFunction(
      node.params, node.name, node.nameLoc, frame, [&](FunctionThing &thing) {
        thing.body = &node.body;
        thing.locals = localsOf(node);
        walkExprs(node.body, [&](const ast::Expr &expr) {
          const auto *left = std::get_if<ast::Unsupported>(&expr.node);
          if (left && left->what == "'yield'")
            thing.problem = "'" + thing.name + "' is a generator";
        });
      });
  if (function.isStuck())
    return evaluator.fail(function);
  for (const ast::ExprPtr &decorator : llvm::reverse(node.decorators)) {
    Object wrapper = evaluator.evaluate(*decorator, frame);
    if (wrapper.isStuck())
      return evaluator.fail(wrapper);
    function = evaluator.call(wrapper, {{function}, {}});
    if (function.isStuck())
      return evaluator.fail(function);
  }
  frame.scope.bind(node.name, evaluator.lifetimes.retain(function));
  return StatementEnd::Next;
}
