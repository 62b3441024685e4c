// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/PassedType.h"

using namespace tegula;

DType tegula::getPassedType(DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return DType::Int32;
  case DType::Int4:
    return DType::Int8;
  case DType::UInt4:
    return DType::UInt8;
  case DType::Index:
    return DType::Int64;
  case DType::FP16:
  case DType::BF16:
  case DType::FP8E4M3FN:
  case DType::FP8E5M2:
    return DType::FP32;
  default:
    return dtype;
  }
}
