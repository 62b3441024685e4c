// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a kernel takes: its parameters, and which extents must be equal.

#ifndef TEGULA_LAUNCH_CALL_SIGNATURE_H
#define TEGULA_LAUNCH_CALL_SIGNATURE_H

#include "tegula/support/DType.h"
#include "tegula/support/ExtentProgram.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tegula {

/// How a kernel uses a parameter.
enum class Direction : uint8_t { In, Out, InOut };

/// What is declared about one axis of a tensor parameter.
struct Axis {
  /// The extent if it is declared as a number, otherwise nothing.
  std::optional<int64_t> extent;
  /// The name of the extent if it varies; "x.0" if it was given none. Axes with
  /// one name have one extent.
  std::string symbol;
  /// The greatest extent allowed, if there is one.
  std::optional<int64_t> bound;
  /// How the extent is computed from others if it is declared as an expression
  /// such as `M // 2`; `symbol` is its text.
  std::optional<ExtentProgram> expression = std::nullopt;
  /// True if an extent of 1 is compiled for by itself: it broadcasts.
  bool excludesOne = false;
};

/// What the sizes of a call must satisfy beyond being equal where they have one
/// name.
struct SizeRequirement {
  ExtentProgram condition;
  /// "M % 16 == 0"
  std::string text;
  /// Where an operation needs it; empty if the author or the signature says so.
  std::string location;
  /// What to show if it does not hold: names, and how to compute their values.
  std::vector<std::pair<std::string, ExtentProgram>> sizes;
  /// The parameter and the axis that declare it; -1 if none does. Then the
  /// first size is what the axis should be.
  int64_t parameter = -1, axis = -1;
};

/// One parameter of a kernel.
struct Parameter {
  /// Open if the annotation does not even say whether it is a tensor.
  enum class Kind : uint8_t { Tensor, Scalar, Open };

  std::string name;
  Kind kind = Kind::Tensor;
  Direction direction = Direction::In;
  /// Nothing if the annotation leaves it to the call.
  std::optional<DType> dtype;
  /// Nothing if the annotation leaves rank and extents to the call.
  std::optional<std::vector<Axis>> axes;
  /// Of a number that the program needs as a constant: its value. An integer
  /// sign-extended, or the bits of a double, as `dtype` says.
  std::optional<uint64_t> constant = std::nullopt;
  /// Why the program needs it, for those who ask.
  std::string reason = {};

  bool isTensor() const { return kind == Kind::Tensor; }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isWritten() const { return direction != Direction::In; }
  /// True if the kernel is specialised on this argument's type and shape.
  bool isOpen() const {
    return kind == Kind::Open || !dtype || (isTensor() && !axes);
  }
};

/// The parameters of a kernel, in order.
struct Signature {
  std::string kernel;
  std::vector<Parameter> parameters;
  std::vector<SizeRequirement> requirements = {};
  /// What the kernel computes from its sizes and numbers and must fit 64 bits:
  /// the conditions are programs to be asked for their range.
  std::vector<SizeRequirement> exact = {};
  /// The parameters that the kernel returns, by number.
  std::vector<unsigned> results = {};

  /// True if some parameter is left to the call.
  bool isOpen() const;
  /// The names of all extents that vary, each once, in order of appearance; of
  /// expressions, the names they are computed from.
  std::vector<std::string> getSymbols() const;
  /// "add(x: Tensor[[M, N], FP32], out: Out[Tensor[[M, N], FP32]])"
  std::string format() const;
};

/// "[M, 128]"
std::string formatAxes(const std::vector<Axis> &axes);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_SIGNATURE_H
