// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/HeadValues.h"
#include "tegula/frontend/irgen/statements/Assignments.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;

/// The `pl.yield_` a statement consists of, or null.
const ast::Call *HeadValues::findYield(const ast::Stmt &stmt) const {
  const ast::Expr *value = nullptr;
  if (const auto *node = std::get_if<ast::Assign>(&stmt.node))
    value = node->value.get();
  else if (const auto *node = std::get_if<ast::AnnAssign>(&stmt.node))
    value = node->value.get();
  else if (const auto *node = std::get_if<ast::ExprStmt>(&stmt.node))
    value = node->value.get();
  const auto *call = value ? std::get_if<ast::Call>(&value->node) : nullptr;
  return call && state.calleeConstruct(*call->callee) == Construct::Yield
             ? call
             : nullptr;
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

/// The values of a `pl.yield_` as one object.
static Object pack(std::vector<Object> values, bool isTuple) {
  return values.size() == 1 && !isTuple ? values.front()
                                        : Object::tuple(std::move(values));
}

/// True if a statement assigns to a tuple of one name.
static bool unpacksOne(const ast::Stmt &stmt) {
  const auto *node = std::get_if<ast::Assign>(&stmt.node);
  return node && llvm::any_of(node->targets, [](const ast::ExprPtr &target) {
           return !std::holds_alternative<ast::Name>(target->node) &&
                  elementsOf(*target).size() == 1;
         });
}

bool HeadValues::read(const ast::For &node, Construct construct,
                      const std::optional<CallArgument> &initial,
                      LoopBody &body) {
  if (construct == Construct::Parallel || construct == Construct::Lanes)
    body.shown =
        construct == Construct::Parallel ? "pl.parallel" : "pl.split_aiv";
  if (construct == Construct::While && !initial) {
    fail(locate(*node.iter), "while_() needs init_values, the values that go "
                             "around; or write a plain 'while'");
    return false;
  }
  if (construct == Construct::While)
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

/// Checks the statement that hands `count` values on.
bool HeadValues::checkLast(const ast::Stmt &last, const ast::Call &yield,
                           size_t count) {
  if (yield.args.size() != count) {
    fail(locate(last.loc), "pl.yield_ hands on " +
                               countValues(yield.args.size()) +
                               " and the loop carries " + llvm::Twine(count));
    return false;
  }
  if (std::holds_alternative<ast::ExprStmt>(last.node)) {
    fail(locate(last.loc), "assign what pl.yield_ gives: the names on the left "
                           "hold the values after the loop");
    return false;
  }
  return true;
}

bool HeadValues::readCarries(const ast::Expr &target,
                             const CallArgument &initial, LoopBody &body) {
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
  if (!checkLast(*last, *yield, names.size()))
    return false;
  body.carries.names = names;
  body.carries.yield = last;
  for (auto [name, value] : llvm::zip(names, *values)) {
    Slot slot = Slot::carried(name, numCarries++);
    body.carries.slots.push_back(slot);
    scope.insert_or_assign(slot, Variable{value, initial.loc});
  }
  for (StringRef name : names)
    scope.erase(name);
  yields[yield] = {body.carries.slots, unpacksOne(*last)};
  return true;
}

void HeadValues::enterIteration(const LoopBody &body) {
  for (auto [name, slot] : llvm::zip(body.carries.names, body.carries.slots))
    scope.insert_or_assign(name, scope.find(slot)->second);
}

void HeadValues::bindResults(const LoopBody &body, Location loc) {
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
  const ast::Stmt &yield = *body.carries.yield;
  Object value = pack(std::move(results), unpacksOne(yield));
  if (const auto *node = std::get_if<ast::AnnAssign>(&yield.node))
    return assignments.assign(*node->target, value);
  for (const ast::ExprPtr &to : std::get<ast::Assign>(yield.node).targets)
    assignments.assign(*to, value);
}

bool HeadValues::checkYields(const ast::If &node) {
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
  for (auto [suite, call] : llvm::zip(suites, found)) {
    if (call && call->args.size() == count) {
      yields[call] = {{}, unpacksOne(*suite.back())};
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

Object HeadValues::callYield(const ast::Expr &expr, const ast::Call &node,
                             const CallArguments &arguments) {
  auto found = yields.find(&node);
  bool isBare = node.args.empty() && node.keywords.empty();
  if (isBare && (found == yields.end() || found->second.slots.empty()))
    return Object::none();
  if (found == yields.end() || !node.keywords.empty())
    return fail(locate(expr), "pl.yield_ with values belongs at the end of a "
                              "loop with init_values, or of every branch of "
                              "an 'if'");
  std::vector<Object> values;
  for (const CallArgument &argument : arguments.positional)
    values.push_back(argument.object);
  for (auto [slot, argument] :
       llvm::zip(found->second.slots, arguments.positional))
    scope.insert_or_assign(slot, Variable{argument.object, argument.loc});
  return pack(std::move(values), found->second.isTuple);
}
