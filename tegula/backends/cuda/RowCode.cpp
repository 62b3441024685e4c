// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/RowCode.h"

#include "tegula/backends/codegen/View.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

void RowCode::readSlots() {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type wide = builder.getI64Type();
  unsigned slot = 0;
  SmallVector<SmallVector<Value>> sizes;
  for (BlockArgument argument : kernel.getArguments()) {
    auto tensor = dyn_cast<pl::TensorViewType>(argument.getType());
    sizes.emplace_back();
    if (!tensor) {
      Type type = signlessType(argument.getType());
      numbers.map(argument, fromWord(slotAt(slot++, wordOf(type)), type));
      continue;
    }
    unsigned rank = tensor.getRank();
    for (unsigned axis = 0; axis < rank; ++axis)
      sizes.back().push_back(toIndex(slotAt(slot + 1 + axis, wide)));
    Memory &memory = memories[argument];
    memory.data = slotAt(slot, pointer);
    if (rank == 2)
      memory.rowStride = toIndex(slotAt(slot + 1 + rank, wide));
    slot += 1 + 2 * rank;
  }
  rows = columns = code.number(1);
  for (Operation *op : program.steps) {
    if (auto bind = dyn_cast<pl::BindOp>(op)) {
      auto tensor = cast<BlockArgument>(bind.getTensors().front());
      numbers.map(bind.getExtent(),
                  sizes[tensor.getArgNumber()][bind.getAxes().front()]);
    }
    auto found = program.accesses.find(op);
    if (found == program.accesses.end())
      continue;
    const RowAccess &access = found->second;
    ArrayRef<Value> known = sizes[access.tensor.getArgNumber()];
    if (access.shape.hasRows)
      rows = known.front();
    if (access.shape.hasColumns)
      columns = known.back();
  }
}

/// What follows the last sum.
static ArrayRef<Operation *> findTail(const RowwiseKernel &program) {
  ArrayRef<Operation *> steps = program.steps;
  size_t first = steps.size();
  while (first > 0 && !isa<pl::ReduceOp>(steps[first - 1]))
    --first;
  return steps.drop_front(first);
}

bool RowCode::goesByRuns() const {
  if (!isShifted || isNarrow || !program.hasReductions)
    return false;
  ArrayRef<Operation *> tail = findTail(program);
  // What rows have one number of comes before all groups.
  auto isLoad = [&](Operation *op) {
    return isa<pl::LoadOp>(op) && hasColumns(op);
  };
  const auto *written = llvm::find_if(tail, [&](Operation *op) {
    return isa<pl::StoreOp>(op) && hasColumns(op);
  });
  return std::none_of(written, tail.end(), isLoad) &&
         llvm::any_of(tail, [&](Operation *op) {
           return isLoad(op) && isApart(program.accesses.find(op)->second);
         });
}

bool RowCode::hasColumns(Operation *op) const {
  auto access = program.accesses.find(op);
  if (access != program.accesses.end())
    return access->second.shape.hasColumns;
  return program.shapes.lookup(op->getResult(0)).hasColumns;
}

/// Each group is computed with and written before the next one, and single
/// elements with the last: what others need takes no registers yet. What the
/// next one needs is read before a group is written, or it would be waited for.
void RowCode::emitByRuns(ArrayRef<Operation *> tail) {
  SmallVector<pl::LoadOp> loads;
  SmallVector<Operation *> others;
  for (Operation *op : tail)
    if (!hasColumns(op))
      emitStep(op);
    else if (auto load = dyn_cast<pl::LoadOp>(op))
      loads.push_back(load);
    else
      others.push_back(op);
  isWhole = Value();
  const auto allElements = elements;
  const auto allLoaded = loaded;
  const SmallVector<RowRun> allRuns = std::move(runs);
  size_t first = 0, end = 0;
  auto enter = [&](size_t begin) {
    size_t count = allRuns[begin].count;
    for (end = begin + 1; end < allRuns.size() && allRuns[end].count == 1;
         ++end)
      ++count;
    runs.assign(allRuns.begin() + begin, allRuns.begin() + end);
    loaded = allLoaded;
    for (const auto &[value, known] : allElements)
      if (known.size() > 1)
        elements[value] = llvm::to_vector(ArrayRef(known).slice(first, count));
    return count;
  };
  auto readGroup = [&](size_t begin) {
    enter(begin);
    return llvm::map_to_vector(loads, [&](pl::LoadOp load) {
      emitLoad(load);
      return elements[load.getResult()];
    });
  };
  auto found = readGroup(0);
  for (size_t begin = 0; begin < allRuns.size();) {
    size_t before = first, count = enter(begin), next = end;
    first += count;
    auto prefetched = next < allRuns.size() ? readGroup(next) : found;
    first = before;
    enter(begin);
    for (auto [load, read] : llvm::zip(loads, found))
      elements[load.getResult()] = read;
    llvm::for_each(others, [&](Operation *op) { emitStep(op); });
    found = std::move(prefetched);
    first += count;
    begin = next;
  }
}

void RowCode::emitSteps() {
  if (goesByRuns()) {
    ArrayRef<Operation *> tail = findTail(program);
    for (Operation *op : ArrayRef(program.steps).drop_back(tail.size()))
      emitStep(op);
    return emitByRuns(tail);
  }
  // What is read was not written before, so it may be read first.
  auto isEarly = [&](Operation *op) {
    return isHurried && isa<pl::LoadOp>(op);
  };
  for (Operation *op : program.steps)
    if (isEarly(op))
      emitStep(op);
  for (Operation *op : program.steps)
    if (!isEarly(op))
      emitStep(op);
}

void RowCode::emitStep(Operation *op) {
  if (isa<pl::BindOp>(op))
    return;
  if (auto load = dyn_cast<pl::LoadOp>(op))
    return emitLoad(load);
  if (auto store = dyn_cast<pl::StoreOp>(op))
    return emitStore(store);
  Value result = op->getResult(0);
  SmallVector<Value> made;
  if (auto full = dyn_cast<pl::FullOp>(op))
    made = {numbers.lookup(full.getValue())};
  else if (isa<pl::BroadcastOp, pl::RelaxOp, pl::ReshapeOp, pl::TransposeOp,
               pl::WithExtentsOp>(op))
    made = elements.lookup(program.resolve(op->getOperand(0)));
  else if (auto reduce = dyn_cast<pl::ReduceOp>(op))
    made = {emitSum(reduce)};
  else if (program.matmul && op == program.matmul->op)
    made = emitMatmul();
  else if (!program.shapes.contains(result))
    return emitNumber(op);
  else
    return emitElements(op);
  elements[result] = std::move(made);
}

/// Whether elements are divided by the same, which is not known before.
bool RowCode::isShared(Value first, Value second) const {
  return first == second && first.getType().isF32() && !isHurried &&
         !matchPattern(first, m_Constant());
}

void RowCode::emitElements(Operation *op) {
  auto elementwise = cast<pl::ElementwiseOpInterface>(op);
  size_t count = 1;
  for (Value operand : op->getOperands())
    count = std::max(count, elements.lookup(program.resolve(operand)).size());
  auto operandsAt = [&](size_t i) {
    return llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return elementOf(operand, i);
    });
  };
  SmallVector<Value> results;
  if (isa<pl::DivOp>(op) && count > 1 &&
      isShared(operandsAt(0)[1], operandsAt(1)[1])) {
    for (size_t i = 0; i < count; ++i)
      results.push_back(operandsAt(i)[0]);
    results = emitQuotients(results, operandsAt(0)[1]);
  } else {
    bool isQuotient = isa<pl::DivOp>(op) && isHurried && isNarrow;
    for (size_t i = 0; i < count;) {
      SmallVector<Value> pair;
      if (isQuotient && i + 1 < count)
        pair = emitTwoSilu(operandsAt(i), operandsAt(i + 1));
      if (pair.empty())
        pair = {emitElement(elementwise, operandsAt(i))};
      llvm::append_range(results, pair);
      i += pair.size();
    }
  }
  elements[op->getResult(0)] = std::move(results);
}

/// The power of a sum 1 + exp(power), or null.
static Value powerOfOnePlusExp(Value sum) {
  auto add = sum.getDefiningOp<arith::AddFOp>();
  if (!add)
    return {};
  for (auto [one, other] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())})
    if (auto exp = other.getDefiningOp<math::ExpOp>();
        exp && matchPattern(one, m_OneFloat()))
      return exp.getOperand();
  return {};
}

RowCode::Value RowCode::callIntrinsic(StringRef name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(builder, loc, operands.front().getType(),
                                       builder.getStringAttr(name), operands)
      .getResult(0);
}

RowCode::Value RowCode::numberOf(float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

/// The power of two that exp(power) is.
RowCode::Value RowCode::emitPowerOfTwo(Value power) {
  constexpr float perBit = 0x1.715476p0F;
  return arith::MulFOp::create(builder, loc, power, numberOf(perBit));
}

/// x / (1 + exp(y)) to some 18 bits, if that can be; else null.
RowCode::Value RowCode::emitByOnePlusExp(Value dividend, Value divisor) {
  Value power = powerOfOnePlusExp(divisor);
  if (!power || !isNarrow || !power.getType().isF32())
    return {};
  Value raised =
      callIntrinsic("llvm.nvvm.ex2.approx.ftz.f32", emitPowerOfTwo(power));
  Value inverse = callIntrinsic(
      "llvm.nvvm.rcp.approx.ftz.f",
      arith::AddFOp::create(builder, loc, raised, numberOf(1)).getResult());
  return arith::MulFOp::create(builder, loc, dividend, inverse);
}

/// Whether it is x / (1 + exp(-x)).
static bool isSilu(ArrayRef<Value> operands) {
  Value power = powerOfOnePlusExp(operands[1]);
  auto negated = power ? power.getDefiningOp<arith::NegFOp>() : nullptr;
  return negated && negated.getOperand() == operands[0] &&
         power.getType().isF32();
}

/// Two quotients x / (1 + exp(-x)) to some 18 bits, if they are such; else
/// none. Their divisors a and b share one inverse, 1 / a = b * (1 / ab), which
/// takes half as long. One of them is scaled by 2^-64, so ab is infinite only
/// where both are above 2^63 or so, and then results are 0. No divisor is above
/// 2^127, or NaN, which would spoil the neighbour: what is 0 or NaN comes from
/// x, times an inverse below the normal numbers, which is 0.
SmallVector<RowCode::Value> RowCode::emitTwoSilu(ArrayRef<Value> first,
                                                 ArrayRef<Value> second) {
  if (!isSilu(first) || !isSilu(second))
    return {};
  auto raise = [&](ArrayRef<Value> operands) {
    constexpr float most = 127;
    Value power = arith::MinNumFOp::create(
        builder, loc, emitPowerOfTwo(powerOfOnePlusExp(operands[1])),
        numberOf(most));
    return callIntrinsic("llvm.nvvm.ex2.approx.ftz.f32", power);
  };
  auto scale = [&](Value power) -> Value {
    Value factor = numberOf(0x1p-64F);
    return math::FmaOp::create(builder, loc, power, factor, factor);
  };
  auto times = [&](Value lhs, Value rhs) -> Value {
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  };
  auto timesFlushed = [&](Value lhs, Value rhs) {
    return callIntrinsic("llvm.nvvm.mul.rn.ftz.f", {lhs, rhs});
  };
  Value one = raise(first), other = raise(second);
  Value divisor = arith::AddFOp::create(builder, loc, one, numberOf(1));
  Value scaled = scale(other);
  Value inverse =
      callIntrinsic("llvm.nvvm.rcp.approx.ftz.f", times(divisor, scaled));
  return {times(first[0], timesFlushed(scaled, inverse)),
          times(second[0], timesFlushed(scale(one), inverse))};
}

RowCode::Value RowCode::emitElement(pl::ElementwiseOpInterface op,
                                    ArrayRef<Value> operands) {
  if (auto half = halves.find(operands.front());
      half != halves.end() && isa<pl::CastOp>(op.getOperation()) &&
      operands.front().getType().isBF16() &&
      signlessType(pl::getElementOrSelf(op->getResult(0).getType())).isF32())
    return widenHalf(half->second);
  if (isHurried && isa<pl::DivOp>(op.getOperation()))
    if (Value quick = emitByOnePlusExp(operands[0], operands[1]))
      return quick;
  Block *block = builder.getBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == block->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  Value made = op.buildScalar(builder, operands);
  // An exact division branches, and then those of a thread wait for each other.
  if (auto quotient = made.getDefiningOp<arith::DivFOp>();
      quotient && isHurried && isa<pl::DivOp>(op.getOperation()) &&
      quotient.getType().isF32())
    quotient.setFastmath(arith::FastMathFlags::afn);
  for (Operation &added :
       llvm::make_range(isFirst ? block->begin() : std::next(before), end))
    relax(&added);
  return made;
}

void RowCode::relax(Operation *op) {
  auto relaxed = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!isNarrow || !relaxed || !relaxed.getFastMathFlagsAttr() ||
      !op->getResult(0).getType().isF32())
    return;
  arith::FastMathFlags flags = relaxed.getFastMathFlagsAttr().getValue();
  if (isa<arith::DivFOp, math::SqrtOp>(op) ||
      (program.hasReductions && isa<math::ExpOp>(op)))
    flags = flags | arith::FastMathFlags::afn;
  if (program.hasReductions)
    flags = flags | arith::FastMathFlags::contract;
  op->setAttr(relaxed.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

/// x / y for all elements of a row, which share y: x * (1 / y). Where 1 / y has
/// fewer bits or is none, both are scaled.
SmallVector<RowCode::Value> RowCode::emitQuotients(ArrayRef<Value> dividends,
                                                   Value divisor) {
  auto pick = [&](arith::CmpFPredicate predicate, float limit, float factor,
                  Value otherwise) -> Value {
    Value isIt = arith::CmpFOp::create(
        builder, loc, predicate, math::AbsFOp::create(builder, loc, divisor),
        numberOf(limit));
    return arith::SelectOp::create(builder, loc, isIt, numberOf(factor),
                                   otherwise);
  };
  Value scale =
      pick(arith::CmpFPredicate::OLT, 0x1p-126f, 0x1p24f, numberOf(1));
  scale = pick(arith::CmpFPredicate::OGT, 0x1p126f, 0x1p-2f, scale);
  Value scaled = arith::MulFOp::create(builder, loc, divisor, scale);
  auto inverse = arith::DivFOp::create(builder, loc, numberOf(1), scaled);
  relax(inverse);
  return llvm::map_to_vector(dividends, [&](Value dividend) -> Value {
    Value part = arith::MulFOp::create(builder, loc, dividend, scale);
    Value quotient = arith::MulFOp::create(builder, loc, part, inverse);
    return isNarrow ? quotient
                    : correctQuotient(part, scaled, inverse, quotient);
  });
}

/// A quotient with what is missing, which rounds it correctly, but for tiny
/// ones; infinite ones and signs of 0 are right already.
RowCode::Value RowCode::correctQuotient(Value dividend, Value divisor,
                                        Value inverse, Value quotient) {
  Value negated = arith::NegFOp::create(builder, loc, quotient);
  Value rest = math::FmaOp::create(builder, loc, negated, divisor, dividend);
  Value corrected = math::FmaOp::create(builder, loc, rest, inverse, quotient);
  Value isLess =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                            math::AbsFOp::create(builder, loc, rest),
                            math::AbsFOp::create(builder, loc, dividend));
  return arith::SelectOp::create(builder, loc, isLess, corrected, quotient);
}

SmallVector<RowCode::Value> RowCode::emitAccumulators(ValueRange sums) {
  bool isInteger =
      isa<IntegerType>(pl::getElementOrSelf(program.matmul->left.getType()));
  SmallVector<Value> found;
  for (auto [i, given] : llvm::enumerate(sums)) {
    Value sum = given;
    if (isInteger)
      sum = arith::BitcastOp::create(builder, loc, builder.getI32Type(), sum);
    if (Value addend = program.matmul->addend) {
      Value before = elementOf(addend, i);
      sum = isInteger
                ? arith::AddIOp::create(builder, loc, before, sum).getResult()
                : arith::AddFOp::create(builder, loc, before, sum).getResult();
    }
    found.push_back(sum);
  }
  return found;
}

RowCode::Value RowCode::elementOf(Value value, size_t i) {
  auto known = elements.find(program.resolve(value));
  if (known == elements.end())
    return numbers.lookup(value);
  return known->second[known->second.size() == 1 ? 0 : i];
}

void RowCode::emitNumber(Operation *op) {
  auto elementwise = dyn_cast<pl::ElementwiseOpInterface>(op);
  if (!elementwise) {
    builder.clone(*op, numbers);
    return;
  }
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return numbers.lookup(operand);
      });
  numbers.map(op->getResult(0), emitElement(elementwise, operands));
}
