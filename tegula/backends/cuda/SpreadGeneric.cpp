// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/SpreadGeneric.h"

#include "tegula/backends/cpu/VectorBody.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tegula;

namespace {

/// How threads divide two loops: `width` neighbours share a row.
struct ThreadGrid {
  Value width, column, row, rows;
};

class GenericSpread {
public:
  GenericSpread(ThreadCode &code, linalg::GenericOp op)
      : code(code), builder(code.builder), op(op),
        kinds(op.getIteratorTypesArray()), indices(op.getNumLoops()),
        combiner(Combiner::of(op)) {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      extents.push_back(extentOf(loop));
  }

  void emit() {
    unsigned count = op.getNumLoops();
    if (count == 0)
      return code.onFirst(Level::Block, [&] { emitElement(); });
    if (isReduction(count - 1) && combiner && isOneReduction())
      return emitSums();
    SmallVector<unsigned> shared;
    for (unsigned loop = 0; loop < count; ++loop)
      if (!isReduction(loop))
        shared.push_back(loop);
    if (shared.empty())
      return code.onFirst(Level::Block, [&] { emitElement(); });
    shareOut(shared);
  }

private:
  bool isReduction(unsigned loop) const {
    return kinds[loop] == utils::IteratorType::reduction;
  }
  bool isOneReduction() const {
    return llvm::count(kinds, utils::IteratorType::reduction) == 1;
  }

  Value extentOf(unsigned loop) {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (dim && dim.getPosition() == loop)
          return memref::DimOp::create(builder, code.loc, operand.get(), axis);
      }
    }
    llvm_unreachable("every loop walks an operand");
  }

  SmallVector<Value> placeOf(OpOperand &operand) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(&operand).getResults(), [&](AffineExpr expr) {
          return indices[cast<AffineDimExpr>(expr).getPosition()];
        });
  }

  Value load(OpOperand &operand) {
    return memref::LoadOp::create(builder, code.loc, operand.get(),
                                  placeOf(operand));
  }

  /// The body with `before` as the element of the result; the value of
  /// `wanted`, one of the body.
  Value compute(Value before, Value wanted) {
    IRMapping mapping;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (!argument.use_empty())
        mapping.map(argument, load(*operand));
    }
    if (before)
      mapping.map(op.getRegionOutputArgs().front(), before);
    if (Value known = mapping.lookupOrNull(wanted))
      return known;
    for (Operation &nested : op.getBody()->without_terminator()) {
      // What combines with the element before is done elsewhere.
      if (!before && llvm::is_contained(nested.getOperands(),
                                        op.getRegionOutputArgs().front()))
        continue;
      if (auto index = dyn_cast<linalg::IndexOp>(nested))
        mapping.map(index.getResult(), indices[index.getDim()]);
      else
        builder.clone(nested, mapping);
    }
    return mapping.lookupOrDefault(wanted);
  }

  Value yielded() { return op.getBody()->getTerminator()->getOperand(0); }
  OpOperand &target() { return *op.getDpsInitOperand(0); }

  /// All that is summed up into one element, by one thread.
  void emitElement() {
    bool readsBefore = !op.getRegionOutputArgs().front().use_empty();
    SmallVector<unsigned> inner;
    for (unsigned loop = 0; loop < indices.size(); ++loop)
      if (isReduction(loop))
        inner.push_back(loop);
    if (inner.empty()) {
      // Nothing else has this element.
      Value before = readsBefore ? load(target())
                                 : zeroOf(op.getRegionOutputArgs().front());
      store(compute(before, yielded()));
      return;
    }
    store(sumUp(inner, load(target())));
  }

  Value zeroOf(Value like) {
    return arith::ConstantOp::create(builder, code.loc,
                                     builder.getZeroAttr(like.getType()));
  }

  void store(Value element) {
    memref::StoreOp::create(builder, code.loc, element, target().get(),
                            placeOf(target()));
  }

  Value sumUp(ArrayRef<unsigned> loops, Value before) {
    if (loops.empty())
      return compute(before, yielded());
    auto nest =
        scf::ForOp::create(builder, code.loc, code.number(0),
                           extents[loops.front()], code.number(1), before);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(nest.getBody());
    indices[loops.front()] = nest.getInductionVar();
    Value next = sumUp(loops.drop_front(), nest.getRegionIterArgs().front());
    scf::YieldOp::create(builder, code.loc, next);
    return nest.getResult(0);
  }

  /// Rows of `columns` for the threads of the block: a power of two of them
  /// share a row.
  ThreadGrid divide(Value columns) {
    Location loc = code.loc;
    Type index = builder.getIndexType();
    Value one = code.number(1);
    Value least = arith::MaxSIOp::create(builder, loc, columns, one);
    Value most =
        arith::MinSIOp::create(builder, loc, least, code.values.numThreads);
    // The bits of the largest place.
    Value last = arith::SubIOp::create(builder, loc, most, one);
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), last);
    Value zeros = math::CountLeadingZerosOp::create(builder, loc, wide);
    Value bits = arith::SubIOp::create(
        builder, loc, arith::ConstantIntOp::create(builder, loc, 64, 64),
        zeros);
    Value shift = arith::IndexCastOp::create(builder, loc, index, bits);
    Value width = arith::ShLIOp::create(builder, loc, one, shift);
    width = arith::MinSIOp::create(builder, loc, width, code.values.numThreads);
    Value mask = arith::SubIOp::create(builder, loc, width, one);
    Value column =
        arith::AndIOp::create(builder, loc, code.values.thread, mask);
    Value row = arith::ShRUIOp::create(builder, loc, code.values.thread, shift);
    Value rows =
        arith::ShRUIOp::create(builder, loc, code.values.numThreads, shift);
    return {width, column, row, rows};
  }

  /// Each element is one thread's.
  void shareOut(ArrayRef<unsigned> shared) {
    unsigned column = shared.back();
    auto emitColumns = [&](Value from, Value step) {
      code.loop(from, extents[column], step, [&](Value index) {
        indices[column] = index;
        emitElement();
      });
    };
    if (shared.size() == 1)
      return emitColumns(code.values.thread, code.values.numThreads);
    ThreadGrid grid = divide(extents[column]);
    walk(shared.drop_back(2), [&] {
      unsigned row = shared.end()[-2];
      code.loop(grid.row, extents[row], grid.rows, [&](Value index) {
        indices[row] = index;
        emitColumns(grid.column, grid.width);
      });
    });
  }

  /// Loops that all threads go through together.
  void walk(ArrayRef<unsigned> loops, llvm::function_ref<void()> body) {
    if (loops.empty())
      return body();
    code.loop(code.number(0), extents[loops.front()], code.number(1),
              [&](Value index) {
                indices[loops.front()] = index;
                walk(loops.drop_front(), body);
              });
  }

  /// Rows that are summed up by several threads each.
  void emitSums() {
    unsigned last = indices.size() - 1;
    SmallVector<unsigned> outer;
    for (unsigned loop = 0; loop < last; ++loop)
      outer.push_back(loop);
    ThreadGrid grid = divide(extents[last]);
    if (outer.empty())
      return emitRow(grid, Value());
    walk(ArrayRef<unsigned>(outer).drop_back(), [&] {
      // All threads take every turn, because they wait for each other in it.
      unsigned row = outer.back();
      code.loop(code.number(0), extents[row], grid.rows, [&](Value first) {
        indices[row] =
            arith::AddIOp::create(builder, code.loc, first, grid.row);
        emitRow(grid, code.isBelow(indices[row], extents[row]));
      });
    });
  }

  void emitRow(const ThreadGrid &grid, Value isThere) {
    Location loc = code.loc;
    unsigned last = indices.size() - 1;
    Value neutral = arith::ConstantOp::create(builder, loc, combiner->neutral);
    Value end = extents[last];
    if (isThere)
      end = arith::SelectOp::create(builder, loc, isThere, end, code.number(0));
    else
      end = arith::SelectOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                grid.row, code.number(0)),
          end, code.number(0));
    auto part =
        scf::ForOp::create(builder, loc, grid.column, end, grid.width, neutral);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(part.getBody());
      indices[last] = part.getInductionVar();
      Value element =
          compute({}, combiner->op->getOperand(combiner->elementPosition));
      scf::YieldOp::create(
          builder, loc,
          combiner->apply(builder, part.getRegionIterArgs().front(), element));
    }
    combineParts(grid, part.getResult(0), isThere);
  }

  /// Sums of neighbours, half as many in each step; the first thread of a row
  /// has the last one.
  void combineParts(const ThreadGrid &grid, Value part, Value isThere) {
    Location loc = code.loc;
    Type element = part.getType();
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value parts = code.call("tegulaGpuPartials", pointer, {});
    auto at = [&](Value thread) -> Value {
      Value wide = arith::IndexCastOp::create(builder, loc,
                                              builder.getI64Type(), thread);
      return LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(),
                                 parts, ArrayRef<LLVM::GEPArg>{wide});
    };
    Value own = at(code.values.thread);
    LLVM::StoreOp::create(builder, loc, part, own);
    code.wait(Level::Block);
    Value one = code.number(1);
    Value half = arith::ShRUIOp::create(builder, loc, grid.width, one);
    auto steps = scf::WhileOp::create(
        builder, loc, TypeRange{builder.getIndexType()}, ValueRange{half},
        [&](OpBuilder &, Location, ValueRange arguments) {
          Value isMore =
              arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                    arguments[0], code.number(0));
          scf::ConditionOp::create(builder, loc, isMore, arguments);
        },
        [&](OpBuilder &, Location, ValueRange arguments) {
          Value isMine = code.isBelow(grid.column, arguments[0]);
          auto branch = scf::IfOp::create(builder, loc, isMine,
                                          /*withElseRegion=*/false);
          {
            OpBuilder::InsertionGuard guard(builder);
            builder.setInsertionPointToStart(branch.thenBlock());
            Value other = arith::AddIOp::create(
                builder, loc, code.values.thread, arguments[0]);
            Value sum = combiner->apply(
                builder, LLVM::LoadOp::create(builder, loc, element, own),
                LLVM::LoadOp::create(builder, loc, element, at(other)));
            LLVM::StoreOp::create(builder, loc, sum, own);
          }
          code.wait(Level::Block);
          Value next = arith::ShRUIOp::create(builder, loc, arguments[0], one);
          scf::YieldOp::create(builder, loc, next);
        });
    builder.setInsertionPointAfter(steps);
    Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         grid.column, code.number(0));
    Value isRow =
        isThere ? isThere
                : arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        grid.row, code.number(0))
                      .getResult();
    auto finish = scf::IfOp::create(
        builder, loc, arith::AndIOp::create(builder, loc, isLast, isRow),
        /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(finish.thenBlock());
      store(combiner->apply(builder, load(target()),
                            LLVM::LoadOp::create(builder, loc, element, own)));
    }
    code.wait(Level::Block);
  }

  ThreadCode &code;
  OpBuilder &builder;
  linalg::GenericOp op;
  SmallVector<utils::IteratorType> kinds;
  SmallVector<Value> extents, indices;
  std::optional<Combiner> combiner;
};

} // namespace

void tegula::spreadGeneric(ThreadCode &code, linalg::GenericOp op) {
  GenericSpread(code, op).emit();
}
