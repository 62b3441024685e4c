// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/DescribeOp.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::sim;

std::string sim::describeOp(const OpRecord &record) {
  const TegulaTraceOp &op = record.op;
  switch (op.kind) {
  case TegulaTraceLoad:
    return llvm::formatv("load {0}", record.kernel.tensors[op.tensor]);
  case TegulaTraceStore:
    return llvm::formatv("store {0}", record.kernel.tensors[op.tensor]);
  case TegulaTraceLoadWeights:
    return llvm::formatv("weights {0}x{1}", op.depth, op.columns);
  case TegulaTraceMultiply:
    return llvm::formatv("multiply {0}x{1}x{2}", op.rows, op.columns, op.depth);
  case TegulaTraceReadOut:
    return llvm::formatv("read out {0}x{1}", op.rows, op.columns);
  default:
    return llvm::formatv("{0} {1}x{2}", record.kernel.formulas[op.formula].name,
                         op.rows, op.columns);
  }
}

int64_t sim::getTransferBytes(const TegulaTraceOp &op) {
  bool isTransfer = op.kind == TegulaTraceLoad || op.kind == TegulaTraceStore;
  return isTransfer ? int64_t(op.planes) * op.rows * op.rowBytes : 0;
}
