// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/NameFlow.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::StringRef;

static bool reads(const Expr &expr, StringRef name) {
  NameCounts counts;
  countNames(expr, counts);
  return counts.count(name);
}

/// Whether an assignment to `target` replaces the whole value of the name.
/// Parts are assigned by reading the rest.
static FirstUse useOfTarget(const Expr &target, StringRef name) {
  if (const auto *plain = std::get_if<Name>(&target.node))
    return plain->id == name ? FirstUse::Replaced : FirstUse::None;
  const std::vector<ExprPtr> *elements = nullptr;
  if (const auto *tuple = std::get_if<Tuple>(&target.node))
    elements = &tuple->elements;
  else if (const auto *list = std::get_if<List>(&target.node))
    elements = &list->elements;
  if (!elements)
    return reads(target, name) ? FirstUse::Read : FirstUse::None;
  FirstUse use = FirstUse::None;
  for (const ExprPtr &element : *elements) {
    FirstUse part = useOfTarget(*element, name);
    if (part != FirstUse::None && use != FirstUse::Read)
      use = part;
  }
  return use;
}

static FirstUse useOfIf(const If &node, StringRef name) {
  bool replaces = true;
  for (const IfBranch &branch : node.branches) {
    FirstUse use = firstUse(branch.body, name);
    if (use == FirstUse::Read || reads(*branch.condition, name))
      return FirstUse::Read;
    replaces &= use == FirstUse::Replaced;
  }
  FirstUse use = firstUse(node.orelse, name);
  if (use == FirstUse::Read)
    return use;
  replaces &= use == FirstUse::Replaced;
  return replaces ? FirstUse::Replaced : FirstUse::None;
}

/// True if a loop ends with `name = pl.yield_(...)`: then the name stands for
/// what comes out, whether the loop runs or not.
static bool isYielded(Stmts body, StringRef name) {
  const auto *last =
      body.empty() ? nullptr : std::get_if<Assign>(&body.back()->node);
  const auto *call = last ? std::get_if<Call>(&last->value->node) : nullptr;
  if (!call || !StringRef(dottedName(*call->callee)).ends_with("yield_"))
    return false;
  return llvm::any_of(last->targets, [&](const ExprPtr &target) {
    return useOfTarget(*target, name) == FirstUse::Replaced;
  });
}

static FirstUse useOfStmt(const Stmt &stmt, StringRef name) {
  if (const auto *node = std::get_if<If>(&stmt.node))
    return useOfIf(*node, name);
  if (const auto *node = std::get_if<For>(&stmt.node)) {
    if (reads(*node->iter, name))
      return FirstUse::Read;
    // The names in the head have no value after the loop.
    if (useOfTarget(*node->target, name) == FirstUse::Replaced)
      return FirstUse::Replaced;
    if (firstUse(node->body, name) == FirstUse::Read)
      return FirstUse::Read;
    return isYielded(node->body, name) ? FirstUse::Replaced : FirstUse::None;
  }
  if (const auto *node = std::get_if<While>(&stmt.node)) {
    bool isRead = reads(*node->condition, name) ||
                  firstUse(node->body, name) == FirstUse::Read;
    return isRead ? FirstUse::Read : FirstUse::None;
  }
  if (const auto *node = std::get_if<With>(&stmt.node)) {
    for (const WithItem &item : node->items)
      if (reads(*item.context, name))
        return FirstUse::Read;
    for (const WithItem &item : node->items)
      if (item.target && useOfTarget(*item.target, name) == FirstUse::Replaced)
        return FirstUse::Replaced;
    return firstUse(node->body, name);
  }
  if (const auto *node = std::get_if<Assign>(&stmt.node)) {
    if (reads(*node->value, name))
      return FirstUse::Read;
    FirstUse use = FirstUse::None;
    for (const ExprPtr &target : node->targets)
      if (use == FirstUse::None)
        use = useOfTarget(*target, name);
    return use;
  }
  if (const auto *node = std::get_if<AnnAssign>(&stmt.node)) {
    if (!node->value)
      return FirstUse::None;
    return reads(*node->value, name) ? FirstUse::Read
                                     : useOfTarget(*node->target, name);
  }
  bool isRead = false;
  forEachExpr(stmt, [&](const Expr &expr) { isRead |= reads(expr, name); });
  if (isRead)
    return FirstUse::Read;
  return std::holds_alternative<Return>(stmt.node) ? FirstUse::Replaced
                                                   : FirstUse::None;
}

FirstUse tegula::firstUse(Stmts stmts, StringRef name) {
  // After a jump that may have happened an assignment may not have.
  bool mayHaveLeft = false;
  for (const StmtPtr &stmt : stmts) {
    FirstUse use = useOfStmt(*stmt, name);
    if (use == FirstUse::Read)
      return use;
    if (use == FirstUse::Replaced)
      return mayHaveLeft ? FirstUse::None : use;
    if (std::holds_alternative<Break>(stmt->node) ||
        std::holds_alternative<Continue>(stmt->node))
      return FirstUse::None;
    mayHaveLeft |= jumpsOf(*stmt).any();
  }
  return FirstUse::None;
}

namespace {

/// What is known after the end of a block that contains the statement.
enum class After { NotInside, Read, Replaced, Open };

} // namespace

/// Whether what comes after `at` in the block reads the value; `looksAround`
/// says whether the next iterations of loops around count.
static After afterIn(Stmts block, const Stmt &at, StringRef name,
                     bool looksAround) {
  for (size_t i = 0; i < block.size(); ++i) {
    const Stmt &stmt = *block[i];
    After inside = &stmt == &at ? After::Open : After::NotInside;
    forEachBlock(stmt, [&](Stmts inner) {
      if (inside == After::NotInside)
        inside = afterIn(inner, at, name, looksAround);
    });
    if (inside == After::NotInside)
      continue;
    if (inside != After::Open)
      return inside;
    bool isLoop = std::holds_alternative<For>(stmt.node) ||
                  std::holds_alternative<While>(stmt.node);
    // The next iteration of a loop around it comes first.
    if (looksAround && &stmt != &at && isLoop &&
        useOfStmt(stmt, name) == FirstUse::Read)
      return After::Read;
    FirstUse use = firstUse(block.drop_front(i + 1), name);
    return use == FirstUse::Read       ? After::Read
           : use == FirstUse::Replaced ? After::Replaced
                                       : After::Open;
  }
  return After::NotInside;
}

bool tegula::mayBeReadAfter(Stmts body, const Stmt &at, StringRef name) {
  return afterIn(body, at, name, /*looksAround=*/true) == After::Read;
}

bool tegula::mayBeReadLater(Stmts body, const Stmt &at, StringRef name) {
  return afterIn(body, at, name, /*looksAround=*/false) == After::Read;
}
