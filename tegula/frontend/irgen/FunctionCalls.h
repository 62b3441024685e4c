// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of other kernel functions: an instance of the function for these
/// arguments, and a call op.

#ifndef TEGULA_FRONTEND_IRGEN_FUNCTIONCALLS_H
#define TEGULA_FRONTEND_IRGEN_FUNCTIONCALLS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class AxisGroups;
class SymbolExtents;

/// Calls kernel functions.
class FunctionCalls : FunctionPart {
public:
  FunctionCalls(FunctionState &state, AxisGroups &groups,
                SymbolExtents &symbolExtents)
      : FunctionPart(state), groups(groups), symbolExtents(symbolExtents) {}

  Object call(const KernelFunction &callee, const CallArguments &arguments);

private:
  using Parameters = std::vector<DeclaredParameter>;

  bool bind(const KernelFunction &callee, const Parameters &parameters,
            const CallArguments &arguments, std::vector<Object> &objects);
  bool adaptArgument(const KernelFunction &callee,
                     const DeclaredParameter &parameter, Object &argument,
                     mlir::Location loc);
  bool adaptShaped(const KernelFunction &callee,
                   const DeclaredParameter &parameter, mlir::Value value,
                   mlir::Location loc);
  bool checkSymbols(const KernelFunction &callee, const Parameters &parameters,
                    llvm::ArrayRef<Object> arguments, mlir::Location loc);
  bool checkVariable(const DeclaredDim &dim, mlir::Value shaped, unsigned axis,
                     mlir::Location loc);
  EqualAxes findEqualAxes(llvm::ArrayRef<Object> arguments, mlir::Location loc);
  void useArguments(const FunctionInstance &instance,
                    const Parameters &parameters,
                    llvm::ArrayRef<Object> arguments, mlir::Location loc);
  Object emitCall(const FunctionInstance &instance,
                  llvm::ArrayRef<Object> arguments, mlir::Location loc);

  AxisGroups &groups;
  SymbolExtents &symbolExtents;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_FUNCTIONCALLS_H
