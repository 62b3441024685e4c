// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic on sizes that is done without the compiler: what a declared shape
/// such as [M // 2] comes to, and whether M % 16 == 0 holds, at each call.

#ifndef TEGULA_SUPPORT_EXTENTPROGRAM_H
#define TEGULA_SUPPORT_EXTENTPROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace tegula {

/// Steps on a stack; the last one leaves the result, a number or 0 and 1 for
/// false and true. Numbers wrap around, and dividing by 0 gives 0, as in
/// kernels.
struct ExtentProgram {
  enum class Op : uint8_t {
    /// Pushes `number`.
    Constant,
    /// Pushes the size of `names[number]`.
    Size,
    /// Pushes the scalar parameter `number`.
    Scalar,
    // Two numbers become one.
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Min,
    Max,
    Equal,
    NotEqual,
    Less,
    AtMost,
    And,
    Or,
    Xor,
    /// Any number from one to the other: in programs that are only asked for
    /// their range, such as that of a loop's variable.
    Either
  };

  struct Step {
    Op op;
    int64_t number = 0;
  };

  /// No program needs more room than this.
  static constexpr unsigned maxDepth = 32;

  std::vector<Step> steps;
  std::vector<std::string> names;

  /// How many numbers it needs at once.
  unsigned getDepth() const;
  bool fits() const { return getDepth() <= maxDepth; }
  /// Runs it; `sizes` has the value of each Size and `scalars` of each Scalar.
  /// Allocates nothing.
  int64_t run(const int64_t *sizes, const int64_t *scalars = nullptr) const;
  /// One step on two numbers.
  static int64_t apply(Op op, int64_t lhs, int64_t rhs);
  /// The number under which `name` is known, added if it is new.
  int64_t indexOf(const std::string &name);
};

} // namespace tegula

#endif // TEGULA_SUPPORT_EXTENTPROGRAM_H
