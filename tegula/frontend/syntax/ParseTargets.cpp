// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be assigned to.
#include "tegula/frontend/syntax/ExpressionParser.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::SMLoc;
using llvm::StringRef;

/// What a node is called when it stands where only a target may.
static StringRef describeNode(const Expr &expr) {
  static constexpr StringRef names[] = {"a name",
                                        "an attribute",
                                        "a number",
                                        "a number",
                                        "a string",
                                        "a constant",
                                        "None",
                                        "'...'",
                                        "an operation",
                                        "an operation",
                                        "a comparison",
                                        "an operation",
                                        "a conditional expression",
                                        "a call",
                                        "a subscript",
                                        "a list",
                                        "a tuple",
                                        "a dict",
                                        "this expression",
                                        "this expression",
                                        "this expression",
                                        "a set",
                                        "this expression",
                                        "this expression",
                                        "this expression"};
  static_assert(std::size(names) == std::variant_size_v<Expr::Node>);
  return names[expr.node.index()];
}

static bool isSingleTarget(const Expr &target) {
  return std::holds_alternative<Name>(target.node) ||
         std::holds_alternative<Attribute>(target.node) ||
         std::holds_alternative<Subscript>(target.node) ||
         std::holds_alternative<Unsupported>(target.node);
}

bool ExpressionParser::checkTarget(const Expr &target) {
  const std::vector<ExprPtr> *elements = nullptr;
  if (const auto *tuple = std::get_if<Tuple>(&target.node))
    elements = &tuple->elements;
  if (const auto *list = std::get_if<List>(&target.node))
    elements = &list->elements;
  if (elements) {
    for (const ExprPtr &element : *elements)
      if (!checkTarget(*element))
        return false;
    return true;
  }
  if (const auto *starred = std::get_if<Starred>(&target.node))
    return checkTarget(*starred->value);
  if (isSingleTarget(target))
    return true;
  return failAt(target.loc, "cannot assign to " + describeNode(target) +
                                "; the target must be a name, an attribute, a "
                                "subscript or a tuple of these");
}

bool ExpressionParser::checkSingleTarget(const Expr &target, StringRef what) {
  if (isSingleTarget(target))
    return true;
  return failAt(target.loc, "the target of " + what +
                                " must be a name, an attribute or a "
                                "subscript, found " +
                                describeNode(target));
}

/// What stands between `for` and `in`.
ExprPtr ExpressionParser::parseTargetList() {
  SMLoc start = peek().loc();
  Tuple tuple;
  bool hasComma = false;
  do {
    SMLoc itemStart = peek().loc();
    bool isUnpacked = accept(TokenKind::Star);
    ExprPtr item = parseBinary(1);
    if (item && isUnpacked)
      item = make(itemStart, Starred{std::move(item)});
    if (!item || !checkTarget(*item))
      return nullptr;
    tuple.elements.push_back(std::move(item));
    if (!accept(TokenKind::Comma))
      break;
    hasComma = true;
  } while (!at(TokenKind::In));
  if (!hasComma)
    return std::move(tuple.elements.front());
  return make(start, std::move(tuple));
}
