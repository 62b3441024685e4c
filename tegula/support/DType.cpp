// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/DType.h"

#include "tegula/support/HalfBytes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace tegula;

static constexpr llvm::StringLiteral names[] = {
    "BOOL",   "INT8",   "INT16",  "INT32",     "INT64",   "UINT8",
    "UINT16", "UINT32", "UINT64", "FP16",      "BF16",    "FP32",
    "FP64",   "INT4",   "UINT4",  "FP8E4M3FN", "FP8E5M2", "INDEX"};

llvm::StringRef tegula::getName(DType dtype) {
  return names[static_cast<unsigned>(dtype)];
}

llvm::StringRef tegula::listDTypeNames() {
  return "BOOL, INT4, INT8, INT16, INT32, INT64, UINT4, UINT8, UINT16, UINT32, "
         "UINT64, FP8E4M3FN, FP8E5M2, FP16, BF16, FP32, FP64";
}

static bool isSameInAnyCase(llvm::StringRef name, llvm::StringRef upper) {
  auto toUpper = [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; };
  return std::equal(name.begin(), name.end(), upper.begin(), upper.end(),
                    [&](char a, char b) { return toUpper(a) == b; });
}

std::optional<DType> tegula::parseDType(llvm::StringRef name) {
  for (unsigned index = 0; index < std::size(names); ++index)
    if (isSameInAnyCase(name, names[index]))
      return static_cast<DType>(index);
  return std::nullopt;
}

IntegerRange tegula::getIntegerRange(DType dtype) {
  assert(!isFloat(dtype) && "only integers have an integer range");
  if (dtype == DType::Bool)
    return {0, 1};
  unsigned bits = getBits(dtype);
  if (isUnsigned(dtype))
    return {0, std::numeric_limits<uint64_t>::max() >> (64 - bits)};
  return {std::numeric_limits<int64_t>::min() >> (64 - bits),
          (uint64_t(1) << (bits - 1)) - 1};
}

namespace {

/// How the bits of a float narrower than FP32 are divided. The greatest
/// exponent holds infinity and NaN; in FP8E4M3FN it holds numbers too, and NaN
/// only where all bits are set.
struct NarrowFormat {
  int exponentBits;
  int fractionBits;
  bool hasInfinity;

  int getBias() const { return (1 << (exponentBits - 1)) - 1; }
  uint64_t getSignBit() const {
    return uint64_t(1) << (exponentBits + fractionBits);
  }
  /// The bits of infinity, or of NaN where there is none.
  uint64_t getTop() const {
    uint64_t all = getSignBit() - 1;
    return hasInfinity ? all >> fractionBits << fractionBits : all;
  }
};

} // namespace

static NarrowFormat formatOf(DType dtype) {
  switch (dtype) {
  case DType::FP16:
    return {5, 10, true};
  case DType::BF16:
    return {8, 7, true};
  case DType::FP8E4M3FN:
    return {4, 3, false};
  default:
    return {5, 2, true};
  }
}

template <typename To, typename From> static To copyBits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// The sign and as much of the fraction of a NaN as there is room for.
static uint64_t narrowNaN(double value, const NarrowFormat &format) {
  if (!format.hasInfinity)
    return format.getTop();
  uint64_t fraction = copyBits<uint64_t>(value) & ((uint64_t(1) << 52) - 1);
  uint64_t quiet = uint64_t(1) << (format.fractionBits - 1);
  return format.getTop() | fraction >> (52 - format.fractionBits) | quiet;
}

static uint64_t narrow(double value, const NarrowFormat &format) {
  uint64_t sign = std::signbit(value) ? format.getSignBit() : 0;
  if (std::isnan(value))
    return sign | narrowNaN(value, format);
  if (std::isinf(value))
    return sign | format.getTop();
  if (value == 0)
    return sign;
  int exponent;
  std::frexp(value, &exponent);
  // The exponent as it is stored; what is smaller than 1 is a subnormal number.
  int stored = std::max(exponent - 1 + format.getBias(), 1);
  double unit = std::ldexp(std::fabs(value),
                           format.fractionBits + format.getBias() - stored);
  if (stored - 1 >= 1 << format.exponentBits)
    return sign | format.getTop();
  // A number that rounds up to the next power of two carries into the exponent.
  uint64_t bits = (uint64_t(stored - 1) << format.fractionBits) +
                  static_cast<uint64_t>(std::nearbyint(unit));
  return sign | std::min(bits, format.getTop());
}

static double widen(uint64_t bits, const NarrowFormat &format) {
  uint64_t rest = bits & (format.getSignBit() - 1);
  double sign = bits & format.getSignBit() ? -1.0 : 1.0;
  if (format.hasInfinity ? rest > format.getTop() : rest == format.getTop())
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (rest == format.getTop())
    return sign * std::numeric_limits<double>::infinity();
  int stored = static_cast<int>(rest >> format.fractionBits);
  uint64_t fraction = rest & ((uint64_t(1) << format.fractionBits) - 1);
  if (stored > 0)
    fraction += uint64_t(1) << format.fractionBits;
  return sign * std::ldexp(static_cast<double>(fraction),
                           std::max(stored, 1) - format.getBias() -
                               format.fractionBits);
}

uint64_t tegula::toFloatBits(double value, DType dtype) {
  assert(isFloat(dtype) && "only floats have float bits");
  if (dtype == DType::FP64)
    return copyBits<uint64_t>(value);
  if (dtype == DType::FP32)
    return copyBits<uint32_t>(static_cast<float>(value));
  return narrow(value, formatOf(dtype));
}

double tegula::fromFloatBits(uint64_t bits, DType dtype) {
  assert(isFloat(dtype) && "only floats have float bits");
  if (dtype == DType::FP64)
    return copyBits<double>(bits);
  if (dtype == DType::FP32)
    return copyBits<float>(static_cast<uint32_t>(bits));
  return widen(bits, formatOf(dtype));
}

template <typename T> static double readAs(const void *element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return static_cast<double>(value);
}

template <typename T> static void writeAs(void *element, double value) {
  T converted = static_cast<T>(value);
  std::memcpy(element, &converted, sizeof(T));
}

double tegula::readElement(const void *element, DType dtype) {
  uint8_t low;
  switch (dtype) {
  case DType::Int4:
  case DType::UInt4:
    low = readHalfByte(element);
    return dtype == DType::Int4 && low > 7 ? low - 16.0 : low;
  case DType::FP8E4M3FN:
  case DType::FP8E5M2:
    std::memcpy(&low, element, sizeof(low));
    return fromFloatBits(low, dtype);
  case DType::Bool:
  case DType::UInt8:
    return readAs<uint8_t>(element);
  case DType::Int8:
    return readAs<int8_t>(element);
  case DType::Int16:
    return readAs<int16_t>(element);
  case DType::Int32:
    return readAs<int32_t>(element);
  case DType::Int64:
  case DType::Index:
    return readAs<int64_t>(element);
  case DType::UInt16:
    return readAs<uint16_t>(element);
  case DType::UInt32:
    return readAs<uint32_t>(element);
  case DType::UInt64:
    return readAs<uint64_t>(element);
  case DType::FP16:
  case DType::BF16: {
    uint16_t bits;
    std::memcpy(&bits, element, sizeof(bits));
    return fromFloatBits(bits, dtype);
  }
  case DType::FP32:
    return readAs<float>(element);
  case DType::FP64:
    return readAs<double>(element);
  }
  std::abort(); // every element type is handled
}

void tegula::writeElement(void *element, DType dtype, double value) {
  switch (dtype) {
  case DType::Bool:
  case DType::UInt8:
    return writeAs<uint8_t>(element, value);
  case DType::Int8:
    return writeAs<int8_t>(element, value);
  case DType::Int4:
  case DType::UInt4:
    return writeHalfByte(element,
                         static_cast<uint8_t>(static_cast<int>(value)));
  case DType::FP8E4M3FN:
  case DType::FP8E5M2: {
    auto bits = static_cast<uint8_t>(toFloatBits(value, dtype));
    std::memcpy(element, &bits, sizeof(bits));
    return;
  }
  case DType::Int16:
    return writeAs<int16_t>(element, value);
  case DType::Int32:
    return writeAs<int32_t>(element, value);
  case DType::Int64:
  case DType::Index:
    return writeAs<int64_t>(element, value);
  case DType::UInt16:
    return writeAs<uint16_t>(element, value);
  case DType::UInt32:
    return writeAs<uint32_t>(element, value);
  case DType::UInt64:
    return writeAs<uint64_t>(element, value);
  case DType::FP16:
  case DType::BF16: {
    uint16_t bits = static_cast<uint16_t>(toFloatBits(value, dtype));
    std::memcpy(element, &bits, sizeof(bits));
    return;
  }
  case DType::FP32:
    return writeAs<float>(element, value);
  case DType::FP64:
    return writeAs<double>(element, value);
  }
}
