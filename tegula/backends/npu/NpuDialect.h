// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The npu dialect: steps on the units of an NPU's cores.

#ifndef TEGULA_BACKENDS_NPU_NPUDIALECT_H
#define TEGULA_BACKENDS_NPU_NPUDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tegula/backends/npu/Npu_dialect.h.inc"

#define GET_OP_CLASSES
#include "tegula/backends/npu/Npu_op.h.inc"

namespace tegula::npu {

/// Bytes of one of a core's memories.
struct Range {
  int64_t space; ///< a TegulaTraceSpace
  mlir::Value begin;
  mlir::Value bytes;
};

/// The ranges of a step, those that are read first.
llvm::SmallVector<Range> getRanges(mlir::Operation *step);
/// How many of them are read.
int64_t getNumReads(mlir::Operation *step);
/// True if the op is a step: it has ranges and a region that does it.
bool isStep(mlir::Operation *op);

} // namespace tegula::npu

#endif // TEGULA_BACKENDS_NPU_NPUDIALECT_H
