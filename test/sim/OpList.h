// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels for tests: operations that are simply listed.

#ifndef TEGULA_TEST_SIM_OPLIST_H
#define TEGULA_TEST_SIM_OPLIST_H

#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/Machine.h"
#include "tegula/sim/programs/Program.h"
#include "gtest/gtest.h"

namespace tegula::sim {

/// Work items that are lists of operations. Formula 0 is one operation per
/// element, tensor 0 is called "memory".
class OpList : public Program {
public:
  explicit OpList(std::vector<std::vector<TegulaTraceOp>> items)
      : Program("list"), items(std::move(items)) {
    addTensor("memory");
    TegulaTraceFormula formula{};
    formula.name = "add";
    formula.ops = 1;
    addFormula(formula);
  }

  int64_t countItems() const override { return int64_t(items.size()); }
  bool next(int64_t item, TegulaTraceCursor &cursor,
            TegulaTraceOp &op) const override {
    if (cursor.position[0] == int64_t(items[item].size()))
      return false;
    op = items[item][cursor.position[0]++];
    return true;
  }

private:
  std::vector<std::vector<TegulaTraceOp>> items;
};

inline TegulaTraceRange makeRange(int64_t begin, int64_t size) {
  TegulaTraceRange range{};
  range.begin = uint32_t(begin);
  range.size = uint32_t(size);
  return range;
}

inline TegulaTraceOp makeTransfer(TegulaTraceKind kind, int64_t base,
                                  int64_t bytes, int64_t at) {
  TegulaTraceOp op{};
  op.kind = kind;
  op.base = base;
  op.rows = op.planes = 1;
  op.rowBytes = int32_t(bytes);
  if (kind == TegulaTraceLoad)
    addWrite(op, makeRange(at, bytes), bytes);
  else
    addRead(op, makeRange(at, bytes), bytes, /*isLast=*/true);
  return op;
}

inline TegulaTraceOp makeMatmul(int64_t rows, int64_t columns, int64_t depth,
                                uint8_t flags = 0) {
  TegulaTraceOp op{};
  op.kind = TegulaTraceMultiply;
  op.flags = flags;
  op.rows = int32_t(rows);
  op.columns = int32_t(columns);
  op.depth = int32_t(depth);
  return op;
}

inline TegulaTraceOp makeVector(int64_t rows, int64_t columns) {
  TegulaTraceOp op{};
  op.kind = TegulaTraceVector;
  op.rows = int32_t(rows);
  op.columns = int32_t(columns);
  return op;
}

/// A machine whose fixed costs are all zero: what is left are the units.
inline Machine makeBareMachine() {
  Machine machine;
  machine.name = "bare";
  machine.weightSlotsPerArray = 1;
  machine.dramLatencyNs = 0;
  machine.nocHopCycles = 0;
  machine.dramHashShifts = {4, 8, 12, 16};
  return machine;
}

/// The result of a run that must succeed.
inline Result simulateWell(const Machine &machine, const Program &program,
                           const SimulateOptions &options = {}) {
  Expected<Result> result = simulate(machine, program.getKernel(), options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

/// What is wrong with a run that must fail.
inline std::string simulateError(const Machine &machine,
                                 const Program &program) {
  Expected<Result> result = simulate(machine, program.getKernel());
  return result ? "" : llvm::toString(result.takeError());
}

} // namespace tegula::sim

#endif // TEGULA_TEST_SIM_OPLIST_H
