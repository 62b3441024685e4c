// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements of ordinary Python.
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/Evaluator.h"
#include "tegula/frontend/constants/ModuleConstants.h"
#include "tegula/frontend/constants/OrdinaryBuiltins.h"
#include "tegula/frontend/constants/PythonText.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using llvm::StringRef;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

Flow Evaluator::fail(Object why) {
  failure = std::move(why);
  return Flow::Failed;
}

Flow Evaluator::run(Stmts stmts, Frame &frame) {
  for (const ast::StmtPtr &stmt : stmts) {
    Flow flow = run(*stmt, frame);
    if (flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

Flow Evaluator::run(const ast::Stmt &stmt, Frame &frame) {
  Object problem;
  if (!spend(1, problem))
    return fail(problem);
  if (nesting == maxNesting)
    return fail(stuck("expressions and calls are nested too deeply"));
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (const auto *node = std::get_if<ast::Assign>(&stmt.node))
    return runAssign(*node, frame);
  if (const auto *node = std::get_if<ast::AnnAssign>(&stmt.node))
    return runAnnotated(*node, frame);
  if (const auto *node = std::get_if<ast::AugAssign>(&stmt.node))
    return runAugmented(*node, frame);
  if (const auto *node = std::get_if<ast::ExprStmt>(&stmt.node)) {
    Object value = evaluate(*node->value, frame);
    return value.isStuck() ? fail(value) : Flow::Next;
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
    return runClass(*node, frame);
  if (const auto *node = std::get_if<ast::Delete>(&stmt.node))
    return runDelete(*node, frame);
  return runJump(stmt, frame);
}

/// What leaves a block, or does nothing.
Flow Evaluator::runJump(const ast::Stmt &stmt, Frame &frame) {
  if (const auto *node = std::get_if<ast::Return>(&stmt.node)) {
    if (node->value)
      frame.returned = evaluate(*node->value, frame);
    return frame.returned.isStuck() ? fail(frame.returned) : Flow::Return;
  }
  if (std::holds_alternative<ast::Raise>(stmt.node))
    return fail(stuck("an exception is raised at line " +
                      llvm::Twine(frame.source.lineOf(stmt.loc))));
  if (std::holds_alternative<ast::Break>(stmt.node))
    return Flow::Break;
  if (std::holds_alternative<ast::Continue>(stmt.node))
    return Flow::Continue;
  if (std::holds_alternative<ast::Pass>(stmt.node))
    return Flow::Next;
  return runImport(stmt, frame);
}

/// An import of a module, or a statement that constants cannot be made with.
Flow Evaluator::runImport(const ast::Stmt &stmt, Frame &frame) {
  const auto *import = std::get_if<ast::Import>(&stmt.node);
  const auto *from = std::get_if<ast::ImportFrom>(&stmt.node);
  if (frame.module && (import || from)) {
    if (import)
      frame.module->runImport(*import, frame.scope);
    else
      frame.module->runImport(*from, frame.scope);
    return Flow::Next;
  }
  if (const auto *node = std::get_if<ast::Skipped>(&stmt.node))
    return fail(stuck(node->what));
  if (std::optional<ast::Unsupported> node = ast::leftOut(stmt))
    return fail(stuck(node->what + " is not understood here"));
  return fail(stuck("a 'with' is not understood here"));
}

Flow Evaluator::runAssign(const ast::Assign &node, Frame &frame) {
  Object value = evaluate(*node.value, frame);
  if (value.isStuck())
    return fail(value);
  for (const ast::ExprPtr &target : node.targets)
    if (!assign(*target, value, frame))
      return Flow::Failed;
  return Flow::Next;
}

Flow Evaluator::runAnnotated(const ast::AnnAssign &node, Frame &frame) {
  if (!node.value)
    return Flow::Next;
  Object value = evaluate(*node.value, frame);
  if (value.isStuck())
    return fail(value);
  return assign(*node.target, value, frame) ? Flow::Next : Flow::Failed;
}

Flow Evaluator::runIf(const ast::If &node, Frame &frame) {
  for (const ast::IfBranch &branch : node.branches) {
    Object condition = evaluate(*branch.condition, frame);
    if (condition.isStuck())
      return fail(condition);
    Object problem;
    bool value = isTrue(condition, problem);
    if (problem.is<UnusableObject>())
      return fail(problem);
    if (value)
      return run(branch.body, frame);
  }
  return run(node.orelse, frame);
}

Flow Evaluator::runFor(const ast::For &node, Frame &frame) {
  Object iterable = evaluate(*node.iter, frame);
  if (iterable.isStuck())
    return fail(iterable);
  Object problem;
  std::shared_ptr<IteratorThing> iterator = iterate(iterable, problem);
  if (!iterator)
    return fail(problem);
  while (std::optional<Object> element = next(*iterator)) {
    if (element->isStuck())
      return fail(*element);
    if (!spend(1, problem))
      return fail(problem);
    if (!assign(*node.target, *element, frame))
      return Flow::Failed;
    Flow flow = run(node.body, frame);
    if (flow == Flow::Break)
      return Flow::Next;
    if (flow != Flow::Next && flow != Flow::Continue)
      return flow;
  }
  return run(node.orelse, frame);
}

Flow Evaluator::runWhile(const ast::While &node, Frame &frame) {
  while (true) {
    Object condition = evaluate(*node.condition, frame);
    if (condition.isStuck())
      return fail(condition);
    Object problem;
    bool value = isTrue(condition, problem);
    if (problem.is<UnusableObject>())
      return fail(problem);
    if (!value)
      return run(node.orelse, frame);
    Flow flow = run(node.body, frame);
    if (flow == Flow::Break)
      return Flow::Next;
    if (flow != Flow::Next && flow != Flow::Continue)
      return flow;
  }
}

Flow Evaluator::runAssert(const ast::Assert &node, Frame &frame) {
  Object condition = evaluate(*node.condition, frame);
  if (condition.isStuck())
    return fail(condition);
  Object problem;
  bool value = isTrue(condition, problem);
  if (problem.is<UnusableObject>())
    return fail(problem);
  if (value)
    return Flow::Next;
  Object message =
      node.message ? evaluate(*node.message, frame) : Object::none();
  const auto *text = message.as<StringObject>();
  return fail(stuck("an assertion at line " +
                    llvm::Twine(frame.source.lineOf(node.condition->loc)) +
                    " does not hold" + (text ? ": " + text->value : "")));
}

/// `try` guards imports, mostly: of another package with the same names, or of
/// one that need not be there. What else goes wrong in one is not understood.
Flow Evaluator::runTry(const ast::Try &node, Frame &frame) {
  const ast::Stmt *missing =
      frame.module ? frame.module->findMissingImport(node.body, frame.scope)
                   : nullptr;
  if (missing) {
    // Names that are imported in its stead are as good; others depend on it.
    for (const ast::ExceptClause &handler : node.handlers)
      if (frame.module->importsOnly(handler.body))
        return run(handler.body, frame);
    return fail(stuck("it depends on an import, at line " +
                      llvm::Twine(frame.source.lineOf(missing->loc)) +
                      ", of something that is not known here"));
  }
  Flow flow = run(node.body, frame);
  if (flow == Flow::Next)
    flow = run(node.orelse, frame);
  if (flow == Flow::Failed)
    return flow;
  Flow last = run(node.finally, frame);
  return last == Flow::Next ? flow : last;
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

Flow Evaluator::runFunction(const ast::FunctionDef &node, Frame &frame) {
  if (frame.module && frame.module->defineKernel(node, frame))
    return Flow::Next;
  Object function = makeFunction(
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
    return fail(function);
  for (const ast::ExprPtr &decorator : llvm::reverse(node.decorators)) {
    Object wrapper = evaluate(*decorator, frame);
    if (wrapper.isStuck())
      return fail(wrapper);
    function = call(wrapper, {{function}, {}});
    if (function.isStuck())
      return fail(function);
  }
  frame.scope.bind(node.name, retain(function));
  return Flow::Next;
}
