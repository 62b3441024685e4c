// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of other kernel functions: an instance of the function for these
/// arguments, and a call op.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_FUNCTIONCALLS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_FUNCTIONCALLS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class AxisGroups;
class SymbolExtents;

/// Calls kernel functions.
class FunctionCalls : FunctionPart {
public:
  FunctionCalls(FunctionState &state, AxisGroups &groups)
      : FunctionPart(state), groups(groups) {}

  Object call(const KernelFunction &callee, CallArguments arguments);

private:
  using Parameters = std::vector<DeclaredParameter>;
  /// What the parameters get.
  struct Bound {
    std::vector<Object> objects;
    /// The argument that a part of it was given for, because the parameter
    /// says how long it is.
    llvm::DenseMap<mlir::Value, mlir::Value> whole;
  };

  bool bind(const KernelFunction &callee, const Parameters &parameters,
            const CallArguments &arguments, Bound &bound);
  bool createOutputs(const KernelFunction &callee, const Parameters &parameters,
                     mlir::Location loc, Bound &bound);
  mlir::Value createOutput(const KernelFunction &callee,
                           const DeclaredParameter &parameter,
                           SymbolExtents &extents, mlir::Location loc);
  mlir::Value narrow(const DeclaredParameter &parameter, mlir::Value value,
                     mlir::Location loc);
  bool adaptArgument(const KernelFunction &callee,
                     const DeclaredParameter &parameter, Object &argument,
                     mlir::Location loc);
  bool adaptShaped(const KernelFunction &callee,
                   const DeclaredParameter &parameter, mlir::Value value,
                   mlir::Location loc);
  bool checkExtent(const KernelFunction &callee,
                   const DeclaredParameter &parameter, mlir::Value value,
                   unsigned axis, mlir::Location loc);
  bool checkSymbols(const KernelFunction &callee, const Parameters &parameters,
                    llvm::ArrayRef<Object> arguments, mlir::Location loc);
  EqualAxes findEqualAxes(llvm::ArrayRef<Object> arguments, mlir::Location loc);
  void useArguments(const FunctionInstance &instance,
                    const Parameters &parameters,
                    llvm::ArrayRef<Object> arguments, mlir::Location loc);
  bool saysSomething(mlir::func::FuncOp function);
  Object emitCall(const FunctionInstance &instance, const Bound &bound,
                  mlir::Location loc);
  Object callBack(const KernelFunction &callee, const Parameters &parameters,
                  const Bound &bound, mlir::Location loc);
  Object dispatch(const KernelFunction &callee,
                  const FunctionInstance &instance, const Bound &bound,
                  const CallArgument &device, mlir::Location loc);

  AxisGroups &groups;
  /// What saysSomething found.
  llvm::DenseMap<mlir::Operation *, bool> sayings;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_FUNCTIONCALLS_H
