// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which symbol stands for which axis of which parameter, from annotations and
/// from `x.bind_dynamic(axis, M)` in the body. It is known before any code is
/// generated, because it decides the types of parameters.

#ifndef TEGULA_FRONTEND_CONSTANTS_DECLAREDSYMBOLS_H
#define TEGULA_FRONTEND_CONSTANTS_DECLAREDSYMBOLS_H

#include "tegula/frontend/constants/Annotations.h"
#include <map>

namespace tegula {

/// One axis that has a symbol.
struct AxisSymbol {
  unsigned parameter;
  unsigned axis;
  std::shared_ptr<Symbol> symbol;
  mlir::Location loc;
  /// The name the symbol is written with; empty if it is not a plain name.
  std::string variable = {};
  /// False if a call where the extent is 1 is another program.
  bool mayBeOne = true;
};

/// The symbols of one function.
struct DeclaredSymbols {
  /// In order of parameters and axes, each axis once.
  std::vector<AxisSymbol> axes;
  /// The axes whose extent is computed from symbols, such as `M // 2`.
  std::vector<AxisSymbol> expressions;
  /// The symbols made by calls of pl.dynamic in the body.
  std::map<const ast::Expr *, Object> made;

  /// The symbol of an axis, or null.
  const AxisSymbol *find(unsigned parameter, unsigned axis) const;
};

/// Collects the symbols of a function. Mistakes are reported.
DeclaredSymbols collectSymbols(const KernelFunction &function,
                               const std::vector<DeclaredParameter> &parameters,
                               Reporter &reporter);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_DECLAREDSYMBOLS_H
