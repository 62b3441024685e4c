// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One argument of a kernel call: a tensor or a number. Its constructors are
/// implicit so that a call reads `kernel({x, y, 2.5, out})`.

#ifndef TEGULA_LAUNCH_CALL_ARGUMENT_H
#define TEGULA_LAUNCH_CALL_ARGUMENT_H

#include "tegula/support/TensorView.h"
#include <cstdint>
#include <type_traits>

namespace tegula {

/// A tensor or a number. A number has no element type of its own: it is
/// converted to the parameter's, and refused if it does not fit.
class Argument {
public:
  Argument(const TensorView &view) : kind(Kind::Tensor), view(view) {}

  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Argument(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      kind = Kind::Float;
      number.real = value;
    } else {
      isNegative = value < T(0);
      kind = Kind::Integer;
      number.integer = static_cast<uint64_t>(value);
    }
  }

  bool isTensor() const { return kind == Kind::Tensor; }
  bool isFloat() const { return kind == Kind::Float; }
  const TensorView &getTensor() const { return view; }
  /// The number if it is a float.
  double getFloat() const { return number.real; }
  /// The bits of the number if it is an integer, sign-extended.
  uint64_t getIntegerBits() const { return number.integer; }
  /// True for integers below zero.
  bool isNegativeInteger() const { return isNegative; }

private:
  enum class Kind : uint8_t { Tensor, Integer, Float };

  Kind kind;
  bool isNegative = false;
  union {
    uint64_t integer;
    double real;
  } number;
  TensorView view;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_ARGUMENT_H
