// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `pl.func_attr({...})` at the start of a body: advice for machines with
/// tasks, checked and then left aside.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_FUNCTIONATTRIBUTES_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_FUNCTIONATTRIBUTES_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include <set>

namespace tegula {

/// Checks such calls.
class FunctionAttributes : FunctionPart {
public:
  explicit FunctionAttributes(FunctionState &state) : FunctionPart(state) {}

  /// True if `expr` is one.
  bool check(const ast::Expr &expr);

private:
  bool isAttribute(const ast::Expr &expr) const;
  void checkKeys(const ast::Dict &dict, std::set<std::string> &seen);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_FUNCTIONATTRIBUTES_H
