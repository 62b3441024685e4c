// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/threads/ParallelWork.h"

#include "tegula/backends/codegen/IndexMath.h"
#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/chunks/CodeWeight.h"
#include "tegula/ir/OpCosts.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

/// About how many instructions' time the op takes, without its regions.
static int64_t timeOf(Operation &op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    // Reports never happen in a call that matters.
    return call.getCallee() == routine::tegulaReportError
               ? 0
               : getCpuMachine(/*useThreads=*/true).costs.call;
  return isRepeatable(&op) ? 0 : pl::getCost(&op);
}

/// The numbers whose product is how many elements the rows have that a call of
/// a routine traverses: the extents behind the tensors.
static SmallVector<Value, 2> getNumElements(LLVM::CallOp call) {
  constexpr unsigned first = 2;
  bool isMatrix = call.getCallee() == routine::tegulaCopyRows ||
                  call.getCallee() == routine::tegulaTransposeRows;
  SmallVector<Value, 2> numbers;
  for (Value number : call.getOperands().slice(first, isMatrix ? 2 : 1)) {
    auto cast = number.getDefiningOp<arith::IndexCastOp>();
    numbers.push_back(cast ? cast.getIn() : number);
  }
  return numbers;
}

namespace {

/// Follows the code of a loop's body and emits what its trip counts are.
class WorkEstimate {
public:
  WorkEstimate(OpBuilder &builder, scf::ParallelOp loop, int64_t leastWork)
      : builder(builder), loop(loop), math(builder, loop.getLoc()),
        waiting(std::min(mostWaiting, leastWork)) {}

  Value emit() {
    OpFoldResult iterations = math.constant(1);
    for (auto [lower, upper, step, induction] :
         llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                   loop.getInductionVars()))
      iterations = product(iterations, enter(lower, upper, step, induction));
    return math.value(product(iterations, workOf(*loop.getBody())));
  }

private:
  /// No estimate needs to tell larger numbers apart. `mostEmitted` of them
  /// times another one is a number that fits.
  static constexpr int64_t most = int64_t(1) << 27;
  /// Iterations of a loop whose bounds nothing outside tells.
  static constexpr int64_t unknownIterations = 8;
  /// Elements of rows of which nothing outside tells.
  static constexpr int64_t unknownElements = 1000;
  /// What is emitted for one loop, at most; kernels of very many statements are
  /// worth threads anyway.
  static constexpr int mostEmitted = 500;

  /// What threads lose where they wait for each other, as work.
  static constexpr int64_t mostWaiting = 600;

  static bool isLock(Operation &op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    return call && call.getCallee() == routine::tegulaLockReduction;
  }

  OpFoldResult product(OpFoldResult lhs, OpFoldResult rhs) {
    if (IndexMath::number(lhs) == 1)
      return rhs;
    if (IndexMath::number(rhs) == 1)
      return lhs;
    return math.min(math.mul(lhs, rhs), math.constant(most));
  }

  /// The iterations of a loop with these bounds. The induction variable stands
  /// for the iteration in the middle from here on.
  OpFoldResult enter(Value lower, Value upper, Value step, Value induction) {
    std::optional<OpFoldResult> from = evaluate(lower), to = evaluate(upper),
                                by = evaluate(step);
    if (!from || !to || !by || ++numEmitted > mostEmitted) {
      if (from)
        known[induction] = *from;
      return math.constant(unknownIterations);
    }
    OpFoldResult one = math.constant(1), zero = math.constant(0);
    OpFoldResult stride = math.max(*by, one);
    OpFoldResult rounded =
        math.add(math.sub(*to, *from), math.sub(stride, one));
    OpFoldResult iterations = divide(math.max(rounded, zero), stride);
    iterations = math.min(iterations, math.constant(most));
    OpFoldResult before = math.max(math.sub(iterations, one), zero);
    OpFoldResult middle = divide(before, math.constant(2));
    known[induction] = math.add(*from, math.mul(middle, stride));
    return iterations;
  }

  /// The quotient of a number that is not negative and one that is positive.
  OpFoldResult divide(OpFoldResult number, OpFoldResult by) {
    std::optional<int64_t> left = IndexMath::number(number),
                           right = IndexMath::number(by);
    if (left && right)
      return math.constant(*left / *right);
    if (right == 1)
      return number;
    return arith::DivUIOp::create(builder, loop.getLoc(), math.value(number),
                                  math.value(by))
        .getResult();
  }

  OpFoldResult workOf(Block &block) {
    int64_t plain = 0;
    OpFoldResult work = math.constant(0);
    for (Operation &op : block) {
      if (auto call = dyn_cast<LLVM::CallOp>(op))
        work = math.add(work, workOfRows(call));
      if (op.getNumRegions() == 0 && !isa<func::CallOp>(op))
        plain += isLock(op) ? -waiting : timeOf(op);
      else
        work = math.add(work, workOf(op));
    }
    return math.add(work, math.constant(std::min(plain, most)));
  }

  /// What a routine takes for the elements of its rows.
  OpFoldResult workOfRows(LLVM::CallOp call) {
    int64_t quarters = getElementCost(call.getCallee().value_or(""));
    if (quarters == 0)
      return math.constant(0);
    OpFoldResult work = math.constant(quarters);
    for (Value number : getNumElements(call))
      work = product(work, elementsOf(number));
    return divide(work, math.constant(4));
  }

  OpFoldResult elementsOf(Value hint) {
    OpFoldResult elements =
        evaluate(hint).value_or(math.constant(unknownElements));
    // Routines take numbers of the ABI, which may be those of the call.
    if (auto number = dyn_cast<Value>(elements);
        number && !number.getType().isIndex())
      elements = arith::IndexCastOp::create(builder, loop.getLoc(),
                                            builder.getIndexType(), number)
                     .getResult();
    return math.min(math.max(elements, math.constant(0)), math.constant(most));
  }

  OpFoldResult workOf(Operation &op) {
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      if (op.hasAttr(seldomRepeatedAttrName))
        return workOfOneIteration(inner);
      OpFoldResult iterations =
          enter(inner.getLowerBound(), inner.getUpperBound(), inner.getStep(),
                inner.getInductionVar());
      enterCarried(inner.getRegionIterArgs(), inner.getInitArgs());
      enterCarried(inner.getResults(), inner.getInitArgs());
      return product(iterations, workOf(*inner.getBody()));
    }
    if (auto call = dyn_cast<func::CallOp>(op))
      return workOf(call);
    if (op.hasAttr(seldomElseAttrName))
      return workOf(*cast<scf::IfOp>(op).thenBlock());
    OpFoldResult work = math.constant(0);
    for (Region &region : op.getRegions())
      for (Block &block : region)
        work = isa<scf::IfOp>(op) ? math.max(work, workOf(block))
                                  : math.add(work, workOf(block));
    return isa<scf::WhileOp>(op)
               ? product(work, math.constant(unknownIterations))
               : work;
  }

  OpFoldResult workOfOneIteration(scf::ForOp inner) {
    if (std::optional<OpFoldResult> from = evaluate(inner.getLowerBound()))
      known[inner.getInductionVar()] = *from;
    // The step is chosen for this loop. Another one may be what something is
    // divided by, which an empty range must not become.
    if (inner.getStep().getDefiningOp<arith::SelectOp>())
      if (std::optional<OpFoldResult> to = evaluate(inner.getUpperBound()))
        known[inner.getStep()] = *to;
    return workOf(*inner.getBody());
  }

  OpFoldResult workOf(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return math.constant(timeOf(*call));
    if (auto hint = callee->getAttrOfType<DenseI64ArrayAttr>(workAttrName))
      return workOf(call, hint.asArrayRef());
    DenseMap<Value, OpFoldResult> arguments;
    for (auto [argument, operand] :
         llvm::zip(callee.getArguments(), call.getOperands()))
      if (std::optional<OpFoldResult> value = evaluate(operand))
        arguments[argument] = *value;
    DenseSet<Value> none;
    std::swap(known, arguments);
    std::swap(unknown, none);
    OpFoldResult work = workOf(callee.getBody().front());
    std::swap(known, arguments);
    std::swap(unknown, none);
    return work;
  }

  /// What the function says of itself.
  OpFoldResult workOf(func::CallOp call, ArrayRef<int64_t> hint) {
    OpFoldResult work = math.constant(1);
    for (int64_t position : hint.drop_front())
      if (auto extent = evaluate(call.getOperand(position)))
        work = product(work, math.min(*extent, math.constant(most)));
    return divide(work, math.constant(hint.front()));
  }

  /// Extents that a loop carries seldom change.
  void enterCarried(ValueRange carried, ValueRange inits) {
    for (auto [value, init] : llvm::zip(carried, inits))
      if (value.getType().isIndex())
        if (std::optional<OpFoldResult> start = evaluate(init))
          known[value] = *start;
  }

  bool isOutside(Value value) {
    return !loop.getRegion().isAncestor(value.getParentRegion()) &&
           loop->getParentOfType<func::FuncOp>().getBody().isAncestor(
               value.getParentRegion());
  }

  /// The number, as what is there before the loop tells it.
  std::optional<OpFoldResult> evaluate(Value value) {
    if (std::optional<int64_t> number = IndexMath::number(value))
      return math.constant(*number);
    auto found = known.find(value);
    if (found != known.end())
      return found->second;
    if (unknown.contains(value))
      return std::nullopt;
    if (isOutside(value))
      return OpFoldResult(value);
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
        !isa<arith::ArithDialect>(op->getDialect()) ||
        numEmitted >= mostEmitted)
      return std::nullopt;
    // Each value is looked at once, however many others are made from it.
    std::optional<OpFoldResult> number = evaluate(op);
    if (number)
      known[value] = *number;
    else
      unknown.insert(value);
    return number;
  }

  /// True for a quotient by the larger one of something and 1, or more.
  static bool dividesByPositive(Operation *op) {
    if (!isa<arith::DivSIOp, arith::DivUIOp>(op))
      return false;
    auto divisor = op->getOperand(1).getDefiningOp<arith::MaxSIOp>();
    return divisor && llvm::any_of(divisor->getOperands(), [](Value operand) {
             return IndexMath::number(operand).value_or(0) >= 1;
           });
  }

  std::optional<OpFoldResult> evaluate(Operation *op) {
    SmallVector<OpFoldResult> operands;
    for (Value operand : op->getOperands())
      if (std::optional<OpFoldResult> number = evaluate(operand))
        operands.push_back(*number);
    // An extent is often the least of several.
    if (isa<arith::MinSIOp, arith::MaxSIOp>(op) && operands.size() == 1)
      return operands.front();
    // And one that is 0 where memory is missing, which it seldom is.
    if (auto choice = dyn_cast<arith::SelectOp>(op);
        choice && !evaluate(choice.getCondition()))
      return evaluateUnlessMissing(choice);
    // Dividing by what may be 0 is not for code that always runs.
    if (operands.size() != op->getNumOperands() ||
        !(isSpeculatable(op) || dividesByPositive(op)))
      return std::nullopt;
    ++numEmitted;
    return repeat(op, operands);
  }

  std::optional<OpFoldResult> evaluateUnlessMissing(arith::SelectOp choice) {
    if (IndexMath::number(choice.getTrueValue()) == 0)
      return evaluate(choice.getFalseValue());
    if (IndexMath::number(choice.getFalseValue()) == 0)
      return evaluate(choice.getTrueValue());
    return std::nullopt;
  }

  OpFoldResult repeat(Operation *op, ArrayRef<OpFoldResult> operands) {
    if (op->getResult(0).getType().isIndex()) {
      if (isa<arith::AddIOp>(op))
        return math.add(operands[0], operands[1]);
      if (isa<arith::SubIOp>(op))
        return math.sub(operands[0], operands[1]);
      if (isa<arith::MulIOp>(op))
        return math.mul(operands[0], operands[1]);
      if (isa<arith::MinSIOp>(op))
        return math.min(operands[0], operands[1]);
      if (isa<arith::MaxSIOp>(op))
        return math.max(operands[0], operands[1]);
    }
    IRMapping mapping;
    for (auto [operand, number] : llvm::zip(op->getOperands(), operands))
      if (auto value = dyn_cast<Value>(number))
        mapping.map(operand, value);
      else
        mapping.map(operand, constantLike(operand.getType(), number));
    return builder.clone(*op, mapping)->getResult(0);
  }

  Value constantLike(Type type, OpFoldResult number) {
    return arith::ConstantOp::create(
        builder, loop.getLoc(),
        builder.getIntegerAttr(type, *IndexMath::number(number)));
  }

  OpBuilder &builder;
  scf::ParallelOp loop;
  IndexMath math;
  int64_t waiting;
  DenseMap<Value, OpFoldResult> known;
  /// What was looked at and cannot be told before the loop.
  DenseSet<Value> unknown;
  int numEmitted = 0;
};

} // namespace

Value tegula::emitWork(OpBuilder &builder, scf::ParallelOp loop,
                       int64_t leastWork) {
  return WorkEstimate(builder, loop, leastWork).emit();
}

scf::IfOp tegula::createSeldomElse(OpBuilder &builder, Location loc,
                                   Value condition) {
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value expected = LLVM::ExpectOp::create(builder, loc, condition, yes);
  auto branch =
      scf::IfOp::create(builder, loc, expected, /*withElseRegion=*/true);
  branch->setAttr(seldomElseAttrName, builder.getUnitAttr());
  return branch;
}
