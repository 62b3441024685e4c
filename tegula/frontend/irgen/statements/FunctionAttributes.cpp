// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/FunctionAttributes.h"

using namespace tegula;

bool FunctionAttributes::isAttribute(const ast::Expr &expr) const {
  const auto *call = std::get_if<ast::Call>(&expr.node);
  return call &&
         state.calleeConstruct(*call->callee) == Construct::FunctionAttributes;
}

void FunctionAttributes::checkKeys(const ast::Dict &dict,
                                   std::set<std::string> &seen) {
  for (const ast::ExprPtr &expr : dict.keys) {
    const auto *key = std::get_if<ast::String>(&expr->node);
    if (!key)
      fail(locate(*expr), "an attribute is named by a string");
    else if (!seen.insert(key->value).second)
      fail(locate(*expr), "the attribute '" + key->value + "' is given twice");
  }
}

bool FunctionAttributes::check(const ast::Expr &expr) {
  if (!isAttribute(expr))
    return false;
  std::set<std::string> seen;
  for (const ast::StmtPtr &stmt : state.function.getDefinition().body) {
    const auto *statement = std::get_if<ast::ExprStmt>(&stmt->node);
    const ast::Expr *value = statement ? statement->value.get() : nullptr;
    bool isFirst = value && (isAttribute(*value) ||
                             std::holds_alternative<ast::String>(value->node));
    if (!isFirst)
      break;
    const auto *call = std::get_if<ast::Call>(&value->node);
    const auto *dict = call && call->args.size() == 1 && call->keywords.empty()
                           ? std::get_if<ast::Dict>(&call->args.front()->node)
                           : nullptr;
    if (call && !dict) {
      fail(locate(*value), "pl.func_attr takes one dict");
      return true;
    }
    if (dict)
      checkKeys(*dict, seen);
    if (value == &expr)
      return true;
  }
  fail(locate(expr), "pl.func_attr must stand at the start of the body");
  return true;
}
