// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of whole matrices: calls of functions that all matmuls of a variant
// share, in as many chunks as there are threads.

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/memory/TileCopies.h"
#include "tegula/backends/cpu/CpuDialect.h"
#include "tegula/backends/cpu/CpuLoweringTarget.h"
#include "tegula/backends/cpu/matmul/MatmulFunctions.h"
#include "tegula/backends/cpu/matmul/MatmulKernel.h"
#include "tegula/backends/cpu/threads/ParallelWork.h"
#include "tegula/ir/ops/PlMatmulOps.h"
#include "tegula/support/Routines.h"
#include "tegula/transforms/matmul/MatmulTypes.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tegula;

namespace {

/// A matrix in memory, with its strides as values.
struct Matrix {
  Value address, row, column;
};

/// The matmul of one call.
struct MatmulCall {
  Matrix lhs, rhs, target;
  Value rows, columns, inner;

  MatmulSizes getSizes() const {
    return {rows, columns, inner, lhs.row, lhs.column, rhs.row, rhs.column};
  }
};

} // namespace

static Matrix matrixOf(OpBuilder &builder, Location loc, const View &view) {
  IndexMath math(builder, loc);
  return {view.asPointer(builder, loc), math.value(view.strides[0]),
          math.value(view.strides[1])};
}

/// Where a chunk of an axis starts, and how long it is: both are multiples of
/// what a tile has, but at the end.
struct AxisChunk {
  AxisChunk(VectorCode &code, Value extent, int64_t unit, Value chunks,
            Value chunk) {
    Value steps = code.quotient(code.add(extent, unit - 1), unit);
    auto begin = [&](Value index) {
      Value first = code.quotient(code.mul(steps, index), chunks);
      return code.min(extent, code.mul(first, unit));
    };
    start = begin(chunk);
    size = code.sub(begin(code.add(chunk, 1)), start);
  }

  Value start, size;
};

/// A part of the matmul: some rows and some columns.
static MatmulCall chunkOf(VectorCode &code, const MatmulVariant &variant,
                          const MatmulCall &all, const ChunkChoice &choice,
                          Value chunk) {
  Value down = code.quotient(chunk, choice.ofColumns);
  Value across = code.sub(chunk, code.mul(down, choice.ofColumns));
  AxisChunk rows(code, all.rows, variant.options.matmul.rows, choice.ofRows,
                 down);
  AxisChunk columns(code, all.columns, variant.getPanel(), choice.ofColumns,
                    across);
  MatmulCall part = all;
  part.lhs.address = variant.at(code, variant.lhs, all.lhs.address,
                                code.mul(rows.start, all.lhs.row));
  part.rhs.address = variant.at(code, variant.rhs, all.rhs.address,
                                code.mul(columns.start, all.rhs.column));
  Value offset = code.add(code.mul(rows.start, all.target.row), columns.start);
  part.target.address = code.at(all.target.address, variant.sum, offset);
  part.rows = rows.size;
  part.columns = columns.size;
  return part;
}

static void callMatmul(VectorCode &code, func::FuncOp function,
                       const MatmulCall &call, Value room, Value adds) {
  code.call(function,
            {call.lhs.address, call.lhs.row, call.lhs.column, call.rhs.address,
             call.rhs.row, call.rhs.column, call.target.address,
             call.target.row, call.rows, call.columns, call.inner, room, adds});
}

/// How many threads there are. Nobody is asked where one is enough.
static Value countThreads(VectorCode &code, const CpuOptions &options,
                          Value isLarge, TileLowering &lowering) {
  if (options.tuning.threads)
    return code.number(options.tuning.threads);
  OpBuilder &builder = code.builder;
  auto fork = scf::IfOp::create(builder, code.loc, builder.getIndexType(),
                                isLarge, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(fork.thenBlock());
  Value most =
      lowering.calls
          .call(routine::tegulaCountThreads, builder.getI32Type(), {}, code.loc)
          .getResult();
  Value threads = arith::IndexCastOp::create(builder, code.loc,
                                             builder.getIndexType(), most);
  scf::YieldOp::create(builder, code.loc, threads);
  builder.setInsertionPointToStart(fork.elseBlock());
  scf::YieldOp::create(builder, code.loc, code.number(1));
  return fork.getResult(0);
}

namespace {

/// The target where its columns are contiguous, else memory that is, from which
/// finish() copies.
class ContiguousTarget {
public:
  ContiguousTarget(VectorCode &code, TileLowering &lowering, Type element,
                   Value state, Value site, MatmulCall &call)
      : code(code), lowering(lowering), element(element), target(call.target) {
    isGiven = code.either(code.isEqual(target.column, 1),
                          code.isAtMost(call.columns, 1));
    APInt known;
    if (matchPattern(isGiven, m_ConstantInt(&known)) && known.isOne())
      return;
    OpBuilder &builder = code.builder;
    Type pointer = target.address.getType();
    auto fork =
        scf::IfOp::create(builder, code.loc, TypeRange{pointer, pointer},
                          isGiven, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(fork.thenBlock());
    scf::YieldOp::create(builder, code.loc,
                         ValueRange{target.address, target.address});
    builder.setInsertionPointToStart(fork.elseBlock());
    auto integer = [&](Value number) -> Value {
      return arith::IndexCastOp::create(builder, code.loc, builder.getI64Type(),
                                        number);
    };
    Value mark = lowering.calls
                     .call(routine::tegulaScratchPush, pointer,
                           integer(code.number(0)), code.loc)
                     .getResult();
    Value bytes = code.mul(code.mul(call.rows, call.columns),
                           element.getIntOrFloatBitWidth() / 8);
    Value made =
        lowering.calls
            .call(routine::tegulaScratchAllocate, pointer,
                  {integer(bytes), lowering.calls.getState(), site}, code.loc)
            .getResult();
    scf::YieldOp::create(builder, code.loc, ValueRange{made, mark});
    builder.setInsertionPointAfter(fork);
    call.target.address = fork.getResult(0);
    call.target.row = code.select(isGiven, target.row, call.columns);
    // Where there is no memory, which is reported, nothing is done.
    Value null = LLVM::ZeroOp::create(builder, code.loc, pointer);
    Value isThere = LLVM::ICmpOp::create(
        builder, code.loc, LLVM::ICmpPredicate::ne, call.target.address, null);
    call.rows = code.select(isThere, call.rows, code.number(0));
    this->mark = fork.getResult(1);
  }

  void finish(const MatmulCall &call) {
    if (!mark)
      return;
    code.branch(code.inverse(isGiven), [&] {
      code.loop(call.rows, 1, [&](Value row) {
        code.loop(call.columns, 1, [&](Value column) {
          Value from = code.add(code.mul(row, call.columns), column);
          Value to = code.add(code.mul(row, target.row),
                              code.mul(column, target.column));
          code.store(
              code.load(element, code.at(call.target.address, element, from)),
              code.at(target.address, element, to));
        });
      });
      lowering.calls.call(routine::tegulaScratchPop, {}, mark, code.loc);
    });
  }

private:
  VectorCode &code;
  TileLowering &lowering;
  Type element;
  Matrix target;
  Value isGiven, mark;
};

} // namespace

static View operandOf(TileLowering &lowering, Value tensor, bool isTransposed) {
  View view = lowering.view(tensor);
  return isTransposed ? view.axes({1, 0}) : view;
}

static OperandType typeOf(const View &view, Value tensor) {
  Type element = pl::getElementOrSelf(tensor.getType());
  return {view.element, pl::isUnsigned(element)};
}

/// A call for each thread, with a chunk of the target.
static void callOnThreads(TileLowering &lowering, pl::MatmulIntoOp op,
                          VectorCode &code, const MatmulVariant &variant,
                          func::FuncOp function, const MatmulCall &call) {
  OpBuilder &builder = lowering.builder;
  const CpuOptions &options = variant.options;
  Location loc = op.getLoc();
  ChunkChoice choice =
      chooseChunks(code, variant, call.getSizes(), [&](Value isLarge) {
        return countThreads(code, options, isLarge, lowering);
      });
  Value count = code.mul(choice.ofRows, choice.ofColumns);
  auto loop = scf::ParallelOp::create(builder, loc, code.number(0), count,
                                      code.number(1));
  loop->setAttr(iterationPerThreadAttrName, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  lowering.scratch.open(op, loc);
  int64_t room = MatmulFunctions::getRoom(variant);
  Value memory = lowering.scratch.allocate(loc, variant.sum, room).base;
  auto compute = [&](const MatmulCall &part) {
    callMatmul(code, function, part, memory, code.number(0));
  };
  // Nothing is divided if there is one chunk.
  code.branch(
      code.isEqual(count, 1), [&] { compute(call); },
      [&] {
        compute(chunkOf(code, variant, call, choice,
                        loop.getInductionVars().front()));
      });
  lowering.scratch.close(loc);
}

static LogicalResult lowerMatmulInto(TileLowering &lowering,
                                     pl::MatmulIntoOp op) {
  if (op.hasEpilogue())
    return op.emitOpError("has an epilogue, which is not tiled yet");
  OpBuilder &builder = lowering.builder;
  const CpuOptions &options =
      static_cast<const CpuLoweringTarget &>(lowering.target).getOptions();
  Location loc = op.getLoc();
  VectorCode code(builder, loc);
  View lhs = operandOf(lowering, op.getLhs(), op.getTransposeLhs());
  View rhs = operandOf(lowering, op.getRhs(), op.getTransposeRhs());
  const View target = lowering.view(op.getTarget());
  MatmulVariant variant{typeOf(lhs, op.getLhs()), typeOf(rhs, op.getRhs()),
                        target.element, options};
  MatmulCall call = {matrixOf(builder, loc, lhs),
                     matrixOf(builder, loc, rhs),
                     matrixOf(builder, loc, target),
                     lowering.math(loc).value(target.sizes[0]),
                     lowering.math(loc).value(target.sizes[1]),
                     lowering.math(loc).value(lhs.sizes[1])};
  ModuleOp module = lowering.calls.getModule();
  func::FuncOp function = MatmulFunctions(module, variant).getMatmul();

  Value site = arith::ConstantIntOp::create(builder, loc,
                                            lowering.calls.siteOf(loc), 32);
  ContiguousTarget contiguous(code, lowering, variant.sum,
                              lowering.calls.getState(), site, call);
  llvm::scope_exit finish([&] { contiguous.finish(call); });

  // Whether several threads do this already is asked when it is called: loops
  // around it may have one iteration.
  if (options.useThreads) {
    callOnThreads(lowering, op, code, variant, function, call);
    return success();
  }
  ScratchScope scope(lowering.scratch);
  int64_t room = MatmulFunctions::getRoom(variant);
  callMatmul(code, function, call,
             lowering.scratch.allocate(loc, variant.sum, room).base,
             code.number(0));
  return success();
}

bool CpuLoweringTarget::multiplyTiles(TileLowering &lowering, pl::MatmulOp op,
                                      const TileMatmul &matmul) const {
  const View &lhs = matmul.lhs, &rhs = matmul.rhs, &sum = matmul.acc;
  OpBuilder &builder = lowering.builder;
  if (!isMultipliedWhole(lhs.element, rhs.element, sum.element))
    return false;
  Location loc = op.getLoc();
  VectorCode code(builder, loc);
  auto operand = [](const View &view, Value tile) -> OperandType {
    Type element = pl::getElementOrSelf(tile.getType());
    return {view.element, pl::isUnsigned(element)};
  };
  MatmulVariant variant{operand(lhs, op.getLhs()), operand(rhs, op.getRhs()),
                        sum.element, options};
  IndexMath math(builder, loc);
  MatmulCall call = {matrixOf(builder, loc, lhs),
                     matrixOf(builder, loc, rhs),
                     matrixOf(builder, loc, sum),
                     math.value(sum.sizes[0]),
                     math.value(sum.sizes[1]),
                     math.value(math.min(lhs.sizes[1], rhs.sizes[0]))};
  ModuleOp module = lowering.calls.getModule();
  SmallVector<int64_t, 4> bounds = boundsOf(op.getRhs().getType());
  if (op.getTransposeRhs())
    std::swap(bounds[0], bounds[1]);
  int64_t room = MatmulFunctions::getRoom(variant, bounds[1], bounds[0]);
  callMatmul(code, MatmulFunctions(module, variant).getTileMatmul(), call,
             lowering.scratch.allocate(loc, variant.sum, room).base,
             code.number(op.getAcc() ? 1 : 0));
  return true;
}

void CpuLoweringTarget::accumulateTiles(TileLowering &lowering, pl::MatmulOp op,
                                        const TileMatmul &matmul,
                                        OpFoldResult inner) const {
  Location loc = op.getLoc();
  SmallVector<int64_t, 4> bounds = boundsOf(op.getRhs().getType());
  if (op.getTransposeRhs())
    std::swap(bounds[0], bounds[1]);
  View rhs = withUnitInnerStride(lowering, matmul.rhs, bounds, loc);
  const Indices &sizes = matmul.acc.sizes;
  emitMatmul(lowering.builder, loc,
             {matmul.lhs, rhs, matmul.acc, sizes[0], sizes[1], inner}, options);
}

Value CpuLoweringTarget::markStreamed(OpBuilder &builder, Location loc,
                                      Value memory, Value isStreamed) const {
  return cpu::StreamOp::create(builder, loc, memory, isStreamed);
}

Value CpuLoweringTarget::markOutOfCache(OpBuilder &builder, Location loc,
                                        Value memory,
                                        Value isOutOfCache) const {
  return cpu::UncachedOp::create(builder, loc, memory, isOutOfCache);
}

void CpuLoweringTarget::addPatterns(TilePatterns &patterns) const {
  patterns.add(lowerMatmulInto);
}
