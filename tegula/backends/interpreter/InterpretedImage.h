// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program that the reference interpreter runs, read back from an image.

#ifndef TEGULA_BACKENDS_INTERPRETER_INTERPRETEDIMAGE_H
#define TEGULA_BACKENDS_INTERPRETER_INTERPRETEDIMAGE_H

#include "tegula/launch/image/KernelImage.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <mutex>

namespace tegula {

/// A module with its context. One call runs at a time.
class InterpretedImage : public LoadedImage {
public:
  /// The object that holds the module, as bytecode.
  static constexpr const char *programKind = "program";

  static Problem load(const KernelImage &image,
                      std::unique_ptr<LoadedImage> &loaded);

  Problem run(llvm::ArrayRef<Argument> arguments,
              const int64_t *slots) override;

private:
  InterpretedImage();

  std::mutex mutex;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Signature signature;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_INTERPRETER_INTERPRETEDIMAGE_H
