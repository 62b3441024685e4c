// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of the routines of KernelAbi.h from a function that is being lowered,
/// and the errors of the call that it reports by one of them.

#ifndef TEGULA_BACKENDS_CODEGEN_RUNTIMECALLS_H
#define TEGULA_BACKENDS_CODEGEN_RUNTIMECALLS_H

#include "tegula/backends/codegen/IndexMath.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tegula {

/// The calls of one function. `sites` are the texts that errors of all
/// functions refer to, by number.
class RuntimeCalls {
public:
  RuntimeCalls(mlir::OpBuilder &builder,
               llvm::SmallVectorImpl<mlir::Attribute> &sites)
      : builder(builder), sites(sites) {}

  /// What follows is emitted into this function, whose last argument is the
  /// state of the call.
  void enter(mlir::func::FuncOp function) { lowered = function; }
  mlir::Value getState() { return lowered.getArguments().back(); }
  mlir::ModuleOp getModule() {
    return lowered->getParentOfType<mlir::ModuleOp>();
  }

  mlir::LLVM::CallOp call(llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange arguments, mlir::Location loc);

  /// The number of a text, or of what names a location.
  int32_t siteOf(const llvm::Twine &text);
  int32_t siteOf(mlir::Location loc);
  llvm::StringRef getText(int32_t site) const;

  /// Reports `kind` where the condition holds.
  void reportIf(mlir::Value condition, int32_t kind, int64_t axis,
                mlir::OpFoldResult index, mlir::OpFoldResult extent,
                mlir::Location loc);
  void reportIf(mlir::Value condition, int32_t kind, int32_t site, int64_t axis,
                mlir::OpFoldResult index, mlir::OpFoldResult extent,
                mlir::Location loc);
  /// True where the index lies in the extent; reports where not.
  mlir::Value checkIndex(mlir::OpFoldResult index, int64_t axis,
                         mlir::OpFoldResult extent, mlir::Location loc);
  /// True where every index lies in the extents; reports the first that does
  /// not.
  mlir::Value checkIndices(const Indices &indices, const Indices &extents,
                           mlir::Location loc);

private:
  mlir::OpBuilder &builder;
  llvm::SmallVectorImpl<mlir::Attribute> &sites;
  mlir::func::FuncOp lowered;
};

/// "k.py:3:5", or nothing where the location names no line.
std::string textOfLocation(mlir::Location loc);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_RUNTIMECALLS_H
