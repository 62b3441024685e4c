// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the text of a kernel file to a module of the pl dialect. Mistakes go to
/// the diagnostic engine of the context with path, line and column.

#ifndef TEGULA_FRONTEND_FRONTEND_H
#define TEGULA_FRONTEND_FRONTEND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tegula/support/DType.h"
#include "tegula/support/ExtentProgram.h"
#include "tegula/support/MachineParts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tegula {

class NameListener;
struct Program;
class SourceFiles;

/// What a call knows about one argument. It matters only for parameters whose
/// annotation leaves something open.
struct ArgumentSpec {
  bool isTensor = true;
  DType dtype = DType::FP32;
  /// One entry per axis; nothing where the axis is to stay dynamic.
  std::vector<std::optional<int64_t>> shape;
  /// The value of a number, if the program may be specialised on it.
  std::optional<int64_t> integer = std::nullopt;
  std::optional<double> real = std::nullopt;
};

/// One axis of a declared shape.
struct KernelAxis {
  /// The extent, if it is declared as a number.
  std::optional<int64_t> extent;
  /// The symbol, if it has one, or the text of the expression; empty
  /// otherwise.
  std::string symbol;
  /// How the extent is computed from symbols, if it is an expression.
  std::optional<ExtentProgram> expression = std::nullopt;
};

/// One parameter of a kernel as declared.
struct KernelParameter {
  enum class Direction { In, Out, InOut };

  std::string name;
  Direction direction = Direction::In;
  /// Nothing if the annotation does not say.
  std::optional<bool> isTensor;
  /// Nothing if the annotation leaves it to the call.
  std::optional<DType> dtype;
  /// Nothing if the annotation leaves the shape to the call.
  std::optional<std::vector<KernelAxis>> axes;
};

/// A kernel of a file: a function under `@pl.jit`, or a class under
/// `@pl.program`.
struct KernelSignature {
  std::string name;
  std::vector<KernelParameter> parameters;
  /// The parameters that it returns, by number; none if that depends.
  std::vector<unsigned> results = {};
};

/// The kernels of a file in source order, or nothing if there are mistakes.
/// What they import comes from `files`; without, nothing can be imported. A
/// program counts as a kernel; `wanted` may name a function of one, as
/// `Program.function`, which is then in the list. What they return may depend
/// on the `parts` of the machine.
std::optional<std::vector<KernelSignature>>
listKernels(mlir::MLIRContext &context, llvm::StringRef text,
            llvm::StringRef path, SourceFiles *files = nullptr,
            llvm::StringRef wanted = "", const MachineParts &parts = {});

/// Generates the module for one kernel of a file; an empty name means the only
/// one there is. `specs` holds one entry per parameter, or none at all if no
/// parameter is left open, and `parts` is what the program is told of the
/// machine. Null if there are mistakes. The context must have the dialects of
/// registerDialects. A listener hears what the names of the kernel mean.
mlir::OwningOpRef<mlir::ModuleOp>
generateModule(mlir::MLIRContext &context, llvm::StringRef text,
               llvm::StringRef path, llvm::StringRef kernel,
               llvm::ArrayRef<ArgumentSpec> specs = {},
               SourceFiles *files = nullptr, const MachineParts &parts = {},
               NameListener *listener = nullptr);

/// The same for a program whose names have been captured: its entry, and the
/// module of it.
std::optional<KernelSignature> describeProgram(mlir::MLIRContext &context,
                                               const Program &program,
                                               const MachineParts &parts = {});
mlir::OwningOpRef<mlir::ModuleOp>
generateModule(mlir::MLIRContext &context, const Program &program,
               llvm::ArrayRef<ArgumentSpec> specs = {},
               const MachineParts &parts = {});

} // namespace tegula

#endif // TEGULA_FRONTEND_FRONTEND_H
