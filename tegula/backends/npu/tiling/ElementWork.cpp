// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/tiling/ElementWork.h"

#include "tegula/ir/OpCosts.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace tegula;

/// Lanes know where they are.
static bool isFree(Operation *op) {
  return isa<linalg::IndexOp>(op) || pl::getCost(op) == 0;
}

/// Something that takes longer names it.
static void addOp(Operation &op, ElementWork &work) {
  if (isFree(&op))
    return;
  // Lanes take several passes for functions and quotients.
  bool isSpecial = pl::isSpecial(&op);
  ++(isSpecial ? work.specials : work.ops);
  if (isSpecial || work.name.empty() || work.specials == 0)
    work.name = op.getName().stripDialect().str();
}

/// What is called for whole rows; a guess if that is unknown: elements are
/// read, compared, written.
static ElementWork workOfRoutines(Region &region) {
  constexpr int64_t guess = 8, quartersOfOp = 4;
  int64_t quarters = 0;
  region.walk([&](LLVM::CallOp call) {
    quarters += getElementCost(call.getCallee().value_or(""));
  });
  ElementWork work;
  work.ops = quarters ? llvm::divideCeil(quarters, quartersOfOp) : guess;
  work.name = "routine";
  return work;
}

std::vector<ElementWork> tegula::listWork(Region &region) {
  std::vector<ElementWork> loops;
  region.walk([&](linalg::GenericOp loop) {
    ElementWork &work = loops.emplace_back();
    for (Operation &op : *loop.getBody())
      addOp(op, work);
    work.isCopy = work.ops + work.specials == 0;
    work.combinesRows =
        loop.getNumLoops() > 0 &&
        loop.getIteratorTypesArray().back() == utils::IteratorType::reduction;
  });
  if (loops.empty())
    loops.push_back(workOfRoutines(region));
  return loops;
}

ElementWork tegula::addWork(ArrayRef<ElementWork> loops) {
  ElementWork sum;
  sum.isCopy = true;
  for (const ElementWork &work : loops) {
    if (work.specials > 0 || sum.specials == 0)
      sum.name = work.name.empty() ? sum.name : work.name;
    sum.ops += work.ops;
    sum.specials += work.specials;
    sum.isCopy &= work.isCopy;
    sum.combinesRows |= work.combinesRows;
  }
  if (sum.isCopy) {
    sum.name = "copy";
    sum.ops = 1;
  }
  return sum;
}
