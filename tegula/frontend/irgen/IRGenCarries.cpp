// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that name what goes around in their head, and `pl.yield_`. The values
// go around under names of their own: the body may give the author's names
// any other meaning, and what `pl.yield_` binds may be called alike.
#include "tegula/frontend/irgen/IRGenFunction.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

/// The `pl.yield_` a statement consists of, or null.
const ast::Call *FunctionGenerator::findYield(const ast::Stmt &stmt) const {
  const ast::Expr *value = nullptr;
  if (const auto *node = std::get_if<ast::Assign>(&stmt.node))
    value = node->value.get();
  else if (const auto *node = std::get_if<ast::AnnAssign>(&stmt.node))
    value = node->value.get();
  else if (const auto *node = std::get_if<ast::ExprStmt>(&stmt.node))
    value = node->value.get();
  const auto *call = value ? std::get_if<ast::Call>(&value->node) : nullptr;
  return call && languagePath(*call->callee) == "yield_" ? call : nullptr;
}

static std::vector<const ast::Expr *> elementsOf(const ast::Expr &expr) {
  std::vector<const ast::Expr *> elements;
  const auto *tuple = std::get_if<ast::Tuple>(&expr.node);
  const auto *list = std::get_if<ast::List>(&expr.node);
  if (!tuple && !list)
    return {&expr};
  for (const ast::ExprPtr &element : tuple ? tuple->elements : list->elements)
    elements.push_back(element.get());
  return elements;
}

/// Reads the target of a `for`: its variable, and the names of what goes
/// around.
bool FunctionGenerator::readHead(const ast::For &node, StringRef name,
                                 const std::optional<CallArgument> &initial,
                                 LoopBody &body) {
  if (name == "parallel" || name == "split_aiv")
    body.shown = name == "parallel" ? "pl.parallel" : "pl.split_aiv";
  if (name == "while_" && !initial) {
    fail(locate(*node.iter), "while_() needs init_values, the values that go "
                             "around; or write a plain 'while'");
    return false;
  }
  if (name == "while_")
    return readCarries(*node.target, *initial, body);
  std::vector<const ast::Expr *> parts = elementsOf(*node.target);
  const auto *variable = std::get_if<ast::Name>(&parts.front()->node);
  if (!initial && (parts.size() != 1 || !variable)) {
    fail(locate(*node.target), "the target of a 'for' must be one name, unless "
                               "init_values gives the values of others");
    return false;
  }
  if (initial && (parts.size() != 2 || !variable)) {
    fail(locate(*node.target), "with init_values the target of a 'for' is the "
                               "loop variable and the names of the values: "
                               "'for i, (a, b) in ...'");
    return false;
  }
  body.variable = variable->id;
  return !initial || readCarries(*parts[1], *initial, body);
}

/// True if the statements assign one of the names.
static bool assignsAny(Stmts stmts, llvm::ArrayRef<StringRef> names) {
  AssignedNames assigned = assignedNames(stmts);
  return llvm::any_of(names,
                      [&](StringRef name) { return assigned.count(name); });
}

/// "1 value" or "3 values".
static std::string countValues(size_t count) {
  return std::to_string(count) + (count == 1 ? " value" : " values");
}

bool FunctionGenerator::readCarries(const ast::Expr &target,
                                    const CallArgument &initial,
                                    LoopBody &body) {
  std::vector<StringRef> names;
  for (const ast::Expr *element : elementsOf(target)) {
    const auto *name = std::get_if<ast::Name>(&element->node);
    if (!name) {
      fail(locate(*element), "a value that goes around is called by one name");
      return false;
    }
    names.push_back(name->id);
  }
  const std::vector<Object> *values = initial.object.asTuple();
  if (!values || values->size() != names.size()) {
    fail(initial.loc,
         values
             ? "init_values has " + countValues(values->size()) + " for " +
                   llvm::Twine(names.size()) +
                   (names.size() == 1 ? " name" : " names")
             : "init_values must be a tuple, got " + describe(initial.object));
    return false;
  }
  const ast::Stmt *last = body.stmts.empty() ? nullptr : &*body.stmts.back();
  const ast::Call *yield = last ? findYield(*last) : nullptr;
  if (!yield && !assignsAny(body.stmts, names)) {
    fail(locate(target), "'" + names.front() +
                             "' never gets another value; end the body with '" +
                             names.front() + " = pl.yield_(...)'");
    return false;
  }
  if (!yield) {
    for (auto [name, value] : llvm::zip(names, *values))
      scope.insert_or_assign(name, Variable{value, initial.loc});
    return true;
  }
  if (yield->args.size() != names.size()) {
    fail(locate(last->loc),
         "pl.yield_ hands on " + countValues(yield->args.size()) +
             " and the loop carries " + llvm::Twine(names.size()));
    return false;
  }
  if (std::holds_alternative<ast::ExprStmt>(last->node)) {
    fail(locate(last->loc),
         "assign what pl.yield_ gives: the names on the left "
         "hold the values after the loop");
    return false;
  }
  body.carries.names = names;
  body.carries.yield = last;
  for (auto [name, value] : llvm::zip(names, *values)) {
    Slot slot = Slot::carried(name, numCarries++);
    body.carries.slots.push_back(slot);
    scope.insert_or_assign(slot, Variable{value, initial.loc});
  }
  for (StringRef name : names)
    scope.erase(name);
  yields[yield] = body.carries.slots;
  return true;
}

/// At the start of an iteration the author's names stand for what came around.
void FunctionGenerator::nameCarries(const LoopBody &body) {
  for (auto [name, slot] : llvm::zip(body.carries.names, body.carries.slots))
    scope.insert_or_assign(name, scope.find(slot)->second);
}

/// After the loop the names that `pl.yield_` binds stand for what came out.
void FunctionGenerator::bindCarries(const LoopBody &body, Location loc) {
  std::vector<Object> results;
  for (auto [name, slot] : llvm::zip(body.carries.names, body.carries.slots)) {
    auto found = scope.find(slot);
    Object result =
        found == scope.end() ? Object::poison() : found->second.object;
    if (const auto *unusable = result.as<UnusableObject>())
      result = fail(loc, unusable->message, unusable->notes);
    results.push_back(result);
    scope.erase(slot);
    scope.insert_or_assign(
        name, Variable{Object(UnusableObject{
                           ("'" + name +
                            "' is the value of one iteration; after the loop "
                            "read what pl.yield_ was assigned to")
                               .str(),
                           {{loc, "the loop"}}}),
                       loc});
  }
  Object value =
      results.size() == 1 ? results.front() : Object::tuple(std::move(results));
  const ast::Stmt &yield = *body.carries.yield;
  if (const auto *node = std::get_if<ast::AnnAssign>(&yield.node))
    return assign(*node->target, value);
  for (const ast::ExprPtr &to : std::get<ast::Assign>(yield.node).targets)
    assign(*to, value);
}

/// Branches end with `pl.yield_` all together, or none of them does.
bool FunctionGenerator::checkYields(const ast::If &node) {
  std::vector<Stmts> suites;
  for (const ast::IfBranch &branch : node.branches)
    suites.push_back(branch.body);
  suites.push_back(node.orelse);
  std::vector<const ast::Call *> found;
  const ast::Stmt *first = nullptr;
  for (Stmts suite : suites) {
    found.push_back(suite.empty() ? nullptr : findYield(*suite.back()));
    if (found.back() && !first)
      first = suite.back().get();
  }
  if (!first)
    return true;
  size_t count = findYield(*first)->args.size();
  for (const ast::Call *call : found) {
    if (call && call->args.size() == count) {
      yields[call] = {};
      continue;
    }
    fail(locate(first->loc),
         call
             ? "pl.yield_ gives " + countValues(count) + " in one branch and " +
                   llvm::Twine(call->args.size()) + " in another"
             : "one branch ends with pl.yield_ and another one does not");
    return false;
  }
  return true;
}
