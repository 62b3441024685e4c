// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/expressions/Comprehensions.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/statements/Assignments.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using mlir::Location;

/// More elements than this are a mistake.
static constexpr size_t maxElements = 4096;

Object Comprehensions::evaluate(const ast::Comprehension &node, Location loc) {
  Objects elements;
  std::vector<std::pair<Object, Object>> entries;
  // The variables are those of the comprehension alone.
  Scope before = scope;
  size_t numElements = 0;
  bool isRight = visit(node.clauses, [&] {
    if (++numElements > maxElements) {
      fail(loc, "a comprehension in a kernel has at most " +
                    llvm::Twine(maxElements) + " elements; use a loop");
      return false;
    }
    Object element = expressions.evaluate(*node.element);
    Object value = node.value ? expressions.evaluate(*node.value) : element;
    if (node.value)
      entries.push_back({element, value});
    else
      elements.push_back(element);
    return !element.isPoison() && !value.isPoison();
  });
  scope = std::move(before);
  if (!isRight)
    return Object::poison();
  return node.value ? Object::dict(std::move(entries))
                    : Object::tuple(std::move(elements));
}

/// Calls `visitElement` for each iteration of the clauses inside each other;
/// false after a mistake.
bool Comprehensions::visit(Clauses clauses,
                           llvm::function_ref<bool()> visitElement) {
  if (clauses.empty())
    return visitElement();
  const ast::ForClause &clause = clauses.front();
  std::optional<Objects> items = listItems(*clause.iter);
  if (!items)
    return false;
  for (const Object &item : *items) {
    unsigned numErrors = emitter.reporter.getNumErrors();
    assignments.assign(*clause.target, item);
    if (emitter.reporter.getNumErrors() != numErrors)
      return false;
    std::optional<bool> wanted = isWanted(clause);
    if (!wanted || (*wanted && !visit(clauses.drop_front(), visitElement)))
      return false;
  }
  return true;
}

/// True if all conditions of the clause hold; nothing after a mistake.
std::optional<bool> Comprehensions::isWanted(const ast::ForClause &clause) {
  for (const ast::ExprPtr &condition : clause.conditions) {
    Object object = expressions.evaluateCondition(*condition);
    if (object.isPoison())
      return std::nullopt;
    if (object.asValue()) {
      fail(locate(*condition), "the 'if' of a comprehension must be known at "
                               "compile time; use pl.sel on the element");
      return std::nullopt;
    }
    if (!isTrue(object))
      return false;
  }
  return true;
}

std::optional<Comprehensions::Objects>
Comprehensions::listItems(const ast::Expr &iter) {
  Location loc = locate(iter);
  Object object = expressions.evaluate(iter);
  if (object.isPoison())
    return std::nullopt;
  if (const auto *tuple = object.asTuple())
    return *tuple;
  if (const auto *dict = object.as<DictObject>()) {
    Objects keys;
    for (const auto &[key, value] : *dict->entries)
      keys.push_back(key);
    return keys;
  }
  fail(loc, "a comprehension in a kernel goes over what is known at compile "
            "time: range(...), a tuple, a list or a dict, got " +
                describe(object));
  return std::nullopt;
}
