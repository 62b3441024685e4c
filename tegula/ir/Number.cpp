// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/Number.h"

#include "tegula/ir/PlDialect.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace tegula;
using namespace tegula::pl;

namespace {

/// A binary float format: significant bits, hidden one included, and the
/// exponents of its least and greatest normal values.
struct Format {
  int precision;
  int leastExponent;
  int greatestExponent;

  double greatest() const {
    return std::ldexp(2.0 - std::ldexp(1.0, 1 - precision), greatestExponent);
  }
};

} // namespace

static Format formatOf(DType dtype) {
  switch (dtype) {
  case DType::FP16:
    return {11, -14, 15};
  case DType::BF16:
    return {8, -126, 127};
  case DType::FP32:
    return {24, -126, 127};
  default:
    return {53, -1022, 1023};
  }
}

static uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static double fromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// 2 to the power of a normal exponent.
static double powerOfTwo(int exponent) {
  return fromBits(static_cast<uint64_t>(exponent + 1023) << 52);
}

static double nearestEven(double value) {
  // Adding and taking away 2^52 leaves no bits behind the point.
  double magic = std::copysign(4503599627370496.0, value);
  return std::fabs(value) < 4503599627370496.0
             ? std::copysign(value + magic - magic, value)
             : value;
}

static double toOdd(double value) {
  double whole = std::trunc(value);
  if (whole == value || std::fmod(whole, 2) != 0)
    return whole;
  return whole + std::copysign(1.0, value);
}

double tegula::pl::roundToIntegral(double value, Rounding mode) {
  switch (mode) {
  case Rounding::Rint:
    return nearestEven(value);
  case Rounding::Round:
    return std::round(value);
  case Rounding::Floor:
    return std::floor(value);
  case Rounding::Ceil:
    return std::ceil(value);
  default:
    return std::trunc(value);
  }
}

/// What a finite value too large for the format becomes.
static double overflow(double value, const Format &format, Rounding mode) {
  bool staysFinite = mode == Rounding::Trunc || mode == Rounding::Odd ||
                     (mode == Rounding::Floor && value > 0) ||
                     (mode == Rounding::Ceil && value < 0);
  return std::copysign(staysFinite ? format.greatest()
                                   : std::numeric_limits<double>::infinity(),
                       value);
}

/// Rounds in units of the last place, which doubles represent exactly.
template <typename RoundUnits>
static double roundToFormat(double value, const Format &format, Rounding mode,
                            RoundUnits roundUnits) {
  int exponent = static_cast<int>(bitsOf(value) >> 52 & 0x7ff) - 1023;
  if (value == 0 || exponent == 1024)
    return value;
  if (exponent > format.greatestExponent)
    return overflow(value, format, mode);
  int unit = std::max(exponent, format.leastExponent) - (format.precision - 1);
  double rounded = roundUnits(value * powerOfTwo(-unit)) * powerOfTwo(unit);
  if (std::fabs(rounded) > format.greatest())
    return overflow(value, format, mode);
  return rounded;
}

double tegula::pl::roundToFloat(double value, DType dtype) {
  if (dtype == DType::FP64)
    return value;
  if (dtype == DType::FP32)
    return static_cast<float>(value);
  return roundToFormat(value, formatOf(dtype), Rounding::Rint, nearestEven);
}

double tegula::pl::roundToFloat(double value, DType dtype, Rounding mode) {
  if (dtype == DType::FP64 || mode == Rounding::None || mode == Rounding::Rint)
    return roundToFloat(value, dtype);
  if (mode == Rounding::Odd)
    return roundToFormat(value, formatOf(dtype), mode, toOdd);
  return roundToFormat(value, formatOf(dtype), mode, [mode](double units) {
    return roundToIntegral(units, mode);
  });
}

/// The bits of a value that a 16-bit format holds exactly.
static uint16_t encodeHalf(double value, DType dtype) {
  Format format = formatOf(dtype);
  int fraction = format.precision - 1;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  auto allOnes = static_cast<uint16_t>(0x7fff >> fraction << fraction);
  if (std::isnan(value))
    return sign | allOnes | static_cast<uint16_t>(1 << (fraction - 1));
  if (std::isinf(value))
    return sign | allOnes;
  double magnitude = std::fabs(value);
  if (magnitude < powerOfTwo(format.leastExponent))
    return sign | static_cast<uint16_t>(
                      magnitude * powerOfTwo(fraction - format.leastExponent));
  uint64_t bits = bitsOf(magnitude);
  uint64_t exponent = (bits >> 52) - 1023 + format.greatestExponent;
  uint64_t mantissa = bits >> (52 - fraction) & ((1u << fraction) - 1);
  return sign | static_cast<uint16_t>(exponent << fraction | mantissa);
}

static double decodeHalf(uint16_t bits, DType dtype) {
  Format format = formatOf(dtype);
  int fraction = format.precision - 1;
  int exponent = (bits & 0x7fff) >> fraction;
  uint64_t mantissa = bits & ((1u << fraction) - 1);
  double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 2 * format.greatestExponent + 1)
    return mantissa
               ? std::copysign(std::numeric_limits<double>::quiet_NaN(), sign)
               : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0)
    return sign * static_cast<double>(mantissa) *
           powerOfTwo(format.leastExponent - fraction);
  uint64_t wide = exponent - format.greatestExponent + 1023;
  return sign * fromBits(wide << 52 | mantissa << (52 - fraction));
}

Number Number::ofBits(DType dtype, uint64_t bits) {
  if (!isFloat(dtype))
    return ofInteger(dtype, static_cast<int64_t>(bits));
  Slot slot;
  if (dtype == DType::FP64) {
    slot.real = fromBits(bits);
  } else if (dtype == DType::FP32) {
    float value;
    auto low = static_cast<uint32_t>(bits);
    std::memcpy(&value, &low, sizeof(value));
    slot.real = value;
  } else {
    slot.real = decodeHalf(static_cast<uint16_t>(bits), dtype);
  }
  return Number(dtype, slot);
}

uint64_t Number::getBits() const {
  if (!isReal())
    return getUnsigned();
  if (dtype == DType::FP64)
    return bitsOf(slot.real);
  if (dtype != DType::FP32)
    return encodeHalf(slot.real, dtype);
  auto value = static_cast<float>(slot.real);
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

Number Number::read(DType dtype, const void *address) {
  // Little-endian hosts only: the low bytes of `bits` are the element.
  uint64_t bits = 0;
  std::memcpy(&bits, address, getSize(dtype));
  return dtype == DType::Bool ? ofBool(bits != 0) : ofBits(dtype, bits);
}

void Number::write(void *address) const {
  uint64_t bits = getBits();
  std::memcpy(address, &bits, getSize(dtype));
}

int64_t Number::getSigned() const {
  if (dtype == DType::Bool)
    return -getInteger();
  unsigned unused = 64 - getWidth();
  return static_cast<int64_t>(static_cast<uint64_t>(getInteger()) << unused) >>
         unused;
}

uint64_t Number::getUnsigned() const {
  unsigned unused = 64 - getWidth();
  return static_cast<uint64_t>(getInteger()) << unused >> unused;
}

/// Saturates at the ends of the type and turns NaN into 0.
static int64_t toInteger(double value, DType to, Rounding mode) {
  double rounded = roundToIntegral(value, mode);
  if (std::isnan(rounded))
    return 0;
  IntegerRange range = getIntegerRange(to);
  // One above the greatest value is a power of two, hence exact.
  double above = std::ldexp(1.0, 8 * getSize(to) - (isUnsigned(to) ? 0 : 1));
  if (rounded >= above)
    return static_cast<int64_t>(range.high);
  if (rounded < static_cast<double>(range.low))
    return range.low;
  return isUnsigned(to) ? static_cast<int64_t>(static_cast<uint64_t>(rounded))
                        : static_cast<int64_t>(rounded);
}

/// Rounds once: beyond 2^53 the bits that a double cannot hold are folded into
/// one that it can, which decides no tie of a narrower format wrongly.
static double toReal(int64_t integer, bool isUnsignedValue, DType to) {
  auto convert = [&](int64_t value) {
    return isUnsignedValue ? static_cast<double>(static_cast<uint64_t>(value))
                           : static_cast<double>(value);
  };
  bool isExact = isUnsignedValue
                     ? static_cast<uint64_t>(integer) >> 53 == 0
                     : (integer >> 53) + 1 <= 1 && (integer >> 53) + 1 >= 0;
  if (to == DType::FP64 || isExact)
    return convert(integer);
  constexpr int64_t folded = 0xfff;
  bool losesBits = (integer & folded) != 0;
  return convert((integer & ~folded) | (losesBits ? 0x800 : 0));
}

Number Number::cast(DType to, Rounding mode) const {
  if (to == dtype)
    return *this;
  if (to == DType::Bool)
    return ofBool(isReal() ? slot.real != 0 : slot.integer != 0);
  if (!isReal())
    return isFloat(to)
               ? ofReal(to, toReal(slot.integer, isUnsignedInteger(), to))
               : ofInteger(to, slot.integer);
  if (!isFloat(to))
    return ofInteger(to, toInteger(slot.real, to, mode));
  Slot result;
  result.real = roundToFloat(slot.real, to, mode);
  return Number(to, result);
}
