// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One element of any element type, as the interpreter holds it: floats as the
/// double of the same value, integers as 64 bits. Exact in every type.

#ifndef TEGULA_IR_SCALAR_H
#define TEGULA_IR_SCALAR_H

#include "tegula/support/DType.h"

#include <cassert>
#include <cstdint>

namespace tegula::pl {

enum class Rounding : uint32_t;

/// The bits of a number without its type: which member counts is known from the
/// type.
union Slot {
  int64_t integer;
  double real;
};

/// `value` rounded to nearest even into a float type.
double roundToFloat(double value, DType dtype);

/// `value` rounded into a float type as the mode says. Values beyond the range
/// become infinite or the largest finite value, whichever the mode asks for.
/// FP8E4M3FN has no infinity: NaN takes its place.
double roundToFloat(double value, DType dtype, Rounding mode);

/// The largest value of a float type: infinite, or finite where there is no
/// infinity.
double getLargest(DType dtype);

/// `value` rounded to an integral value; `none` and `odd` go toward zero.
double roundToIntegral(double value, Rounding mode);

/// The low bits of `value` as an integer type reads them: sign-extended, for
/// unsigned types and Bool zero-extended.
constexpr int64_t wrapToInteger(int64_t value, DType dtype) {
  if (dtype == DType::Bool)
    return value & 1;
  unsigned unused = 64 - getBits(dtype);
  auto bits = static_cast<uint64_t>(value) << unused;
  return isUnsigned(dtype) ? static_cast<int64_t>(bits >> unused)
                           : static_cast<int64_t>(bits) >> unused;
}

/// One element and its type.
class Scalar {
public:
  /// A zero of type Index.
  Scalar() : Scalar(DType::Index, {0}) {}

  /// The number whose slot is already in the form of its type.
  Scalar(DType dtype, Slot slot) : slot(slot), dtype(dtype) {}

  /// An integer, index or Bool: the low bits of `value`.
  static Scalar ofInteger(DType dtype, int64_t value) {
    assert(!isFloat(dtype) && "floats hold reals");
    Slot slot;
    slot.integer = wrapToInteger(value, dtype);
    return Scalar(dtype, slot);
  }
  /// A float: `value` rounded to nearest even.
  static Scalar ofReal(DType dtype, double value) {
    assert(isFloat(dtype) && "integers hold no reals");
    Slot slot;
    slot.real = roundToFloat(value, dtype);
    return Scalar(dtype, slot);
  }
  static Scalar ofBool(bool value) { return ofInteger(DType::Bool, value); }
  static Scalar ofIndex(int64_t value) {
    return ofInteger(DType::Index, value);
  }
  /// A float from its bit pattern; an integer from its low bits.
  static Scalar ofBits(DType dtype, uint64_t bits);

  /// The element at `address`, which needs no alignment.
  static Scalar read(DType dtype, const void *address);
  /// Puts the element at `address`, which needs no alignment.
  void write(void *address) const;

  DType getDType() const { return dtype; }
  Slot getSlot() const { return slot; }
  bool isReal() const { return isFloat(dtype); }
  bool isUnsignedInteger() const { return isUnsigned(dtype); }
  /// Bits of the type; 1 for Bool.
  unsigned getWidth() const { return tegula::getBits(dtype); }

  /// The value of a float.
  double getReal() const {
    assert(isReal() && "an integer is no real");
    return slot.real;
  }
  /// The value of an integer; UINT64 values from 2^63 on read as negative.
  int64_t getInteger() const {
    assert(!isReal() && "a float is no integer");
    return slot.integer;
  }
  /// The integer read as signed, whatever its type: a Bool is 0 or -1.
  int64_t getSigned() const;
  /// The integer read as unsigned, whatever its type.
  uint64_t getUnsigned() const;
  /// The bit pattern, zero-extended.
  uint64_t getBits() const;
  bool isTrue() const { return slot.integer != 0; }

  /// The number as another type, as pl.cast says.
  Scalar cast(DType to, Rounding mode) const;

private:
  Slot slot;
  DType dtype;
};

} // namespace tegula::pl

#endif // TEGULA_IR_SCALAR_H
