// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/Scalar.h"

#include "tegula/support/HalfBytes.h"

#include "tegula/ir/ops/PlDialect.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace tegula;
using namespace tegula::pl;

namespace {

/// A binary float format: significant bits, hidden one included, the exponents
/// of its least and greatest normal values, and whether the codes beyond are
/// infinity and NaN. If not, only the very last code is NaN.
struct Format {
  int precision;
  int leastExponent;
  int greatestExponent;
  bool hasInfinity = true;

  double greatest() const {
    int lost = hasInfinity ? 1 : 2;
    return std::ldexp(2.0 - std::ldexp(1.0, lost - precision),
                      greatestExponent);
  }
  double beyond() const {
    return hasInfinity ? std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
  }
};

} // namespace

static Format formatOf(DType dtype) {
  switch (dtype) {
  case DType::FP8E4M3FN:
    return {4, -6, 8, /*hasInfinity=*/false};
  case DType::FP8E5M2:
    return {3, -14, 15};
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
  return std::copysign(staysFinite ? format.greatest() : format.beyond(),
                       value);
}

/// Rounds in units of the last place, which doubles represent exactly.
template <typename RoundUnits>
static double roundToFormat(double value, const Format &format, Rounding mode,
                            RoundUnits roundUnits) {
  int exponent = static_cast<int>(bitsOf(value) >> 52 & 0x7ff) - 1023;
  if (std::isinf(value))
    return std::copysign(format.beyond(), value);
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

double tegula::pl::getLargest(DType dtype) {
  Format format = formatOf(dtype);
  return format.hasInfinity ? format.beyond() : format.greatest();
}

/// The exponent field is this much above the exponent.
static int biasOf(const Format &format) { return 1 - format.leastExponent; }

/// The bits of a value that a format of 8 or 16 bits holds exactly.
static uint16_t encodeNarrow(double value, DType dtype) {
  Format format = formatOf(dtype);
  int fraction = format.precision - 1;
  unsigned signBit = 1u << (getBits(dtype) - 1);
  auto sign = static_cast<uint16_t>(std::signbit(value) ? signBit : 0);
  auto allOnes = static_cast<uint16_t>((signBit - 1) >> fraction << fraction);
  if (std::isnan(value))
    return sign | (format.hasInfinity
                       ? allOnes | static_cast<uint16_t>(1 << (fraction - 1))
                       : static_cast<uint16_t>(signBit - 1));
  if (std::isinf(value))
    return sign | allOnes;
  double magnitude = std::fabs(value);
  if (magnitude < powerOfTwo(format.leastExponent))
    return sign | static_cast<uint16_t>(
                      magnitude * powerOfTwo(fraction - format.leastExponent));
  uint64_t bits = bitsOf(magnitude);
  uint64_t exponent = (bits >> 52) - 1023 + biasOf(format);
  uint64_t mantissa = bits >> (52 - fraction) & ((1u << fraction) - 1);
  return sign | static_cast<uint16_t>(exponent << fraction | mantissa);
}

static double decodeNarrow(uint16_t bits, DType dtype) {
  Format format = formatOf(dtype);
  int fraction = format.precision - 1;
  unsigned signBit = 1u << (getBits(dtype) - 1);
  unsigned magnitude = bits & (signBit - 1);
  int exponent = static_cast<int>(magnitude >> fraction);
  uint64_t mantissa = bits & ((1u << fraction) - 1);
  double sign = bits & signBit ? -1.0 : 1.0;
  bool isNaN = format.hasInfinity
                   ? magnitude > (signBit - 1) >> fraction << fraction
                   : magnitude == signBit - 1;
  if (isNaN)
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (exponent > format.greatestExponent + biasOf(format))
    return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0)
    return sign * static_cast<double>(mantissa) *
           powerOfTwo(format.leastExponent - fraction);
  uint64_t wide = exponent - biasOf(format) + 1023;
  return sign * fromBits(wide << 52 | mantissa << (52 - fraction));
}

Scalar Scalar::ofBits(DType dtype, uint64_t bits) {
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
    slot.real = decodeNarrow(static_cast<uint16_t>(bits), dtype);
  }
  return Scalar(dtype, slot);
}

uint64_t Scalar::getBits() const {
  if (!isReal())
    return getUnsigned();
  if (dtype == DType::FP64)
    return bitsOf(slot.real);
  if (dtype != DType::FP32)
    return encodeNarrow(slot.real, dtype);
  auto value = static_cast<float>(slot.real);
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

Scalar Scalar::read(DType dtype, const void *address) {
  // Little-endian hosts only: the low bytes of `bits` are the element.
  uint64_t bits = 0;
  if (isHalfByte(dtype))
    bits = readHalfByte(address);
  else
    std::memcpy(&bits, address, getSize(dtype));
  return dtype == DType::Bool ? ofBool(bits != 0) : ofBits(dtype, bits);
}

void Scalar::write(void *address) const {
  uint64_t bits = getBits();
  if (isHalfByte(dtype))
    writeHalfByte(address, static_cast<uint8_t>(bits));
  else
    std::memcpy(address, &bits, getSize(dtype));
}

int64_t Scalar::getSigned() const {
  if (dtype == DType::Bool)
    return -getInteger();
  unsigned unused = 64 - getWidth();
  return static_cast<int64_t>(static_cast<uint64_t>(getInteger()) << unused) >>
         unused;
}

uint64_t Scalar::getUnsigned() const {
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
  double above =
      std::ldexp(1.0, tegula::getBits(to) - (isUnsigned(to) ? 0 : 1));
  if (rounded >= above)
    return static_cast<int64_t>(range.high);
  if (rounded < static_cast<double>(range.low))
    return range.low;
  return isUnsigned(to) ? static_cast<int64_t>(static_cast<uint64_t>(rounded))
                        : static_cast<int64_t>(rounded);
}

/// A 64-bit magnitude as a double, rounded as the mode says.
static double magnitudeToReal(uint64_t magnitude, bool isNegative,
                              Rounding mode) {
  int lost = 0;
  while (magnitude >> lost >= uint64_t(1) << 53)
    ++lost;
  uint64_t kept = magnitude >> lost;
  uint64_t rest = magnitude - (kept << lost);
  uint64_t half = lost == 0 ? 1 : uint64_t(1) << (lost - 1);
  bool goesAway = false;
  switch (mode) {
  case Rounding::None:
  case Rounding::Rint:
    goesAway = rest > half || (rest == half && kept % 2 == 1);
    break;
  case Rounding::Round:
    goesAway = rest >= half;
    break;
  case Rounding::Floor:
    goesAway = isNegative && rest != 0;
    break;
  case Rounding::Ceil:
    goesAway = !isNegative && rest != 0;
    break;
  case Rounding::Trunc:
    break;
  case Rounding::Odd:
    goesAway = rest != 0 && kept % 2 == 0;
    break;
  }
  double rounded = std::ldexp(static_cast<double>(kept + goesAway), lost);
  return isNegative ? -rounded : rounded;
}

/// Rounds once: on the way to a narrower type an integer is rounded to odd,
/// which decides no later rounding wrongly.
static double toReal(Scalar number, DType to, Rounding mode) {
  bool isNegative = !number.isUnsignedInteger() && number.getInteger() < 0;
  auto magnitude = static_cast<uint64_t>(number.getInteger());
  if (isNegative)
    magnitude = -magnitude;
  if (to == DType::FP64)
    return magnitudeToReal(magnitude, isNegative, mode);
  return roundToFloat(magnitudeToReal(magnitude, isNegative, Rounding::Odd), to,
                      mode);
}

Scalar Scalar::cast(DType to, Rounding mode) const {
  if (to == dtype)
    return *this;
  if (to == DType::Bool)
    return ofBool(isReal() ? slot.real != 0 : slot.integer != 0);
  if (!isReal() && !isFloat(to))
    return ofInteger(to, slot.integer);
  if (!isFloat(to))
    return ofInteger(to, toInteger(slot.real, to, mode));
  Slot result;
  result.real =
      isReal() ? roundToFloat(slot.real, to, mode) : toReal(*this, to, mode);
  return Scalar(to, result);
}
