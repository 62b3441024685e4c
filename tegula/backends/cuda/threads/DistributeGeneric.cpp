// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/threads/DistributeGeneric.h"

#include "tegula/backends/codegen/loops/VectorBody.h"
#include "tegula/support/Routines.h"

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

class GenericDistributor {
public:
  GenericDistributor(ThreadCode &code, linalg::GenericOp op)
      : code(code), builder(code.builder), loc(code.loc), op(op),
        kinds(op.getIteratorTypesArray()), indices(op.getNumLoops()),
        combiner(Combiner::of(op)) {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      extents.push_back(extentOf(loop));
  }

  void emit() {
    unsigned count = op.getNumLoops();
    SmallVector<unsigned> shared;
    for (unsigned loop = 0; loop < count; ++loop)
      if (!isReduction(loop))
        shared.push_back(loop);
    if (isMatmul())
      return emitMatmul();
    if (count != 0 && isReduction(count - 1) && combiner &&
        shared.size() + 1 == count)
      return emitSums(shared);
    if (shared.empty())
      return code.onFirst(Level::Block, [&] { emitElement(); });
    shareOut(shared);
  }

private:
  // What is computed.

  bool isReduction(unsigned loop) const {
    return kinds[loop] == utils::IteratorType::reduction;
  }

  Value extentOf(unsigned loop) {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (dim && dim.getPosition() == loop)
          return memref::DimOp::create(builder, loc, operand.get(), axis);
      }
    }
    llvm_unreachable("every loop indexes an operand");
  }

  SmallVector<Value> indicesOf(OpOperand &operand) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(&operand).getResults(), [&](AffineExpr expr) {
          return indices[cast<AffineDimExpr>(expr).getPosition()];
        });
  }

  BlockArgument before() { return op.getRegionOutputArgs().front(); }
  Value yielded() { return op.getBody()->getTerminator()->getOperand(0); }
  OpOperand &target() { return *op.getDpsInitOperand(0); }

  Value load(OpOperand &operand) {
    return memref::LoadOp::create(builder, loc, operand.get(),
                                  indicesOf(operand));
  }
  void store(Value element) {
    memref::StoreOp::create(builder, loc, element, target().get(),
                            indicesOf(target()));
  }

  /// The elements of the inputs where the loops are, and that of the result if
  /// it is read.
  IRMapping loadElements(bool withResult) {
    IRMapping elements;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (!argument.use_empty())
        elements.map(argument, load(*operand));
    }
    if (withResult && !before().use_empty())
      elements.map(before(), load(target()));
    return elements;
  }

  /// The value of `wanted`, one of the body, for such elements.
  Value compute(IRMapping elements, Value wanted) {
    if (Value known = elements.lookupOrNull(wanted))
      return known;
    for (Operation &nested : op.getBody()->without_terminator()) {
      // What combines with the element before is done elsewhere.
      if (!elements.contains(before()) &&
          llvm::is_contained(nested.getOperands(), before()))
        continue;
      if (auto index = dyn_cast<linalg::IndexOp>(nested))
        elements.map(index.getResult(), indices[index.getDim()]);
      else
        builder.clone(nested, elements);
    }
    return elements.lookupOrDefault(wanted);
  }

  // Arithmetic.

  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  }
  Value sub(Value lhs, Value rhs) {
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  }
  Value mul(Value lhs, int64_t rhs) {
    return arith::MulIOp::create(builder, loc, lhs, code.number(rhs));
  }
  Value min(Value lhs, Value rhs) {
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  }
  Value isZero(Value value) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 code.number(0));
  }
  Value both(Value lhs, Value rhs) {
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  }
  /// A loop that carries values; `body` returns the next ones.
  scf::ForOp
  carry(Value from, Value to, Value step, ValueRange inits,
        llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
    auto made = scf::ForOp::create(builder, loc, from, to, step, inits);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    scf::YieldOp::create(
        builder, loc, body(made.getInductionVar(), made.getRegionIterArgs()));
    return made;
  }

  // Elements that are one thread's.

  /// All that is summed up into one element.
  void emitElement() {
    SmallVector<unsigned> inner;
    for (unsigned loop = 0; loop < indices.size(); ++loop)
      if (isReduction(loop))
        inner.push_back(loop);
    store(inner.empty() ? compute(loadElements(true), yielded())
                        : sumUp(inner, load(target())));
  }

  Value sumUp(ArrayRef<unsigned> loops, Value sum) {
    if (loops.empty()) {
      IRMapping elements = loadElements(false);
      elements.map(before(), sum);
      return compute(elements, yielded());
    }
    return carry(code.number(0), extents[loops.front()], code.number(1), sum,
                 [&](Value index, ValueRange sums) -> SmallVector<Value> {
                   indices[loops.front()] = index;
                   return {sumUp(loops.drop_front(), sums.front())};
                 })
        .getResult(0);
  }

  /// Elements at several positions of one loop: all are read before the first
  /// is written, so that reads do not wait for each other.
  void emitElements(unsigned loop, ArrayRef<Value> positions) {
    SmallVector<IRMapping> elements;
    SmallVector<Value> results;
    auto at = [&](Value position) { indices[loop] = position; };
    for (Value position : positions) {
      at(position);
      elements.push_back(loadElements(true));
    }
    for (auto [position, element] : llvm::zip(positions, elements)) {
      at(position);
      results.push_back(compute(element, yielded()));
    }
    for (auto [position, result] : llvm::zip(positions, results)) {
      at(position);
      store(result);
    }
  }

  /// The positions of `atOnce` iterations from one on, and the one after them.
  SmallVector<Value> positionsFrom(Value first, Value step) {
    SmallVector<Value> positions = {first};
    while (positions.size() <= atOnce)
      positions.push_back(add(positions.back(), step));
    return positions;
  }

  /// Iterations of the loop that are this thread's, several at once while there
  /// are as many.
  void emitPositions(unsigned loop, Value from, Value step) {
    Value to = extents[loop];
    auto some =
        carry(from, sub(to, mul(step, atOnce - 1)), mul(step, atOnce), from,
              [&](Value position, ValueRange) -> SmallVector<Value> {
                SmallVector<Value> positions = positionsFrom(position, step);
                emitElements(loop, ArrayRef<Value>(positions).drop_back());
                return {positions.back()};
              });
    code.loop(some.getResult(0), to, step, [&](Value position) {
      indices[loop] = position;
      emitElement();
    });
  }

  /// The bits of the largest number below a number of threads at most.
  Value bitsOf(Value count) {
    Value one = code.number(1);
    Value least = arith::MaxSIOp::create(builder, loc, count, one);
    Value last = sub(min(least, code.values.numThreads), one);
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), last);
    Value zeros = math::CountLeadingZerosOp::create(builder, loc, wide);
    Value bits = sub(arith::ConstantIntOp::create(builder, loc, 64, 64), zeros);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      bits);
  }

  /// A power of two of threads share a row: as many as it has columns, and no
  /// more than there are for each row, but at least those of a warp.
  ThreadGrid divide(Value rowCount, Value columns) {
    constexpr int64_t warpBits = 5;
    Value one = code.number(1);
    Value all = bitsOf(code.values.numThreads);
    Value each = sub(all, bitsOf(rowCount));
    each = arith::MaxSIOp::create(builder, loc, each, code.number(warpBits));
    Value shift = min(bitsOf(columns), each);
    Value width = arith::ShLIOp::create(builder, loc, one, shift);
    Value column = arith::AndIOp::create(builder, loc, code.values.thread,
                                         sub(width, one));
    Value row = arith::ShRUIOp::create(builder, loc, code.values.thread, shift);
    Value rows =
        arith::ShRUIOp::create(builder, loc, code.values.numThreads, shift);
    return {width, column, row, rows};
  }

  /// Each element is one thread's.
  void shareOut(ArrayRef<unsigned> shared) {
    unsigned column = shared.back();
    auto emitColumns = [&](Value from, Value step) {
      if (op.getNumReductionLoops() == 0)
        return emitPositions(column, from, step);
      code.loop(from, extents[column], step, [&](Value position) {
        indices[column] = position;
        emitElement();
      });
    };
    if (shared.size() == 1)
      return emitColumns(code.values.thread, code.values.numThreads);
    ThreadGrid grid = divide(extents[shared.end()[-2]], extents[column]);
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

  // Sums of rows by several threads each.

  void emitSums(ArrayRef<unsigned> outer) {
    ThreadGrid grid = divide(
        outer.empty() ? code.number(1) : extents[outer.back()], extents.back());
    if (outer.empty())
      return emitRow(grid, isZero(grid.row));
    walk(outer.drop_back(), [&] {
      // All threads take every iteration, because they wait for each other in
      // it.
      unsigned row = outer.back();
      code.loop(code.number(0), extents[row], grid.rows, [&](Value first) {
        indices[row] = add(first, grid.row);
        emitRow(grid, code.isBelow(indices[row], extents[row]));
      });
    });
  }

  /// This thread's chunk of a row, which may not be there.
  void emitRow(const ThreadGrid &grid, Value isThere) {
    unsigned last = indices.size() - 1;
    Value neutral = arith::ConstantOp::create(builder, loc, combiner->neutral);
    Value wanted = combiner->op->getOperand(combiner->elementPosition);
    Value end = arith::SelectOp::create(builder, loc, isThere, extents[last],
                                        code.number(0));
    // As many sums that do not wait for each other, and the next position.
    SmallVector<Value> inits(atOnce, neutral);
    inits.push_back(grid.column);
    auto some = carry(
        grid.column, sub(end, mul(grid.width, atOnce - 1)),
        mul(grid.width, atOnce), inits, [&](Value first, ValueRange sums) {
          SmallVector<Value> positions = positionsFrom(first, grid.width), next;
          SmallVector<IRMapping> elements;
          for (size_t i = 0; i < atOnce; ++i) {
            indices[last] = positions[i];
            elements.push_back(loadElements(false));
          }
          for (size_t i = 0; i < atOnce; ++i) {
            indices[last] = positions[i];
            next.push_back(combiner->apply(builder, sums[i],
                                           compute(elements[i], wanted)));
          }
          next.push_back(positions.back());
          return next;
        });
    Value sum = some.getResult(0);
    for (size_t i = 1; i < atOnce; ++i)
      sum = combiner->apply(builder, sum, some.getResult(i));
    auto rest =
        carry(some.getResult(atOnce), end, grid.width, sum,
              [&](Value position, ValueRange sums) -> SmallVector<Value> {
                indices[last] = position;
                Value element = compute(loadElements(false), wanted);
                return {combiner->apply(builder, sums.front(), element)};
              });
    combinePartials(grid, rest.getResult(0), isThere);
  }

  /// Sums of neighbours, half as many in each step; the first thread of a row
  /// has the last one.
  void combinePartials(const ThreadGrid &grid, Value part, Value isThere) {
    Type element = part.getType();
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value parts = code.call(routine::tegulaGpuPartials, pointer, {});
    auto at = [&](Value thread) -> Value {
      Value wide = arith::IndexCastOp::create(builder, loc,
                                              builder.getI64Type(), thread);
      return LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(),
                                 parts, ArrayRef<LLVM::GEPArg>{wide});
    };
    Value own = at(code.values.thread), one = code.number(1);
    Value small = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                             grid.width);
    auto waitForRow = [&] {
      code.call(routine::tegulaGpuRowBarrier, {}, small);
    };
    LLVM::StoreOp::create(builder, loc, part, own);
    waitForRow();
    auto steps = scf::WhileOp::create(
        builder, loc, TypeRange{builder.getIndexType()},
        ValueRange{arith::ShRUIOp::create(builder, loc, grid.width, one)},
        [&](OpBuilder &, Location, ValueRange half) {
          scf::ConditionOp::create(builder, loc,
                                   code.isBelow(code.number(0), half[0]), half);
        },
        [&](OpBuilder &, Location, ValueRange half) {
          code.emitIf(code.isBelow(grid.column, half[0]), [&] {
            Value other = at(add(code.values.thread, half[0]));
            Value sum = combiner->apply(
                builder, LLVM::LoadOp::create(builder, loc, element, own),
                LLVM::LoadOp::create(builder, loc, element, other));
            LLVM::StoreOp::create(builder, loc, sum, own);
          });
          waitForRow();
          Value next = arith::ShRUIOp::create(builder, loc, half[0], one);
          scf::YieldOp::create(builder, loc, next);
        });
    builder.setInsertionPointAfter(steps);
    code.emitIf(both(isZero(grid.column), isThere), [&] {
      store(combiner->apply(builder, load(target()),
                            LLVM::LoadOp::create(builder, loc, element, own)));
    });
  }

  // Matmuls.

  /// True for rows, what is summed up, and columns, as GenericMatmuls makes
  /// them.
  bool isMatmul() {
    auto isMap = [&](OpOperand &operand, unsigned first, unsigned second) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      return map == AffineMap::getMultiDimMapWithTargets(3, {first, second},
                                                         op.getContext());
    };
    return indices.size() == 3 && isReduction(1) && !isReduction(0) &&
           !isReduction(2) && op.getNumDpsInputs() == 2 &&
           isMap(*op.getDpsInputOperand(0), 0, 1) &&
           isMap(*op.getDpsInputOperand(1), 1, 2) && isMap(target(), 0, 2);
  }

  /// Each thread has some rows and columns, so that an element that is read is
  /// used several times. Beyond the edge it reads what is at the edge, and
  /// writes nothing.
  void emitMatmul() {
    constexpr int64_t across = 16;
    Value width = code.number(across);
    Value column =
        arith::RemUIOp::create(builder, loc, code.values.thread, width);
    Value row = arith::DivUIOp::create(builder, loc, code.values.thread, width);
    Value rows =
        arith::DivUIOp::create(builder, loc, code.values.numThreads, width);
    Value lastRow = sub(extents[0], code.number(1));
    Value lastColumn = sub(extents[2], code.number(1));
    code.loop(code.number(0), extents[0], mul(rows, atOnce), [&](Value top) {
      code.loop(
          code.number(0), extents[2], mul(width, atOnce), [&](Value left) {
            SmallVector<Value> ownRows = positionsFrom(add(top, row), rows);
            SmallVector<Value> ownColumns =
                positionsFrom(add(left, column), width);
            emitBlock(ownRows, ownColumns, lastRow, lastColumn);
          });
    });
  }

  void emitBlock(ArrayRef<Value> ownRows, ArrayRef<Value> ownColumns,
                 Value lastRow, Value lastColumn) {
    SmallVector<Value> sums;
    auto forEach = [&](llvm::function_ref<void(size_t, size_t)> body) {
      for (size_t i = 0; i < atOnce; ++i)
        for (size_t j = 0; j < atOnce; ++j)
          body(i, j);
    };
    // Beyond the edge there is nothing to add to.
    auto isInside = [&](size_t i, size_t j) {
      return both(code.isBelow(ownRows[i], extents[0]),
                  code.isBelow(ownColumns[j], extents[2]));
    };
    Type element = before().getType();
    forEach([&](size_t i, size_t j) {
      auto branch = scf::IfOp::create(builder, loc, element, isInside(i, j),
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      indices[0] = ownRows[i];
      indices[2] = ownColumns[j];
      scf::YieldOp::create(builder, loc, load(target()));
      builder.setInsertionPointToStart(branch.elseBlock());
      Value zero =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
      scf::YieldOp::create(builder, loc, zero);
      sums.push_back(branch.getResult(0));
    });
    auto summed = carry(code.number(0), extents[1], code.number(1), sums,
                        [&](Value between, ValueRange known) {
                          indices[1] = between;
                          SmallVector<Value> lhs, rhs, next;
                          for (size_t i = 0; i < atOnce; ++i) {
                            indices[0] = min(ownRows[i], lastRow);
                            indices[2] = min(ownColumns[i], lastColumn);
                            lhs.push_back(load(*op.getDpsInputOperand(0)));
                            rhs.push_back(load(*op.getDpsInputOperand(1)));
                          }
                          forEach([&](size_t i, size_t j) {
                            IRMapping elements;
                            elements.map(op.getRegionInputArgs()[0], lhs[i]);
                            elements.map(op.getRegionInputArgs()[1], rhs[j]);
                            elements.map(before(), known[i * atOnce + j]);
                            next.push_back(compute(elements, yielded()));
                          });
                          return next;
                        });
    forEach([&](size_t i, size_t j) {
      code.emitIf(isInside(i, j), [&] {
        indices[0] = ownRows[i];
        indices[2] = ownColumns[j];
        store(summed.getResult(i * atOnce + j));
      });
    });
  }

  /// How many elements a thread reads before it needs the first, and how many
  /// rows and columns of a matmul it has.
  static constexpr size_t atOnce = 4;

  ThreadCode &code;
  OpBuilder &builder;
  Location loc;
  linalg::GenericOp op;
  SmallVector<utils::IteratorType> kinds;
  SmallVector<Value> extents, indices;
  std::optional<Combiner> combiner;
};

} // namespace

void tegula::distributeGeneric(ThreadCode &code, linalg::GenericOp op) {
  GenericDistributor(code, op).emit();
}
