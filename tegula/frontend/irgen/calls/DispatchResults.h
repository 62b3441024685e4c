// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a dispatched function gives by itself. One rank has it, so it goes to
/// tensors that all see, and comes from there.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_DISPATCHRESULTS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_DISPATCHRESULTS_H

#include "tegula/frontend/irgen/ModuleGenerator.h"

namespace tegula {

/// The results of one dispatch.
class DispatchResults {
public:
  DispatchResults(Emitter &emitter, mlir::Location loc)
      : emitter(emitter), loc(loc) {}

  /// Makes a tensor for each result of the function, before the dispatch; false
  /// if only the function knows how large one is.
  bool create(const FunctionInstance &instance,
              llvm::ArrayRef<mlir::Value> arguments);
  llvm::ArrayRef<mlir::Value> getTensors() const { return tensors; }

  /// Writes what the call gave, in the dispatch. `returned` is what the
  /// function returns, as seen inside, and `given` what the call gave.
  void store(const Object &returned, const Object &given);

  /// What the dispatch gives, after it: as `given`, but with the tensors.
  Object take(const Object &returned, const Object &given);

private:
  void store(const Object &returned, const Object &given,
             llvm::ArrayRef<mlir::Value> &remaining);
  Object take(const Object &returned, const Object &given,
              llvm::ArrayRef<mlir::Value> &remaining);

  Emitter &emitter;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> tensors;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_DISPATCHRESULTS_H
