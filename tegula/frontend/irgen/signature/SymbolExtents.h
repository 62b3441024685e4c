// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the symbols of a function are worth in it, and how those are found that
/// appear only inside declared extents: `M // 2`.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_SYMBOLEXTENTS_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_SYMBOLEXTENTS_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include <map>

namespace tegula {

/// The extents of symbols.
class SymbolExtents : FunctionPart {
public:
  explicit SymbolExtents(FunctionState &state) : FunctionPart(state) {}

  /// Says what a symbol is worth, unless that is known.
  const Object &bind(const Symbol &symbol, const Object &extent) {
    return known.insert({&symbol, extent}).first->second;
  }
  /// What a symbol was bound to, or null.
  const Object *find(const Symbol *symbol) const {
    auto found = known.find(symbol);
    return found == known.end() ? nullptr : &found->second;
  }
  /// What a symbol, or arithmetic on symbols, comes to. Reports a symbol that
  /// has no extent here.
  Object valueOf(const SymbolObject &object, mlir::Location loc);
  /// The symbols of `axis` that have no extent yet.
  std::vector<Symbol *> unknownIn(const AxisSymbol &axis) const;
  /// Finds `unknown` from the extent that the expression of `axis` has; false
  /// if it says too little. What is left to check is added to `conditions`.
  bool solve(const AxisSymbol &axis, Symbol *unknown, const Object &extent,
             std::vector<Object> &conditions);
  /// What the expression of an axis comes to, and the symbols in it.
  std::vector<std::pair<std::string, mlir::Value>>
  sizesOf(const AxisSymbol &axis, const Object &expected);

private:
  std::map<const Symbol *, Object> known;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_SYMBOLEXTENTS_H
