// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace tegula;
using llvm::StringRef;

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
