// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/AstWalk.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::function_ref;
using llvm::StringRef;

template <typename... Visitors> struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

namespace {

/// Calls `visit` for every expression directly below a node.
struct ChildVisitor {
  function_ref<void(const Expr &)> visit;

  void all(const std::vector<ExprPtr> &exprs) const {
    for (const ExprPtr &child : exprs)
      visit(*child);
  }
  void optional(const ExprPtr &child) const {
    if (child)
      visit(*child);
  }

  void operator()(const Attribute &node) const { visit(*node.value); }
  void operator()(const Unary &node) const { visit(*node.operand); }
  void operator()(const Binary &node) const {
    visit(*node.lhs);
    visit(*node.rhs);
  }
  void operator()(const Compare &node) const {
    visit(*node.first);
    for (const CompareLink &link : node.links)
      visit(*link.operand);
  }
  void operator()(const BoolOp &node) const { all(node.operands); }
  void operator()(const Conditional &node) const {
    visit(*node.condition);
    visit(*node.thenValue);
    visit(*node.elseValue);
  }
  void operator()(const Call &node) const {
    visit(*node.callee);
    all(node.args);
    for (const Keyword &keyword : node.keywords)
      visit(*keyword.value);
  }
  void operator()(const Subscript &node) const {
    visit(*node.value);
    for (const SubscriptItem &item : node.items) {
      if (const auto *index = std::get_if<ExprPtr>(&item)) {
        visit(**index);
        continue;
      }
      const auto &slice = std::get<Slice>(item);
      optional(slice.lower);
      optional(slice.upper);
      optional(slice.step);
    }
  }
  void operator()(const List &node) const { all(node.elements); }
  void operator()(const Tuple &node) const { all(node.elements); }
  void operator()(const Dict &node) const {
    all(node.keys);
    for (const ExprPtr &value : node.values)
      optional(value);
  }
  void operator()(const Starred &node) const { visit(*node.value); }
  void operator()(const DoubleStarred &node) const { visit(*node.value); }
  void operator()(const NamedExpr &node) const { visit(*node.value); }
  void operator()(const Set &node) const { all(node.elements); }
  void operator()(const Comprehension &node) const {
    visit(*node.element);
    optional(node.value);
    for (const ForClause &clause : node.clauses) {
      visit(*clause.target);
      visit(*clause.iter);
      all(clause.conditions);
    }
  }
  void operator()(const Lambda &node) const { visit(*node.body); }
  template <typename Node> void operator()(const Node &) const {}
};

} // namespace

static void forEachChild(const Expr &expr,
                         function_ref<void(const Expr &)> visit) {
  std::visit(ChildVisitor{visit}, expr.node);
}

void tegula::forEachBlock(const Stmt &stmt, function_ref<void(Stmts)> visit) {
  std::visit(Overloaded{[&](const For &node) {
                          visit(node.body);
                          visit(node.orelse);
                        },
                        [&](const While &node) {
                          visit(node.body);
                          visit(node.orelse);
                        },
                        [&](const If &node) {
                          for (const IfBranch &branch : node.branches)
                            visit(branch.body);
                          visit(node.orelse);
                        },
                        [&](const With &node) { visit(node.body); },
                        [&](const Try &node) {
                          visit(node.body);
                          for (const ExceptClause &handler : node.handlers)
                            visit(handler.body);
                          visit(node.orelse);
                          visit(node.finally);
                        },
                        [](const auto &) {}},
             stmt.node);
}

void tegula::forEachExpr(const Stmt &stmt,
                         function_ref<void(const Expr &)> visit) {
  auto optional = [&](const ExprPtr &expr) {
    if (expr)
      visit(*expr);
  };
  std::visit(Overloaded{[&](const Assign &node) {
                          for (const ExprPtr &target : node.targets)
                            visit(*target);
                          visit(*node.value);
                        },
                        [&](const AnnAssign &node) {
                          visit(*node.target);
                          optional(node.value);
                        },
                        [&](const AugAssign &node) {
                          visit(*node.target);
                          visit(*node.value);
                        },
                        [&](const ExprStmt &node) { visit(*node.value); },
                        [&](const For &node) {
                          visit(*node.target);
                          visit(*node.iter);
                        },
                        [&](const While &node) { visit(*node.condition); },
                        [&](const If &node) {
                          for (const IfBranch &branch : node.branches)
                            visit(*branch.condition);
                        },
                        [&](const With &node) {
                          for (const WithItem &item : node.items) {
                            visit(*item.context);
                            optional(item.target);
                          }
                        },
                        [&](const Return &node) { optional(node.value); },
                        [&](const Assert &node) { visit(*node.condition); },
                        [&](const Raise &node) { optional(node.value); },
                        [&](const Delete &node) {
                          for (const ExprPtr &target : node.targets)
                            visit(*target);
                        },
                        [](const auto &) {}},
             stmt.node);
}

void tegula::countNames(const Expr &expr, NameCounts &counts) {
  if (const auto *name = std::get_if<Name>(&expr.node))
    ++counts[name->id];
  forEachChild(expr, [&](const Expr &child) { countNames(child, counts); });
}

void tegula::countNames(const Stmt &stmt, NameCounts &counts) {
  forEachExpr(stmt, [&](const Expr &expr) { countNames(expr, counts); });
  forEachBlock(stmt, [&](Stmts block) { countNames(block, counts); });
}

void tegula::countNames(Stmts stmts, NameCounts &counts) {
  for (const StmtPtr &stmt : stmts)
    countNames(*stmt, counts);
}

static void addTarget(const Expr &target, AssignedNames &names,
                      bool isRebound = true) {
  if (const auto *name = std::get_if<Name>(&target.node)) {
    names.insert({name->id, {target.loc}}).first->second.isRebound |= isRebound;
  } else if (const auto *subscript = std::get_if<Subscript>(&target.node)) {
    addTarget(*subscript->value, names, /*isRebound=*/false);
  } else if (const auto *tuple = std::get_if<Tuple>(&target.node)) {
    for (const ExprPtr &element : tuple->elements)
      addTarget(*element, names);
  } else if (const auto *list = std::get_if<List>(&target.node)) {
    for (const ExprPtr &element : list->elements)
      addTarget(*element, names);
  } else if (const auto *starred = std::get_if<Starred>(&target.node)) {
    addTarget(*starred->value, names);
  }
}

static void addAssigned(Stmts stmts, AssignedNames &names) {
  for (const StmtPtr &stmt : stmts) {
    std::visit(
        Overloaded{
            [&](const Assign &node) {
              for (const ExprPtr &target : node.targets)
                addTarget(*target, names);
            },
            [&](const AnnAssign &node) {
              if (node.value)
                addTarget(*node.target, names);
            },
            [&](const AugAssign &node) { addTarget(*node.target, names); },
            [&](const For &node) { addTarget(*node.target, names); },
            [&](const With &node) {
              for (const WithItem &item : node.items)
                if (item.target)
                  addTarget(*item.target, names);
            },
            [](const auto &) {}},
        stmt->node);
    forEachBlock(*stmt, [&](Stmts block) { addAssigned(block, names); });
  }
}

AssignedNames tegula::assignedNames(Stmts stmts) {
  AssignedNames names;
  addAssigned(stmts, names);
  return names;
}

static void addJumps(const Stmt &stmt, bool isInnerLoop, Jumps &jumps) {
  jumps.hasReturn |= std::holds_alternative<Return>(stmt.node);
  if (!isInnerLoop) {
    jumps.hasBreak |= std::holds_alternative<Break>(stmt.node);
    jumps.hasContinue |= std::holds_alternative<Continue>(stmt.node);
  }
  bool isLoop = std::holds_alternative<For>(stmt.node) ||
                std::holds_alternative<While>(stmt.node);
  forEachBlock(stmt, [&](Stmts block) {
    for (const StmtPtr &inner : block)
      addJumps(*inner, isInnerLoop || isLoop, jumps);
  });
}

Jumps tegula::jumpsOf(const Stmt &stmt) {
  Jumps jumps;
  addJumps(stmt, /*isInnerLoop=*/false, jumps);
  return jumps;
}

Jumps tegula::jumpsOf(Stmts stmts) {
  Jumps jumps;
  for (const StmtPtr &stmt : stmts)
    addJumps(*stmt, /*isInnerLoop=*/false, jumps);
  return jumps;
}

static void walkExpr(const Expr &expr, function_ref<void(const Expr &)> visit) {
  visit(expr);
  forEachChild(expr, [&](const Expr &child) { walkExpr(child, visit); });
}

void tegula::walkExprs(Stmts stmts, function_ref<void(const Expr &)> visit) {
  for (const StmtPtr &stmt : stmts) {
    forEachExpr(*stmt, [&](const Expr &expr) { walkExpr(expr, visit); });
    forEachBlock(*stmt, [&](Stmts block) { walkExprs(block, visit); });
  }
}
