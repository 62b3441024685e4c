// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/Int64Range.h"

#include <algorithm>

using namespace tegula;
using Op = ExtentProgram::Op;
using Result = std::optional<Int64Range>;

Int64Range tegula::sizesOfBits(unsigned bits) {
  return {0, static_cast<int64_t>((uint64_t(1) << bits) - 1)};
}

Int64Range tegula::numbersOfBits(unsigned bits) {
  int64_t high = sizesOfBits(bits).high;
  return {-high - 1, high};
}

static bool contains(Int64Range range, int64_t number) {
  return range.low <= number && number <= range.high;
}

static void include(Int64Range &range, int64_t number) {
  range.low = std::min(range.low, number);
  range.high = std::max(range.high, number);
}

static Result multiply(Int64Range lhs, Int64Range rhs) {
  Int64Range range = {INT64_MAX, INT64_MIN};
  for (int64_t left : {lhs.low, lhs.high})
    for (int64_t right : {rhs.low, rhs.high}) {
      int64_t product;
      if (__builtin_mul_overflow(left, right, &product))
        return std::nullopt;
      include(range, product);
    }
  return range;
}

/// Between -1 and 1 a quotient changes its sign; on either side it only grows
/// or only falls.
static Result divide(Op op, Int64Range lhs, Int64Range rhs) {
  if (lhs.low == INT64_MIN && contains(rhs, -1))
    return std::nullopt;
  Int64Range range = {INT64_MAX, INT64_MIN};
  for (int64_t left : {lhs.low, lhs.high})
    for (int64_t right :
         {rhs.low, rhs.high, int64_t(-1), int64_t(0), int64_t(1)})
      if (contains(rhs, right))
        include(range, ExtentProgram::apply(op, left, right));
  return range;
}

/// Bits of two numbers that are not negative need no more room than these have.
static Result combineBits(Int64Range lhs, Int64Range rhs) {
  if (lhs.low < 0 || rhs.low < 0)
    return Int64Range();
  uint64_t all = static_cast<uint64_t>(lhs.high | rhs.high);
  unsigned bits = 0;
  for (; all != 0; all >>= 1)
    ++bits;
  return sizesOfBits(bits);
}

Result tegula::applyToRanges(Op op, Int64Range lhs, Int64Range rhs) {
  Int64Range range;
  switch (op) {
  case Op::Add:
    if (__builtin_add_overflow(lhs.low, rhs.low, &range.low) ||
        __builtin_add_overflow(lhs.high, rhs.high, &range.high))
      return std::nullopt;
    return range;
  case Op::Sub:
    if (__builtin_sub_overflow(lhs.low, rhs.high, &range.low) ||
        __builtin_sub_overflow(lhs.high, rhs.low, &range.high))
      return std::nullopt;
    return range;
  case Op::Mul:
    return multiply(lhs, rhs);
  case Op::FloorDiv:
  case Op::CeilDiv:
    return divide(op, lhs, rhs);
  case Op::Min:
    return Int64Range{std::min(lhs.low, rhs.low), std::min(lhs.high, rhs.high)};
  case Op::Max:
    return Int64Range{std::max(lhs.low, rhs.low), std::max(lhs.high, rhs.high)};
  case Op::Either:
    return Int64Range{std::min(lhs.low, rhs.low), std::max(lhs.high, rhs.high)};
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return combineBits(lhs, rhs);
  default:
    return Int64Range{0, 1};
  }
}

/// Runs a program on ranges; `leaf` says what a size or a scalar is.
template <typename Leaf>
static Result run(const ExtentProgram &program, Leaf leaf) {
  Int64Range stack[ExtentProgram::maxDepth];
  unsigned depth = 0;
  for (const ExtentProgram::Step &step : program.steps) {
    if (step.op == Op::Constant) {
      stack[depth++] = {step.number, step.number};
    } else if (step.op == Op::Size || step.op == Op::Scalar) {
      stack[depth++] = leaf(step);
    } else {
      --depth;
      Result result = applyToRanges(step.op, stack[depth - 1], stack[depth]);
      if (!result)
        return std::nullopt;
      stack[depth - 1] = *result;
    }
  }
  return stack[0];
}

Result tegula::rangeOf(const ExtentProgram &program, const int64_t *sizes,
                       const int64_t *scalars) {
  return run(program, [&](const ExtentProgram::Step &step) {
    int64_t number = (step.op == Op::Size ? sizes : scalars)[step.number];
    return Int64Range{number, number};
  });
}

Result tegula::rangeOfBits(const ExtentProgram &program, unsigned bits) {
  return run(program, [&](const ExtentProgram::Step &step) {
    return step.op == Op::Size ? sizesOfBits(bits) : numbersOfBits(bits);
  });
}
