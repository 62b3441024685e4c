// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/EmitTrace.h"

#include "tegula/backends/npu/tiling/FormulaTable.h"
#include "tegula/backends/npu/trace/CallHooks.h"
#include "tegula/support/TraceAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Emits the trace of one function.
class StepEmitter {
public:
  StepEmitter(func::FuncOp function, FormulaTable &formulas, bool runs)
      : function(function), formulas(formulas), runs(runs),
        builder(function->getContext()), hooks(builder, function) {}

  void emit(Operation *op) {
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](npu::LoadOp load) { emitTransfer(load, TegulaTraceLoad); })
        .Case(
            [&](npu::StoreOp store) { emitTransfer(store, TegulaTraceStore); })
        .Case([&](npu::MultiplyOp multiply) { emitMultiply(multiply); })
        .Case([&](npu::WeightsOp weights) { emitWeights(weights); })
        .Case([&](npu::AwaitOp await) { emit(TegulaTraceAwait, begin(await)); })
        .Case([&](npu::ReadOutOp readOut) { emitReadOut(readOut); })
        .Case([&](npu::HandoverOp handover) { emitHandover(handover); })
        .Case([&](npu::VectorOp vector) { emitVector(vector); })
        .Case([&](npu::LoadElementOp loadElement) {
          emitLoadElement(loadElement);
        })
        .Case([&](npu::RingSlotOp slotNumber) { takeRingSlot(slotNumber); });
    if (runs && op->getNumRegions() != 0)
      op->getBlock()->getOperations().splice(
          Block::iterator(op), op->getRegion(0).front().getOperations());
    op->erase();
  }

private:
  /// What every step begins with.
  SmallVector<Value> begin(Operation *op) {
    SmallVector<Value> numbers = {constant(lineOf(op))};
    llvm::append_range(numbers, coordinatesOf(op));
    SmallVector<npu::Range> ranges;
    int64_t numReads = 0;
    if (npu::isStep(op)) {
      ranges = npu::getRanges(op);
      numReads = npu::getNumReads(op);
    }
    numbers.push_back(constant(numReads));
    numbers.push_back(constant(int64_t(ranges.size()) - numReads));
    for (const npu::Range &range : ranges) {
      numbers.push_back(constant(range.space));
      numbers.push_back(bits(range.begin));
      numbers.push_back(bits(range.bytes));
    }
    return numbers;
  }

  void emit(TegulaTraceKind kind, ValueRange numbers) {
    Value memory = hooks.store(numbers, loc);
    Value which = arith::ConstantIntOp::create(builder, loc, kind, 32);
    hooks.call(Hook::Emit, {which, memory}, loc);
  }

  template <typename Transfer>
  void emitTransfer(Transfer op, TegulaTraceKind kind) {
    SmallVector<Value> numbers = begin(op);
    numbers.push_back(bits(op.getAddress()));
    numbers.push_back(constant(op.getElementBytes()));
    numbers.push_back(constant(op.getSizes().size()));
    for (Value size : op.getSizes())
      numbers.push_back(bits(size));
    for (Value stride : op.getStrides())
      numbers.push_back(bits(stride));
    emit(kind, numbers);
  }

  void emitMultiply(npu::MultiplyOp op) {
    SmallVector<Value> numbers = begin(op);
    for (Value extent : {op.getRows(), op.getColumns(), op.getDepth()})
      numbers.push_back(bits(extent));
    numbers.push_back(bits(op.getAccumulates()));
    numbers.push_back(constant(op.getLoaded()));
    emit(TegulaTraceMultiply, numbers);
  }

  void emitWeights(npu::WeightsOp op) {
    SmallVector<Value> numbers = begin(op);
    for (Value extent : {op.getRows(), op.getColumns(), op.getDepth()})
      numbers.push_back(bits(extent));
    emit(TegulaTraceLoadWeights, numbers);
  }

  void emitReadOut(npu::ReadOutOp op) {
    SmallVector<Value> numbers = begin(op);
    numbers.push_back(bits(op.getRows()));
    numbers.push_back(bits(op.getColumns()));
    emit(TegulaTraceReadOut, numbers);
  }

  void emitHandover(npu::HandoverOp op) {
    SmallVector<Value> numbers = begin(op);
    numbers.push_back(bits(op.getBytes()));
    emit(TegulaTraceHandover, numbers);
  }

  void emitVector(npu::VectorOp op) {
    SmallVector<Value> numbers = begin(op);
    numbers.push_back(constant(formulas.add(op)));
    numbers.push_back(bits(op.getRows()));
    numbers.push_back(bits(op.getColumns()));
    emit(TegulaTraceVector, numbers);
  }

  /// One element, which goes to no scratchpad.
  void emitLoadElement(npu::LoadElementOp op) {
    SmallVector<Value> numbers = begin(op);
    numbers.push_back(bits(op.getAddress()));
    numbers.push_back(constant(op.getElementBytes()));
    numbers.push_back(constant(0));
    emit(TegulaTraceLoad, numbers);
  }

  /// Counts runs of the block on a core.
  void takeRingSlot(npu::RingSlotOp op) {
    constexpr int64_t numCounters = std::size(TegulaTraceCursor().kept);
    Value counter = hooks.getCounter(op.getRing() % numCounters, loc);
    Type i64 = builder.getI64Type();
    Value count = LLVM::LoadOp::create(builder, loc, i64, counter);
    Value next = arith::AddIOp::create(builder, loc, count, constant(1));
    LLVM::StoreOp::create(builder, loc, next, counter);
    Value slotNumber =
        arith::RemUIOp::create(builder, loc, count, constant(op.getCopies()));
    op.replaceAllUsesWith(
        hooks.fromBits(slotNumber, builder.getIndexType(), loc));
  }

  static int64_t lineOf(Operation *op) {
    auto fileLoc = op->getLoc()->findInstanceOf<FileLineColLoc>();
    return fileLoc ? fileLoc.getLine() : 0;
  }

  /// The iterations of the loops around, outermost first: an item's number,
  /// then its loops'.
  SmallVector<Value> coordinatesOf(Operation *op) {
    SmallVector<Value> iterations;
    for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>()) {
      Value distance = arith::SubIOp::create(
          builder, loc, loop.getInductionVar(), loop.getLowerBound());
      iterations.push_back(
          bits(arith::DivUIOp::create(builder, loc, distance, loop.getStep())));
    }
    if (function.getNumArguments() == 3)
      iterations.push_back(function.getArgument(1));
    std::reverse(iterations.begin(), iterations.end());
    iterations.resize(3, constant(0));
    return iterations;
  }

  Value constant(int64_t number) { return hooks.constant(number, loc); }
  Value bits(Value value) { return hooks.toBits(value, loc); }

  func::FuncOp function;
  FormulaTable &formulas;
  bool runs;
  OpBuilder builder;
  CallHooks hooks;
  Location loc = UnknownLoc::get(function->getContext());
};

} // namespace

void tegula::emitTrace(func::FuncOp function, FormulaTable &formulas,
                       bool runs) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<npu::NpuDialect>(op->getDialect()))
      ops.push_back(op);
  });
  StepEmitter emitter(function, formulas, runs);
  for (Operation *op : ops)
    emitter.emit(op);
}
