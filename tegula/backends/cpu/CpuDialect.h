// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cpu dialect: parts of tile programs that a processor does at once.

#ifndef TEGULA_BACKENDS_CPU_CPUDIALECT_H
#define TEGULA_BACKENDS_CPU_CPUDIALECT_H

#include "tegula/ir/ops/PlDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tegula/backends/cpu/Cpu_dialect.h.inc"

#define GET_OP_CLASSES
#include "tegula/backends/cpu/Cpu_op.h.inc"

#endif // TEGULA_BACKENDS_CPU_CPUDIALECT_H
