// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the parameters of a function are bound to before its body begins: the
/// variables, the symbols of their axes, and what is known of their extents.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_PARAMETERBINDER_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_PARAMETERBINDER_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include <map>

namespace tegula {

class SymbolExtents;

/// Binds the parameters of a function, once.
class ParameterBinder : FunctionPart {
public:
  ParameterBinder(FunctionState &state, SymbolExtents &symbolExtents)
      : FunctionPart(state), symbolExtents(symbolExtents) {}

  /// `arguments` holds the object of each parameter; `equal` is what the call
  /// found. False after a mistake.
  bool bind(llvm::ArrayRef<Object> arguments, const EqualAxes &equal);

private:
  void bindVariables(llvm::ArrayRef<Object> arguments);
  bool checkAxes(llvm::ArrayRef<Object> arguments);
  void bindEntrySymbols(llvm::ArrayRef<Object> arguments);
  void bindCalledSymbols(llvm::ArrayRef<Object> arguments,
                         const EqualAxes &equal);
  bool bindExpressions(llvm::ArrayRef<Object> arguments);
  bool requireExpression(const AxisSymbol &axis, mlir::Value shaped,
                         llvm::ArrayRef<Object> conditions);
  void stateParameters(llvm::ArrayRef<Object> arguments);
  void narrowParameters();

  SymbolExtents &symbolExtents;
  /// The extent of each axis of a parameter of a called function, as far as it
  /// is not just its own.
  std::map<std::pair<unsigned, unsigned>, mlir::Value> parameterExtents;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_PARAMETERBINDER_H
