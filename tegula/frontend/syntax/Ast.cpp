// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace tegula;
using llvm::StringRef;

void std::default_delete<ast::Expr>::operator()(ast::Expr *expr) const {
  delete expr;
}

void std::default_delete<ast::Stmt>::operator()(ast::Stmt *stmt) const {
  delete stmt;
}

StringRef ast::spelling(UnaryOp op) {
  static constexpr StringRef names[] = {"+", "-", "~", "not"};
  return names[static_cast<int>(op)];
}

StringRef ast::spelling(BinaryOp op) {
  static constexpr StringRef names[] = {"+", "-",  "*",  "/", "//", "%", "**",
                                        "@", "<<", ">>", "&", "|",  "^"};
  return names[static_cast<int>(op)];
}

StringRef ast::spelling(CompareOp op) {
  static constexpr StringRef names[] = {
      "<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in"};
  return names[static_cast<int>(op)];
}

StringRef ast::spelling(BoolOpKind op) {
  return op == BoolOpKind::And ? "and" : "or";
}

std::string ast::Unsupported::message() const {
  std::string text = (what + " is not part of the kernel language").str();
  if (!advice.empty())
    text += ("; " + advice).str();
  return text;
}

std::string ast::dottedName(const Expr &expr) {
  llvm::SmallVector<StringRef> parts;
  const Expr *at = &expr;
  while (const auto *attribute = std::get_if<Attribute>(&at->node)) {
    parts.push_back(attribute->name);
    at = attribute->value.get();
  }
  const auto *name = std::get_if<Name>(&at->node);
  if (!name)
    return "";
  std::string text = name->id.str();
  for (StringRef part : llvm::reverse(parts))
    text += ("." + part).str();
  return text;
}
std::optional<ast::Unsupported> ast::leftOut(const Expr &expr) {
  if (const auto *node = std::get_if<Unsupported>(&expr.node))
    return *node;
  const auto *comprehension = std::get_if<Comprehension>(&expr.node);
  if (comprehension && comprehension->kind == Comprehension::Kind::Set)
    return Unsupported{"a set", "use a tuple"};
  if (std::holds_alternative<Starred>(expr.node))
    return Unsupported{"unpacking with '*'", "write the elements one by one"};
  if (std::holds_alternative<DoubleStarred>(expr.node))
    return Unsupported{"unpacking with '**'", "write the entries one by one"};
  if (std::holds_alternative<NamedExpr>(expr.node))
    return Unsupported{"':='", "assign on a line of its own"};
  if (std::holds_alternative<Set>(expr.node))
    return Unsupported{"a set", "use a tuple"};
  if (std::holds_alternative<Lambda>(expr.node))
    return Unsupported{"'lambda'", "write the expression where it is used, or "
                                   "a function with '@pl.jit.inline'"};
  return std::nullopt;
}

std::optional<ast::Unsupported> ast::leftOut(const Stmt &stmt) {
  if (const auto *node = std::get_if<Unsupported>(&stmt.node))
    return *node;
  if (std::holds_alternative<Try>(stmt.node))
    return Unsupported{"'try'", "kernels have no exceptions; check with 'if'"};
  if (std::holds_alternative<Raise>(stmt.node))
    return Unsupported{"'raise'", "check conditions with 'assert'"};
  if (std::holds_alternative<Delete>(stmt.node))
    return Unsupported{"'del'", "a value ends with its last use"};
  return std::nullopt;
}
