// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/semantics/Reduction.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

enum class Start { Zero, One, Lowest, Highest };

/// The ops of a reduction: on tiles, and on scalars by what they hold.
template <typename Op, typename Float, typename Signed, typename Unsigned>
struct CombinedBy {
  using TileOp = Op;
  using FloatOp = Float;
  using SignedOp = Signed;
  using UnsignedOp = Unsigned;
};

/// Integers as the type they wrap in; doubles.
template <typename T> auto wrapping(T value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<uint64_t>(value);
  else
    return value;
}

struct Sum : CombinedBy<AddOp, arith::AddFOp, arith::AddIOp, arith::AddIOp> {
  static constexpr Start start = Start::Zero;
  template <typename T> static T combine(T lhs, T rhs) {
    return static_cast<T>(wrapping(lhs) + wrapping(rhs));
  }
};

struct Prod : CombinedBy<MulOp, arith::MulFOp, arith::MulIOp, arith::MulIOp> {
  static constexpr Start start = Start::One;
  template <typename T> static T combine(T lhs, T rhs) {
    return static_cast<T>(wrapping(lhs) * wrapping(rhs));
  }
};

/// Both extremes are NaN where an element is.
struct Max
    : CombinedBy<MaximumOp, arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp> {
  static constexpr Start start = Start::Lowest;
  template <typename T> static T combine(T lhs, T rhs) {
    return rhs > lhs || rhs != rhs ? rhs : lhs;
  }
};

struct Min
    : CombinedBy<MinimumOp, arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp> {
  static constexpr Start start = Start::Highest;
  template <typename T> static T combine(T lhs, T rhs) {
    return rhs < lhs || rhs != rhs ? rhs : lhs;
  }
};

/// NaN is left out: what a row of nothing else comes to is what it starts from.
struct NanMax
    : CombinedBy<FmaxOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp> {
  static constexpr Start start = Start::Lowest;
  template <typename T> static T combine(T lhs, T rhs) {
    return rhs > lhs ? rhs : lhs;
  }
};

struct NanMin
    : CombinedBy<FminOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp> {
  static constexpr Start start = Start::Highest;
  template <typename T> static T combine(T lhs, T rhs) {
    return rhs < lhs ? rhs : lhs;
  }
};

} // namespace

/// Calls `use` with the one of the above that is meant.
template <typename Use> static auto with(Reduction reduction, Use use) {
  switch (reduction) {
  case Reduction::Sum:
    return use(Sum());
  case Reduction::Prod:
    return use(Prod());
  case Reduction::Max:
    return use(Max());
  case Reduction::Min:
    return use(Min());
  case Reduction::NanMax:
    return use(NanMax());
  case Reduction::NanMin:
    return use(NanMin());
  }
  llvm_unreachable("every reduction is covered");
}

static Start startOf(Reduction reduction) {
  return with(reduction, [](auto rule) { return rule.start; });
}

static Scalar identityOfFloats(Start start, DType element) {
  switch (start) {
  case Start::Zero:
    return Scalar::ofReal(element, 0);
  case Start::One:
    return Scalar::ofReal(element, 1);
  case Start::Lowest:
    return Scalar::ofReal(element, -getLargest(element));
  case Start::Highest:
    return Scalar::ofReal(element, getLargest(element));
  }
  llvm_unreachable("every start is covered");
}

static Scalar identityOfIntegers(Start start, DType element) {
  IntegerRange range = getIntegerRange(element);
  switch (start) {
  case Start::Zero:
    return Scalar::ofInteger(element, 0);
  case Start::One:
    return Scalar::ofInteger(element, 1);
  case Start::Lowest:
    return Scalar::ofInteger(element, range.low);
  case Start::Highest:
    return Scalar::ofInteger(element, static_cast<int64_t>(range.high));
  }
  llvm_unreachable("every start is covered");
}

Scalar tegula::pl::getIdentity(Reduction reduction, DType element) {
  Start start = startOf(reduction);
  return isFloat(element) ? identityOfFloats(start, element)
                          : identityOfIntegers(start, element);
}

Scalar tegula::pl::getNeutral(Reduction reduction, DType element) {
  // -0.0 + x is x even if x is -0.0
  if (isFloat(element) && startOf(reduction) == Start::Zero)
    return Scalar::ofReal(element, -0.0);
  return getIdentity(reduction, element);
}

bool tegula::pl::isChoice(Reduction reduction) {
  Start start = startOf(reduction);
  return start == Start::Lowest || start == Start::Highest;
}

DType tegula::pl::getTypeOfBooleans(Reduction reduction,
                                    std::optional<uint64_t> count) {
  bool isCount = startOf(reduction) == Start::Zero;
  return isCount && count > INT32_MAX ? DType::Int64 : DType::Int32;
}

Value tegula::pl::buildCombination(OpBuilder &builder, Location loc,
                                   Reduction reduction, Value lhs, Value rhs) {
  return with(reduction, [&](auto rule) -> Value {
    return decltype(rule)::TileOp::create(builder, loc, lhs, rhs);
  });
}

bool tegula::pl::isCombination(Operation *op, Reduction reduction) {
  return with(reduction, [&](auto rule) {
    return isa<typename decltype(rule)::TileOp>(op);
  });
}

Value tegula::pl::buildScalarCombination(OpBuilder &builder, Location loc,
                                         Reduction reduction, Value lhs,
                                         Value rhs, bool isUnsigned) {
  return with(reduction, [&](auto rule) -> Value {
    using Rule = decltype(rule);
    if (isa<FloatType>(lhs.getType()))
      return Rule::FloatOp::create(builder, loc, lhs, rhs);
    if (isUnsigned)
      return Rule::UnsignedOp::create(builder, loc, lhs, rhs);
    return Rule::SignedOp::create(builder, loc, lhs, rhs);
  });
}

/// The type in which `op` combines, which arith does not say of integers.
template <typename Rule>
static std::optional<DType> combinedType(Operation *op) {
  Type type = op->getResult(0).getType();
  if (isa<typename Rule::FloatOp, typename Rule::SignedOp>(op))
    return getDType(type);
  if (!isa<typename Rule::UnsignedOp>(op))
    return std::nullopt;
  return getDType(IntegerType::get(
      op->getContext(), type.getIntOrFloatBitWidth(), IntegerType::Unsigned));
}

std::optional<Scalar> tegula::pl::findNeutral(Operation *combination) {
  for (uint32_t number = 0; number <= getMaxEnumValForReduction(); ++number) {
    Reduction reduction = *symbolizeReduction(number);
    std::optional<DType> type = with(reduction, [&](auto rule) {
      return combinedType<decltype(rule)>(combination);
    });
    if (type)
      return getNeutral(reduction, *type);
  }
  return std::nullopt;
}

template <typename Rule> static Slot combineReals(Slot lhs, Slot rhs) {
  Slot result;
  result.real = Rule::combine(lhs.real, rhs.real);
  return result;
}

template <typename Rule, typename T>
static Slot combineIntegers(Slot lhs, Slot rhs) {
  return {static_cast<int64_t>(
      Rule::combine(static_cast<T>(lhs.integer), static_cast<T>(rhs.integer)))};
}

Combination tegula::pl::getCombination(Reduction reduction, DType element) {
  return with(reduction, [&](auto rule) -> Combination {
    using Rule = decltype(rule);
    if (isFloat(element))
      return combineReals<Rule>;
    return isUnsigned(element) ? combineIntegers<Rule, uint64_t>
                               : combineIntegers<Rule, int64_t>;
  });
}
