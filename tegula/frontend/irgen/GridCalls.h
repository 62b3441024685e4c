// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where in a grid a function runs, and calls of kernels as tasks. Helpers get
/// that place with their call.

#ifndef TEGULA_FRONTEND_IRGEN_GRIDCALLS_H
#define TEGULA_FRONTEND_IRGEN_GRIDCALLS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class FunctionCalls;

/// Calls that ask for the grid around, or make one.
class GridCalls : FunctionPart {
public:
  GridCalls(FunctionState &state, FunctionCalls &functionCalls)
      : FunctionPart(state), functionCalls(functionCalls) {}

  /// `name` is how messages call the form.
  Object call(Form form, llvm::StringRef name, const CallArguments &arguments);

private:
  Object waitForOthers(pl::LoopKind kind, mlir::Location loc);
  Object shard(const CallArguments &arguments);
  Object submit(Form form, llvm::StringRef name,
                const CallArguments &arguments);
  Object callInGrid(const KernelFunction &callee, const CallArguments &call,
                    const Object &blocks);

  FunctionCalls &functionCalls;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_GRIDCALLS_H
