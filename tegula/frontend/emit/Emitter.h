// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Builds IR for the operations of the language on objects: conversion of
/// constants, promotion, broadcasting, loads of views that are used as values.
/// It knows no syntax. A mistake is reported at the given location and yields a
/// null value or a poisoned object; no op is ever built that does not verify.

#ifndef TEGULA_FRONTEND_EMIT_EMITTER_H
#define TEGULA_FRONTEND_EMIT_EMITTER_H

#include "tegula/frontend/emit/BooleanCounts.h"
#include "tegula/frontend/emit/CrossingExtents.h"
#include "tegula/frontend/emit/ElementwiseEmitter.h"
#include "tegula/frontend/emit/ExtentEmitter.h"
#include "tegula/frontend/emit/MatmulEmitter.h"
#include "tegula/frontend/emit/MemoryEmitter.h"
#include "tegula/frontend/emit/OperatorEmitter.h"
#include "tegula/frontend/emit/ReshapeEmitter.h"
#include "tegula/frontend/emit/ScalarEmitter.h"
#include "tegula/frontend/emit/ShapeEmitter.h"
#include "tegula/support/MachineParts.h"

namespace tegula {

/// Generates ops at the insertion point of its builder. The work is done by
/// parts, each with one job.
class Emitter {
public:
  Emitter(mlir::Block *entry, llvm::StringRef function,
          const MachineParts &parts, Reporter &reporter)
      : builder(mlir::OpBuilder::atBlockEnd(entry)), function(function),
        parts(parts), reporter(reporter), entry(entry) {}
  Emitter(const Emitter &) = delete;

  mlir::OpBuilder builder;
  /// What the author calls the function that is generated.
  llvm::StringRef function;
  /// What the program is told of the machine.
  MachineParts parts;
  Reporter &reporter;
  /// Where the function begins.
  mlir::Block *entry;
  /// What is known of reads and writes of parameters.
  TensorUse uses;

  mlir::MLIRContext *getContext() { return builder.getContext(); }
  /// Reports an error and gives the poisoned object.
  Object fail(mlir::Location loc, const llvm::Twine &message,
              llvm::ArrayRef<Note> notes = {});
  /// Erases an op generated on trial.
  void eraseTrial(mlir::Operation *op);

  ScalarEmitter scalars{*this};
  ExtentEmitter extents{*this};
  OperatorEmitter operators{*this};
  ElementwiseEmitter elementwise{*this};
  BooleanCounts booleans{*this};
  MatmulEmitter matmuls{*this};
  ShapeEmitter shapes{*this};
  ReshapeEmitter reshapes{*this};
  CrossingExtents crossing{*this};
  MemoryEmitter memory{*this};

  /// Builds an op with inferred result type; null if its types do not fit,
  /// which is reported with `name`.
  template <typename OpType>
  mlir::Value create(mlir::Location loc, llvm::StringRef name,
                     mlir::ValueRange operands,
                     const typename OpType::Properties &properties) {
    typename OpType::Properties copy = properties;
    llvm::SmallVector<mlir::Type> types;
    unsigned before = reporter.getNumErrors();
    if (failed(OpType::inferReturnTypes(getContext(), std::nullopt, operands,
                                        {}, &copy, {}, types))) {
      explain(loc, name, [&] {
        (void)OpType::inferReturnTypes(getContext(), loc, operands, {}, &copy,
                                       {}, types);
      });
      assert(reporter.getNumErrors() > before && "a failure is explained");
      return {};
    }
    return verified(OpType::create(builder, loc, types, operands, properties),
                    name);
  }

  /// The result of an op just built, or null if it does not verify.
  mlir::Value verified(mlir::Operation *op, llvm::StringRef name);
  /// Runs `attempt`, which fails, and reports what it says under the name the
  /// author knows.
  void explain(mlir::Location loc, llvm::StringRef name,
               llvm::function_ref<void()> attempt);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_EMITTER_H
