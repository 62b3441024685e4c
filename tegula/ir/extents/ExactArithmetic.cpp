// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExactArithmetic.h"

#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlRequireOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;
using Code = ExtentProgram::Op;

/// Longer computations count as anything.
static constexpr unsigned maxDepth = 64;
static constexpr size_t maxSteps = 256;
/// An op that leaves 64 bits even for sizes this small wraps around on purpose.
static constexpr unsigned leastBits = 1;

namespace {

/// How a value is computed: a step on two parts, or, without a step, any number
/// of a range.
struct Computation {
  std::optional<Code> step;
  OpFoldResult lhs, rhs;
  Int64Range range;
};

} // namespace

static Computation either(OpFoldResult lhs, OpFoldResult rhs) {
  return {Code::Either, lhs, rhs, {}};
}

static Computation anyOf(Int64Range range) {
  return {std::nullopt, {}, {}, range};
}

/// All numbers of an integer type.
static Int64Range rangeOfType(Type type) {
  if (!type.isInteger() || type.getIntOrFloatBitWidth() >= 64)
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  return isUnsigned(type) ? sizesOfBits(width) : numbersOfBits(width - 1);
}

/// What is read from memory or computed from elements, and converted.
static Computation ofConversion(arith::IndexCastOp cast) {
  Value source = cast.getIn();
  Int64Range range = rangeOfType(source.getType());
  if (auto widened = source.getDefiningOp<CastOp>()) {
    Int64Range narrow = rangeOfType(widened.getOperand().getType());
    if (narrow.low >= range.low && narrow.high <= range.high)
      range = narrow;
  }
  return anyOf(range);
}

/// The value itself where a choice takes another one, so that nothing is
/// divided by 0.
static Value behindChoice(Value value) {
  auto choice = value.getDefiningOp<arith::SelectOp>();
  return choice && matchPattern(choice.getTrueValue(), m_Constant())
             ? choice.getFalseValue()
             : value;
}

/// x - x // n * n is what x leaves over: between 0 and n, however large x is,
/// even where its parts wrap around. It is x where n is 0, and nothing has
/// elements to take then.
static std::optional<Computation> ofRemainder(arith::SubIOp op) {
  auto whole = op.getRhs().getDefiningOp<arith::MulIOp>();
  auto quotient =
      whole ? behindChoice(whole.getLhs()).getDefiningOp<arith::FloorDivSIOp>()
            : arith::FloorDivSIOp();
  if (!quotient || quotient.getLhs() != op.getLhs() ||
      behindChoice(quotient.getRhs()) != whole.getRhs())
    return std::nullopt;
  llvm::APInt number;
  if (matchPattern(whole.getRhs(), m_ConstantInt(&number)) &&
      number.isStrictlyPositive())
    return anyOf({0, number.getSExtValue() - 1});
  return either(Builder(op.getContext()).getIndexAttr(0), whole.getRhs());
}

/// True if nothing comes of the op but remainders: it is their x // n, chosen
/// or not, or that times n.
static bool isOnlyOfRemainders(Operation *op, unsigned mostSteps = 3) {
  return mostSteps > 0 &&
         isa<arith::MulIOp, arith::FloorDivSIOp, arith::SelectOp>(op) &&
         llvm::all_of(op->getUsers(), [&](Operation *user) {
           auto sub = dyn_cast<arith::SubIOp>(user);
           return sub ? sub.getRhs() == op->getResult(0) &&
                            ofRemainder(sub).has_value()
                      : isOnlyOfRemainders(user, mostSteps - 1);
         });
}

/// Any number, unless it is an extent.
static Computation ofUnknown(Value index) {
  return anyOf(isKnownExtent(index) ? sizesOfBits(maxSizeBits) : Int64Range());
}

static Computation ofLoopVariable(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent);
      loop && argument == loop.getInductionVar())
    return either(loop.getLowerBound(), loop.getUpperBound());
  if (auto loop = dyn_cast_or_null<ParallelOp>(parent))
    return either(loop.getLower(), loop.getUpper());
  return ofUnknown(argument);
}

static Computation computationOf(Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index))
    return ofLoopVariable(argument);
  Operation *op = index.getDefiningOp();
  return llvm::TypeSwitch<Operation *, Computation>(op)
      .Case([&](arith::SubIOp sub) {
        std::optional<Computation> rest = ofRemainder(sub);
        return rest ? *rest
                    : Computation{Code::Sub, sub.getLhs(), sub.getRhs(), {}};
      })
      .Case([&](arith::SelectOp select) {
        return either(select.getTrueValue(), select.getFalseValue());
      })
      .Case([&](AtOp at) {
        Value inside = at.getBody().front().getTerminator()->getOperand(
            cast<OpResult>(index).getResultNumber());
        return either(inside, inside);
      })
      .Case([&](scf::IfOp branch) {
        unsigned number = cast<OpResult>(index).getResultNumber();
        return either(branch.thenYield().getOperand(number),
                      branch.elseYield().getOperand(number));
      })
      .Case([&](arith::IndexCastOp cast) { return ofConversion(cast); })
      .Case([&](CheckStepOp check) {
        return either(check.getLower(), check.getUpper());
      })
      .Case([&](CheckIndexOp check) {
        return either(Builder(op->getContext()).getIndexAttr(0),
                      check.getExtent());
      })
      .Case([&](RankOp) { return anyOf({0, maxRanks - 1}); })
      .Case([&](RankCountOp) { return anyOf({1, maxRanks}); })
      .Case([&](DimOp dim) {
        Dim known = getDims(dim.getSource().getType())[dim.getAxis()];
        return anyOf({0, known.hasBound() ? known.getBound() : INT64_MAX});
      })
      .Default([&](Operation *other) {
        std::optional<Code> step = stepOf(other);
        return step ? Computation{step,
                                  other->getOperand(0),
                                  other->getOperand(1),
                                  {}}
                    : ofUnknown(index);
      });
}

/// True unless the value stands in a helper: no guard looks at what a helper is
/// given.
static bool isOfCall(Value value) {
  auto function = value.getParentRegion()->getParentOfType<func::FuncOp>();
  auto kind = function ? function->getAttrOfType<FunctionKindAttr>(kindAttrName)
                       : FunctionKindAttr();
  return !kind || kind.getValue() == FunctionKind::Entry ||
         kind.getValue() == FunctionKind::Host;
}

ExactArithmetic::Found ExactArithmetic::find(Value index) {
  auto found = known.find(index);
  if (found != known.end())
    return found->second;
  Found result;
  result.isExact = result.isExactThroughout = false;
  if (depth < maxDepth) {
    ++depth;
    result = compute(index);
    --depth;
  }
  known[index] = result;
  return result;
}

/// True if the step adds sizes to, or multiplies by them, something of which
/// nobody knows how large or how small it is, such as what goes around a loop.
/// That it leaves 64 bits for larger sizes says nothing, even if it does not
/// for the smallest ones: what is computed from them may be 0.
static bool isOpen(const Computation &computation, Int64Range lhs,
                   Int64Range rhs) {
  auto isAny = [](Int64Range range) {
    return range.low == INT64_MIN || range.high == INT64_MAX;
  };
  bool adds = computation.step == Code::Add || computation.step == Code::Sub ||
              computation.step == Code::Mul;
  return adds && ((isAny(lhs) && !getConstantIntValue(computation.rhs)) ||
                  (isAny(rhs) && !getConstantIntValue(computation.lhs)));
}

ExactArithmetic::Found ExactArithmetic::compute(Value index) {
  llvm::APInt number;
  if (matchPattern(index, m_ConstantInt(&number)))
    return {{number.getSExtValue(), number.getSExtValue()}};
  if (index.getDefiningOp<BindOp>())
    return {isOfCall(index) ? sizesOfBits(leastBits)
                            : sizesOfBits(maxSizeBits)};
  if (parameterOf(index))
    return {isOfCall(index) ? numbersOfBits(leastBits) : Int64Range()};
  Computation computation = computationOf(index);
  if (!computation.step)
    return {computation.range};
  auto findPart = [&](OpFoldResult part) -> Found {
    if (std::optional<int64_t> constant = getConstantIntValue(part))
      return {{*constant, *constant}};
    return find(cast<Value>(part));
  };
  Found lhs = findPart(computation.lhs), rhs = findPart(computation.rhs);
  std::optional<Int64Range> range =
      applyToRanges(*computation.step, lhs.range, rhs.range);
  unsigned steps = lhs.steps + rhs.steps + 1;
  unsigned room = std::max(lhs.room, rhs.room + 1);
  // What the guard cannot look at is any number.
  Found result;
  result.isExact = range && !isOpen(computation, lhs.range, rhs.range) &&
                   steps <= maxSteps && room <= ExtentProgram::maxDepth;
  result.isExactThroughout =
      result.isExact && lhs.isExactThroughout && rhs.isExactThroughout;
  if (result.isExact) {
    result.range = *range;
    result.steps = steps;
    result.room = room;
  }
  return result;
}

void ExactArithmetic::addSteps(ExtentProgram &program, OpFoldResult part) {
  auto addNumber = [&](int64_t number) {
    program.steps.push_back({Code::Constant, number});
  };
  if (std::optional<int64_t> constant = getConstantIntValue(part))
    return addNumber(*constant);
  Value index = cast<Value>(part);
  if (auto bind = index.getDefiningOp<BindOp>()) {
    program.steps.push_back(
        {Code::Size, program.indexOf(bind.getSymbol().str())});
    return;
  }
  if (std::optional<unsigned> parameter = parameterOf(index)) {
    program.steps.push_back({Code::Scalar, *parameter});
    return;
  }
  Computation computation = computationOf(index);
  if (!computation.step || !find(index).isExact) {
    addNumber(computation.range.low);
    addNumber(computation.range.high);
    program.steps.push_back({Code::Either});
    return;
  }
  addSteps(program, computation.lhs);
  addSteps(program, computation.rhs);
  program.steps.push_back({*computation.step});
}

ExtentProgram ExactArithmetic::programOf(Value index) {
  ExtentProgram program;
  addSteps(program, index);
  return program;
}

ExtentProgram ExactArithmetic::programOfEnd(Value upper, Value step) {
  ExtentProgram program;
  addSteps(program, upper);
  addSteps(program, step);
  program.steps.push_back({Code::Constant, 1});
  program.steps.push_back({Code::Sub});
  program.steps.push_back({Code::Add});
  return program;
}

namespace {

/// Collects what the guard has to look at.
class Search {
public:
  /// To be called for each op in order before any is visited.
  void prepare(Operation *op) {
    for (Value result : op->getResults())
      if (result.getType().isIndex())
        ranges.isExact(result);
  }
  void visit(Operation *op);
  std::vector<CheckedArithmetic> take() { return std::move(found); }

private:
  bool isAsked(Operation *op);
  void add(Operation *op, ExtentProgram program, bool isLoop);

  ExactArithmetic ranges;
  std::vector<CheckedArithmetic> found;
  std::set<std::string> seen;
};

} // namespace

/// True for index arithmetic that can leave 64 bits, and does not for small
/// sizes.
bool Search::isAsked(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp>(op) &&
         op->getResult(0).getType().isIndex() && !op->use_empty() &&
         computationOf(op->getResult(0)).step &&
         ranges.isExact(op->getResult(0));
}

void Search::add(Operation *op, ExtentProgram program, bool isLoop) {
  bool isOfCall = llvm::any_of(program.steps, [](const auto &step) {
    return step.op == Code::Size || step.op == Code::Scalar;
  });
  if (!isOfCall || !program.fits() || rangeOfBits(program, maxSizeBits) ||
      !rangeOfBits(program, leastBits))
    return;
  std::string key;
  for (const ExtentProgram::Step &step : program.steps)
    key += std::to_string(static_cast<unsigned>(step.op)) + ":" +
           (step.op == Code::Size ? program.names[step.number]
                                  : std::to_string(step.number)) +
           ";";
  if (seen.insert(key).second)
    found.push_back({op, std::move(program), isLoop});
}

void Search::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    add(op, ranges.programOfEnd(loop.getUpperBound(), loop.getStep()), true);
  if (auto loop = dyn_cast<ParallelOp>(op))
    add(op, ranges.programOfEnd(loop.getUpper(), loop.getStep()), true);
  if (!isAsked(op) || isOnlyOfRemainders(op))
    return;
  // What another computation uses is looked at there, but remainders do not
  // tell what they are of.
  bool isPart = llvm::any_of(op->getUsers(), [&](Operation *user) {
    auto sub = dyn_cast<arith::SubIOp>(user);
    return isAsked(user) && !isOnlyOfRemainders(user) &&
           !(sub && ofRemainder(sub));
  });
  if (!isPart)
    add(op, ranges.programOf(op->getResult(0)), false);
}

std::vector<CheckedArithmetic>
tegula::pl::findCheckedArithmetic(Operation *root) {
  Search search;
  root->walk([&](Operation *op) { search.prepare(op); });
  root->walk([&](Operation *op) { search.visit(op); });
  return search.take();
}
