// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where in a grid a function runs, and calls of kernels as tasks. Helpers get
/// that place with their call.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_GRIDCALLS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_GRIDCALLS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Branches;
class FunctionCalls;
struct TaskOptions;

/// Calls that ask for the grid around, or make one.
class GridCalls : FunctionPart {
public:
  GridCalls(FunctionState &state, FunctionCalls &functionCalls,
            Branches &branches)
      : FunctionPart(state), functionCalls(functionCalls), branches(branches) {}

  /// `name` is how messages call the construct.
  Object call(Construct construct, llvm::StringRef name,
              const CallArguments &arguments);

private:
  Object waitForOthers(Construct construct, llvm::StringRef name,
                       const CallArguments &arguments);
  mlir::Value readHalf(llvm::StringRef name, const CallArguments &arguments);
  Object shard(const CallArguments &arguments);
  Object gather(const CallArguments &arguments);
  mlir::Value makeWhole(pl::TileType half, unsigned axis, mlir::Location loc);
  Object submit(Construct construct, llvm::StringRef name,
                const CallArguments &arguments);
  Object callGuarded(const TaskOptions &task, llvm::function_ref<Object()> call,
                     const KernelFunction &callee);
  Object callInGrid(const KernelFunction &callee, const CallArguments &call,
                    const Object &blocks);

  FunctionCalls &functionCalls;
  Branches &branches;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_GRIDCALLS_H
