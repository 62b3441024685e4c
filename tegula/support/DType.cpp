// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/DType.h"

#include "llvm/ADT/APFloat.h"
#include <cassert>
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

std::optional<DType> tegula::parseDType(llvm::StringRef name) {
  for (unsigned index = 0; index < std::size(names); ++index)
    if (name.equals_insensitive(names[index]))
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

static const llvm::fltSemantics &semanticsOf(DType dtype) {
  switch (dtype) {
  case DType::FP16:
    return llvm::APFloat::IEEEhalf();
  case DType::BF16:
    return llvm::APFloat::BFloat();
  case DType::FP32:
    return llvm::APFloat::IEEEsingle();
  case DType::FP8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case DType::FP8E5M2:
    return llvm::APFloat::Float8E5M2();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

uint64_t tegula::toFloatBits(double value, DType dtype) {
  assert(isFloat(dtype) && "only floats have float bits");
  llvm::APFloat number(value);
  bool losesBits;
  number.convert(semanticsOf(dtype), llvm::APFloat::rmNearestTiesToEven,
                 &losesBits);
  return number.bitcastToAPInt().getZExtValue();
}

double tegula::fromFloatBits(uint64_t bits, DType dtype) {
  assert(isFloat(dtype) && "only floats have float bits");
  unsigned width = 8 * getSize(dtype);
  llvm::APFloat number(semanticsOf(dtype),
                       llvm::APInt(width, bits, /*isSigned=*/false,
                                   /*implicitTrunc=*/true));
  return number.convertToDouble();
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
    std::memcpy(&low, element, sizeof(low));
    low &= 15;
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
  llvm_unreachable("every element type is handled");
}

void tegula::writeElement(void *element, DType dtype, double value) {
  switch (dtype) {
  case DType::Bool:
  case DType::UInt8:
  case DType::UInt4:
    return writeAs<uint8_t>(element, value);
  case DType::Int8:
  case DType::Int4:
    return writeAs<int8_t>(element, value);
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
