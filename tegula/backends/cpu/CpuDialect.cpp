// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/CpuDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tegula;

#include "tegula/backends/cpu/Cpu_dialect.cpp.inc"

#define GET_OP_CLASSES
#include "tegula/backends/cpu/Cpu_op.cpp.inc"

void cpu::CpuDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tegula/backends/cpu/Cpu_op.cpp.inc"
      >();
}
