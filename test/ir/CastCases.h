// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What casts are tested with: all values of the types up to 16 bits, hard ones
/// of the others, and LLVM's APFloat and APInt as the judge.

#ifndef TEGULA_TEST_IR_CASTCASES_H
#define TEGULA_TEST_IR_CASTCASES_H

#include "tegula/ir/ops/PlDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <set>

namespace tegula {

/// An element type and its name in the IR.
struct ElementType {
  DType dtype;
  const char *name;
};

inline constexpr ElementType elementTypes[] = {
    {DType::Bool, "i1"},        {DType::Int4, "i4"},
    {DType::UInt4, "ui4"},      {DType::Int8, "i8"},
    {DType::UInt8, "ui8"},      {DType::Int16, "i16"},
    {DType::UInt16, "ui16"},    {DType::Int32, "i32"},
    {DType::UInt32, "ui32"},    {DType::Int64, "i64"},
    {DType::UInt64, "ui64"},    {DType::FP8E4M3FN, "f8E4M3FN"},
    {DType::FP8E5M2, "f8E5M2"}, {DType::FP16, "f16"},
    {DType::BF16, "bf16"},      {DType::FP32, "f32"},
    {DType::FP64, "f64"}};

inline const llvm::fltSemantics &semanticsOf(DType dtype) {
  switch (dtype) {
  case DType::FP8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case DType::FP8E5M2:
    return llvm::APFloat::Float8E5M2();
  case DType::FP16:
    return llvm::APFloat::IEEEhalf();
  case DType::BF16:
    return llvm::APFloat::BFloat();
  case DType::FP32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

/// The modes that may differ between two types; `none` alone where nothing is
/// rounded.
inline std::vector<pl::Rounding> modesOf(DType from, DType to) {
  using pl::Rounding;
  std::vector<Rounding> modes = {Rounding::None};
  if (to == DType::Bool || from == DType::Bool || from == to)
    return modes;
  auto precision = [](DType dtype) {
    return llvm::APFloat::semanticsPrecision(semanticsOf(dtype));
  };
  bool narrows = isFloat(from) && isFloat(to) && getBits(to) <= getBits(from);
  bool rounds = isFloat(from) ? !isFloat(to) || narrows
                              : isFloat(to) && precision(to) < getBits(from);
  if (rounds)
    modes.insert(modes.end(), {Rounding::Rint, Rounding::Round, Rounding::Floor,
                               Rounding::Ceil, Rounding::Trunc});
  if (narrows)
    modes.push_back(Rounding::Odd);
  return modes;
}

inline llvm::APFloat::roundingMode toApMode(pl::Rounding mode) {
  switch (mode) {
  case pl::Rounding::Round:
    return llvm::APFloat::rmNearestTiesToAway;
  case pl::Rounding::Floor:
    return llvm::APFloat::rmTowardNegative;
  case pl::Rounding::Ceil:
    return llvm::APFloat::rmTowardPositive;
  case pl::Rounding::Trunc:
  case pl::Rounding::Odd:
    return llvm::APFloat::rmTowardZero;
  default:
    return llvm::APFloat::rmNearestTiesToEven;
  }
}

/// What APFloat makes of one float in another format. To odd is toward zero
/// with the last bit set where something was lost, but never beyond the
/// greatest finite value.
inline uint64_t convertByApFloat(llvm::APFloat value, DType to,
                                 pl::Rounding mode) {
  bool losesBits = false;
  bool wasFinite = value.isFinite();
  value.convert(semanticsOf(to), toApMode(mode), &losesBits);
  uint64_t bits = value.bitcastToAPInt().getZExtValue();
  bool isLargest = value.isFinite() && value.isLargest();
  if (mode == pl::Rounding::Odd && wasFinite && losesBits && !isLargest)
    bits |= 1;
  return bits;
}

/// The bits of `bits` of type `from` as a `to`, by LLVM's own arithmetic.
inline uint64_t castByLlvm(DType from, uint64_t bits, DType to,
                           pl::Rounding mode) {
  llvm::APInt raw(getBits(from), bits, /*isSigned=*/false,
                  /*implicitTrunc=*/true);
  bool isNegativeCapable =
      !isFloat(from) && !isUnsigned(from) && from != DType::Bool;
  if (!isFloat(from)) {
    if (to == DType::Bool)
      return !raw.isZero();
    if (!isFloat(to))
      return (isNegativeCapable ? raw.sextOrTrunc(getBits(to))
                                : raw.zextOrTrunc(getBits(to)))
          .getZExtValue();
    llvm::APFloat value(semanticsOf(to));
    value.convertFromAPInt(raw, isNegativeCapable, toApMode(mode));
    return value.bitcastToAPInt().getZExtValue();
  }
  llvm::APFloat value(semanticsOf(from), raw);
  if (to == DType::Bool)
    return !value.isZero();
  if (isFloat(to))
    return convertByApFloat(value, to, mode);
  llvm::APSInt integer(getBits(to), isUnsigned(to));
  bool isExact;
  value.convertToInteger(
      integer,
      mode == pl::Rounding::None ? llvm::APFloat::rmTowardZero : toApMode(mode),
      &isExact);
  return integer.getZExtValue();
}

/// True if the bits are a NaN of that float type.
inline bool isNaNBits(DType dtype, uint64_t bits) {
  return isFloat(dtype) &&
         llvm::APFloat(semanticsOf(dtype), llvm::APInt(getBits(dtype), bits))
             .isNaN();
}

/// Adds `value` of a wide float type, its neighbours, and the negatives.
inline void addAround(std::set<uint64_t> &bits, DType dtype, double value) {
  uint64_t pattern = toFloatBits(value, dtype);
  uint64_t sign = uint64_t(1) << (getBits(dtype) - 1);
  for (uint64_t step : {0, 1, 2}) {
    bits.insert((pattern + step - 1) & (sign - 1));
    bits.insert(((pattern + step - 1) & (sign - 1)) | sign);
  }
}

/// Values of a wide float next to, on and between the values of narrower types.
inline void addHardFloats(std::set<uint64_t> &bits, DType dtype) {
  for (ElementType narrow : elementTypes) {
    if (!isFloat(narrow.dtype) || getBits(narrow.dtype) >= getBits(dtype))
      continue;
    uint64_t last = (uint64_t(1) << (getBits(narrow.dtype) - 1)) - 1;
    uint64_t step = last / 128 | 1;
    for (uint64_t code = 0; code <= last - 1; code += step) {
      double low = fromFloatBits(code, narrow.dtype);
      double high = fromFloatBits(code + 1, narrow.dtype);
      addAround(bits, dtype, low);
      if (std::isfinite(low) && std::isfinite(high))
        addAround(bits, dtype, low / 2 + high / 2);
    }
    llvm::APFloat largest =
        llvm::APFloat::getLargest(semanticsOf(narrow.dtype));
    double greatest = largest.convertToDouble();
    unsigned precision =
        llvm::APFloat::semanticsPrecision(semanticsOf(narrow.dtype));
    addAround(bits, dtype, greatest);
    addAround(bits, dtype, greatest * (1 + std::ldexp(1.0, -int(precision))));
    addAround(bits, dtype, 464);
  }
  for (int exponent : {3, 4, 7, 8, 15, 16, 24, 31, 32, 53, 62, 63, 64})
    for (double off : {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0})
      addAround(bits, dtype, std::ldexp(1.0, exponent) + off);
  for (double value : {0.0, 0.25, 0.5, 1.5, 2.5, 1e300, double(INFINITY),
                       double(NAN), 1e-310, 5e-324, 1e-45, 1e-40})
    addAround(bits, dtype, value);
}

/// Integers next to powers of two and to the ties of every float type.
inline void addHardIntegers(std::set<uint64_t> &bits, DType dtype) {
  auto width = static_cast<int>(getBits(dtype));
  uint64_t mask = ~uint64_t(0) >> (64 - width);
  auto add = [&](uint64_t number) {
    for (int64_t off : {-2, -1, 0, 1, 2}) {
      bits.insert((number + off) & mask);
      bits.insert((-number + off) & mask);
    }
  };
  add(0);
  for (int exponent = 0; exponent < width; ++exponent)
    for (int precision : {3, 4, 8, 11, 24, 53}) {
      uint64_t power = uint64_t(1) << exponent;
      add(power);
      for (int below : {precision, precision + 1})
        if (exponent >= below) {
          uint64_t unit = uint64_t(1) << (exponent - below);
          add(power + unit);
          add(power + 3 * unit);
          add(2 * power - unit);
        }
    }
}

/// The bit patterns to cast from.
inline std::vector<uint64_t> castSources(DType dtype) {
  std::set<uint64_t> bits;
  if (getBits(dtype) <= 16)
    for (uint64_t code = 0; code < uint64_t(1) << getBits(dtype); ++code)
      bits.insert(code);
  else if (isFloat(dtype))
    addHardFloats(bits, dtype);
  else
    addHardIntegers(bits, dtype);
  return {bits.begin(), bits.end()};
}

} // namespace tegula

#endif // TEGULA_TEST_IR_CASTCASES_H
