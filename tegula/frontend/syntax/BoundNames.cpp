// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/BoundNames.h"
#include "llvm/ADT/SmallVector.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::StringRef;

static void addTarget(const Expr &target, NameSet &names) {
  if (const auto *name = std::get_if<Name>(&target.node))
    names.insert(name->id);
  else if (const auto *tuple = std::get_if<Tuple>(&target.node))
    for (const ExprPtr &element : tuple->elements)
      addTarget(*element, names);
  else if (const auto *list = std::get_if<List>(&target.node))
    for (const ExprPtr &element : list->elements)
      addTarget(*element, names);
  else if (const auto *starred = std::get_if<Starred>(&target.node))
    addTarget(*starred->value, names);
}

/// What the statement itself binds, without its blocks.
static void addBound(const Stmt &stmt, NameSet &names) {
  if (const auto *node = std::get_if<Assign>(&stmt.node))
    for (const ExprPtr &target : node->targets)
      addTarget(*target, names);
  else if (const auto *node = std::get_if<AnnAssign>(&stmt.node)) {
    if (node->value)
      addTarget(*node->target, names);
  } else if (const auto *node = std::get_if<AugAssign>(&stmt.node))
    addTarget(*node->target, names);
  else if (const auto *node = std::get_if<For>(&stmt.node))
    addTarget(*node->target, names);
  else if (const auto *node = std::get_if<With>(&stmt.node)) {
    for (const WithItem &item : node->items)
      if (item.target)
        addTarget(*item.target, names);
  } else if (const auto *node = std::get_if<Delete>(&stmt.node))
    for (const ExprPtr &target : node->targets)
      addTarget(*target, names);
  else if (const auto *node = std::get_if<Import>(&stmt.node))
    for (const ImportAlias &alias : node->names)
      names.insert(StringRef(alias.alias).split('.').first);
  else if (const auto *node = std::get_if<ImportFrom>(&stmt.node))
    for (const ImportAlias &alias : node->names)
      names.insert(alias.alias);
  else if (const auto *node = std::get_if<FunctionDef>(&stmt.node))
    names.insert(node->name);
  else if (const auto *node = std::get_if<ClassDef>(&stmt.node))
    names.insert(node->name);
  else if (const auto *node = std::get_if<Skipped>(&stmt.node))
    names.insert(node->names.begin(), node->names.end());
  forEachExpr(stmt, [&](const Expr &expr) {
    if (const auto *named = std::get_if<NamedExpr>(&expr.node))
      names.insert(named->name);
  });
}

static void addAllBound(const Stmt &stmt, NameSet &names) {
  addBound(stmt, names);
  forEachBlock(stmt, [&](Stmts block) {
    for (const StmtPtr &inner : block)
      addAllBound(*inner, names);
  });
}

NameSet tegula::boundNames(const Stmt &stmt) {
  NameSet names;
  addAllBound(stmt, names);
  return names;
}

/// The name at the start of `x.a[0].b`.
static void addRoot(const Expr &expr, NameSet &names) {
  const Expr *at = &expr;
  while (true) {
    if (const auto *attribute = std::get_if<Attribute>(&at->node))
      at = attribute->value.get();
    else if (const auto *subscript = std::get_if<Subscript>(&at->node))
      at = subscript->value.get();
    else
      break;
  }
  if (const auto *name = std::get_if<Name>(&at->node))
    names.insert(name->id);
}

static void addChangedTarget(const Expr &target, NameSet &names) {
  if (!std::holds_alternative<Name>(target.node))
    addRoot(target, names);
}

static void addChanged(const Stmt &stmt, NameSet &names) {
  if (const auto *node = std::get_if<Assign>(&stmt.node))
    for (const ExprPtr &target : node->targets)
      addChangedTarget(*target, names);
  else if (const auto *node = std::get_if<AugAssign>(&stmt.node))
    addRoot(*node->target, names);
  else if (const auto *node = std::get_if<AnnAssign>(&stmt.node))
    addChangedTarget(*node->target, names);
  else if (const auto *node = std::get_if<Delete>(&stmt.node))
    for (const ExprPtr &target : node->targets)
      addChangedTarget(*target, names);
  else if (const auto *node = std::get_if<ExprStmt>(&stmt.node)) {
    // A call for its effect may change what it is a method of, and what it is
    // given.
    if (const auto *call = std::get_if<Call>(&node->value->node)) {
      addChangedTarget(*call->callee, names);
      for (const ExprPtr &argument : call->args)
        addRoot(*argument, names);
      for (const Keyword &keyword : call->keywords)
        addRoot(*keyword.value, names);
    }
  }
  forEachBlock(stmt, [&](Stmts block) {
    for (const StmtPtr &inner : block)
      addChanged(*inner, names);
  });
}

NameSet tegula::changedNames(const Stmt &stmt) {
  NameSet names;
  addChanged(stmt, names);
  return names;
}

using Members = std::vector<std::pair<StringRef, StringRef>>;

static void addMember(const Expr &target, Members &members) {
  const auto *member = std::get_if<Attribute>(&target.node);
  const auto *owner =
      member ? std::get_if<Name>(&member->value->node) : nullptr;
  if (owner)
    members.push_back({owner->id, member->name});
}

static void addMembers(const Stmt &stmt, Members &members) {
  if (const auto *node = std::get_if<Assign>(&stmt.node))
    for (const ExprPtr &target : node->targets)
      addMember(*target, members);
  else if (const auto *node = std::get_if<AugAssign>(&stmt.node))
    addMember(*node->target, members);
  forEachBlock(stmt, [&](Stmts block) {
    for (const StmtPtr &inner : block)
      addMembers(*inner, members);
  });
}

Members tegula::assignedMembers(const Stmt &stmt) {
  Members members;
  addMembers(stmt, members);
  return members;
}

static void
walk(Stmts stmts, llvm::SmallVectorImpl<const Stmt *> &around,
     llvm::function_ref<void(const FunctionDef &, Enclosing)> visit) {
  for (const StmtPtr &stmt : stmts) {
    const auto *function = std::get_if<FunctionDef>(&stmt->node);
    const auto *type = std::get_if<ClassDef>(&stmt->node);
    if (function)
      visit(*function, around);
    if (function || type) {
      around.push_back(stmt.get());
      walk(function ? function->body : type->body, around, visit);
      around.pop_back();
    }
    forEachBlock(*stmt, [&](Stmts block) { walk(block, around, visit); });
  }
}

void tegula::walkFunctions(
    Stmts stmts,
    llvm::function_ref<void(const FunctionDef &, Enclosing)> visit) {
  llvm::SmallVector<const Stmt *> around;
  walk(stmts, around, visit);
}
