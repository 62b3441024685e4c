// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowSums.h"

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/rows/RelaxFloats.h"
#include "tegula/backends/cuda/rows/RowPrefetches.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/backends/cuda/rows/RunByRun.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/semantics/Reduction.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"
#include "tegula/support/Routines.h"

using namespace mlir;
using namespace tegula;

/// Of a block.
static constexpr int64_t mostWarps = 8;

static bool isSameTwice(pl::Reduction reduction) {
  return reduction != pl::Reduction::Sum && reduction != pl::Reduction::Prod;
}

Value RowSums::emit(pl::ReduceOp op) {
  if (!hasPrefetched)
    prefetches.emit(threads.width, variant.countColumns(cudaThreads));
  hasPrefetched = true;
  Type element = op.getResult().getType().getElementType();
  Value neutral = arith::ConstantOp::create(
      builder, loc,
      pl::toAttribute(
          pl::getIdentity(op.getReduction(), *pl::getDType(element)),
          signlessType(element)));
  Value sum = sumOfWarp(op, sumOfThread(op, neutral));
  return variant.isByWarp ? sum : sumOfBlock(op, sum, neutral);
}

Value RowSums::sumOfThread(pl::ReduceOp op, Value neutral) {
  SmallVector<Value> parts;
  size_t next = 0;
  for (const RowRun &run : state.runs) {
    Value part = values.elementOf(op.getSource(), next++);
    for (int64_t i = 1; i < run.count; ++i)
      part = combine(op, part, values.elementOf(op.getSource(), next++));
    // Where there are none others were read, which may count twice, unless
    // whoever has them has written them by then.
    if (run.mask && (writesWhatIsRead() || !isSameTwice(op.getReduction())))
      part = arith::SelectOp::create(builder, loc, run.mask, part, neutral);
    parts.push_back(part);
  }
  return combineAll(op, std::move(parts));
}

Value RowSums::combine(pl::ReduceOp op, Value lhs, Value rhs) {
  Type element = op.getResult().getType().getElementType();
  Value made = pl::buildScalarCombination(builder, loc, op.getReduction(), lhs,
                                          rhs, pl::isUnsigned(element));
  if (Operation *last = made.getDefiningOp())
    relaxFloats(state, last);
  return made;
}

bool RowSums::writesWhatIsRead() const {
  return llvm::any_of(program.accesses, [&](const auto &store) {
    return isa<pl::StoreOp>(store.first) &&
           llvm::any_of(program.accesses, [&](const auto &load) {
             return isa<pl::LoadOp>(load.first) &&
                    load.second.tensor == store.second.tensor;
           });
  });
}

/// Neighbours first.
Value RowSums::combineAll(pl::ReduceOp op, SmallVector<Value> parts) {
  while (parts.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
      next.push_back(combine(op, parts[i], parts[i + 1]));
    if (parts.size() % 2 != 0)
      next.push_back(parts.back());
    parts = std::move(next);
  }
  return parts.front();
}

/// All threads of the warp have it.
Value RowSums::sumOfWarp(pl::ReduceOp op, Value sum) {
  Type word = builder.getI32Type(), type = sum.getType();
  for (int64_t apart = GpuRowVariant::warpThreads / 2; apart > 0; apart /= 2) {
    Value bits = LLVM::BitcastOp::create(builder, loc, word, sum);
    Value other = code.call(routine::tegulaGpuExchange, word,
                            ValueRange{bits, math.constant(apart)});
    sum = combine(op, sum, LLVM::BitcastOp::create(builder, loc, type, other));
  }
  return sum;
}

/// Whether all sums fit there, and cache counts: what rows have in common is
/// read several times.
bool RowSums::hasFewPartials() const {
  int64_t count = llvm::count_if(
      program.steps, [](Operation *op) { return isa<pl::ReduceOp>(op); });
  return runByRun.isChosen() && count * mostWarps <= tegulaGpuNumFewPartials;
}

/// Each sum of the kernel has memory of its own, so one wait is enough. Then
/// every thread reads what all warps have.
Value RowSums::sumOfBlock(pl::ReduceOp op, Value sum, Value neutral) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type type = sum.getType();
  Value parts = code.call(hasFewPartials() ? routine::tegulaGpuFewPartials
                                           : routine::tegulaGpuPartials,
                          pointer, {});
  parts = LLVM::GEPOp::create(
      builder, loc, pointer, type, parts,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(numSums++ * mostWarps)});
  auto at = [&](Value column) -> Value {
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), column);
    return LLVM::GEPOp::create(builder, loc, pointer, type, parts,
                               ArrayRef<LLVM::GEPArg>{wide});
  };
  code.emitIf(math.isEqual(threads.laneOfWarp, code.number(0)), [&] {
    LLVM::StoreOp::create(builder, loc, sum, at(threads.warp));
  });
  code.call(routine::tegulaGpuBarrier, {}, {});
  SmallVector<Value> found;
  for (int64_t i = 0; i < mostWarps; ++i) {
    Value number = code.number(i);
    Value part = LLVM::LoadOp::create(builder, loc, type, at(number));
    Value isThere = math.below(number, threads.numWarps);
    found.push_back(
        arith::SelectOp::create(builder, loc, isThere, part, neutral));
  }
  return combineAll(op, std::move(found));
}
