// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/ExtentProgram.h"

#include <algorithm>

using namespace tegula;
using Op = ExtentProgram::Op;

static int64_t divide(int64_t lhs, int64_t rhs, bool up) {
  if (rhs == 0)
    return 0;
  // The one quotient that does not fit wraps around.
  if (rhs == -1)
    return static_cast<int64_t>(-static_cast<uint64_t>(lhs));
  int64_t quotient = lhs / rhs;
  bool isInexact = lhs % rhs != 0, isNegative = (lhs < 0) != (rhs < 0);
  if (isInexact && isNegative != up)
    quotient += up ? 1 : -1;
  return quotient;
}

int64_t ExtentProgram::apply(Op op, int64_t lhs, int64_t rhs) {
  auto left = static_cast<uint64_t>(lhs), right = static_cast<uint64_t>(rhs);
  switch (op) {
  case Op::Add:
    return static_cast<int64_t>(left + right);
  case Op::Sub:
    return static_cast<int64_t>(left - right);
  case Op::Mul:
    return static_cast<int64_t>(left * right);
  case Op::FloorDiv:
    return divide(lhs, rhs, /*up=*/false);
  case Op::CeilDiv:
    return divide(lhs, rhs, /*up=*/true);
  case Op::Min:
    return std::min(lhs, rhs);
  case Op::Max:
    return std::max(lhs, rhs);
  case Op::Equal:
    return lhs == rhs;
  case Op::NotEqual:
    return lhs != rhs;
  case Op::Less:
    return lhs < rhs;
  case Op::AtMost:
    return lhs <= rhs;
  case Op::And:
    return lhs & rhs;
  case Op::Or:
    return lhs | rhs;
  case Op::Xor:
    return lhs ^ rhs;
  default:
    return lhs;
  }
}

static bool pushes(Op op) {
  return op == Op::Constant || op == Op::Size || op == Op::Scalar;
}

unsigned ExtentProgram::getDepth() const {
  unsigned depth = 0, most = 0;
  for (const Step &step : steps) {
    depth = pushes(step.op) ? depth + 1 : depth - 1;
    most = std::max(most, depth);
  }
  return most;
}

int64_t ExtentProgram::run(const int64_t *sizes, const int64_t *scalars) const {
  int64_t stack[maxDepth];
  unsigned depth = 0;
  for (const Step &step : steps) {
    switch (step.op) {
    case Op::Constant:
      stack[depth++] = step.number;
      break;
    case Op::Size:
      stack[depth++] = sizes[step.number];
      break;
    case Op::Scalar:
      stack[depth++] = scalars[step.number];
      break;
    default:
      --depth;
      stack[depth - 1] = apply(step.op, stack[depth - 1], stack[depth]);
    }
  }
  return stack[0];
}

int64_t ExtentProgram::indexOf(const std::string &name) {
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    names.push_back(name);
    return static_cast<int64_t>(names.size()) - 1;
  }
  return found - names.begin();
}
