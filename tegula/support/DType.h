// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The element types of tensors and scalars, with their names in the language
/// and in .npy files, and the conversion of single elements.

#ifndef TEGULA_SUPPORT_DTYPE_H
#define TEGULA_SUPPORT_DTYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace tegula {

/// An element type. The numbers are those of the C interface. Index is the type
/// of extents: a signed 64-bit integer.
enum class DType : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  FP16,
  BF16,
  FP32,
  FP64,
  Int4,
  UInt4,
  FP8E4M3FN,
  FP8E5M2,
  Index
};

/// The name in the language without its `pl.`, e.g. "FP32".
llvm::StringRef getName(DType dtype);

/// The type with that name, in any case; nothing if there is none.
std::optional<DType> parseDType(llvm::StringRef name);

/// Every name, for messages: "BOOL, INT8, ...".
llvm::StringRef listDTypeNames();

/// Bytes from one element to the next; a Bool takes one byte that is 0 or 1.
/// Addresses of 4-bit integers also differ by 1, see HalfBytes.h.
constexpr unsigned getSize(DType dtype) {
  switch (dtype) {
  case DType::Bool:
  case DType::Int8:
  case DType::UInt8:
  case DType::Int4:
  case DType::UInt4:
  case DType::FP8E4M3FN:
  case DType::FP8E5M2:
    return 1;
  case DType::Int16:
  case DType::UInt16:
  case DType::FP16:
  case DType::BF16:
    return 2;
  case DType::Int32:
  case DType::UInt32:
  case DType::FP32:
    return 4;
  default:
    return 8;
  }
}

/// Bits that count in one element: 1 for Bool, 4 for Int4 and UInt4.
constexpr unsigned getBits(DType dtype) {
  if (dtype == DType::Bool)
    return 1;
  bool isHalfByte = dtype == DType::Int4 || dtype == DType::UInt4;
  return isHalfByte ? 4 : 8 * getSize(dtype);
}

/// True for the 8-bit floats, FP16, BF16, FP32 and FP64.
constexpr bool isFloat(DType dtype) {
  return (dtype >= DType::FP16 && dtype <= DType::FP64) ||
         dtype == DType::FP8E4M3FN || dtype == DType::FP8E5M2;
}

/// True for UInt4 to UInt64.
constexpr bool isUnsigned(DType dtype) {
  return (dtype >= DType::UInt8 && dtype <= DType::UInt64) ||
         dtype == DType::UInt4;
}

/// The least and the greatest value of an integer type or Bool.
struct IntegerRange {
  int64_t low;
  uint64_t high;
};
IntegerRange getIntegerRange(DType dtype);

/// The bits of `value` rounded to nearest even, in the low bits of the result;
/// `dtype` is a float type. What is too large becomes infinite, or NaN in
/// FP8E4M3FN, which has no infinity.
uint64_t toFloatBits(double value, DType dtype);

/// The value of the float whose bits are the low bits of `bits`.
double fromFloatBits(uint64_t bits, DType dtype);

/// The element at `element`, which needs no alignment. INT64 and UINT64 values
/// beyond 2^53 are rounded.
double readElement(const void *element, DType dtype);

/// Stores `value` at `element`; it must fit an integer type.
void writeElement(void *element, DType dtype, double value);

} // namespace tegula

#endif // TEGULA_SUPPORT_DTYPE_H
