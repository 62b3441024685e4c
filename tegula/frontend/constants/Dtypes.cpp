// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/Dtypes.h"
#include "mlir/IR/Builders.h"
#include "tegula/ir/ops/PlDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;

mlir::Type tegula::toType(mlir::MLIRContext *context, DType dtype) {
  mlir::Builder builder(context);
  switch (dtype) {
  case DType::Bool:
    return builder.getI1Type();
  case DType::Int4:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64:
    return builder.getIntegerType(getBits(dtype));
  case DType::UInt4:
  case DType::UInt8:
  case DType::UInt16:
  case DType::UInt32:
  case DType::UInt64:
    return builder.getIntegerType(getBits(dtype), /*isSigned=*/false);
  case DType::FP8E4M3FN:
    return mlir::Float8E4M3FNType::get(context);
  case DType::FP8E5M2:
    return mlir::Float8E5M2Type::get(context);
  case DType::FP16:
    return builder.getF16Type();
  case DType::BF16:
    return builder.getBF16Type();
  case DType::FP32:
    return builder.getF32Type();
  case DType::FP64:
    return builder.getF64Type();
  case DType::Index:
    return builder.getIndexType();
  }
  llvm_unreachable("a dtype has a type");
}

DType tegula::toDType(mlir::Type type) {
  for (unsigned i = 0; i < static_cast<unsigned>(DType::Index); ++i) {
    auto dtype = static_cast<DType>(i);
    if (toType(type.getContext(), dtype) == type)
      return dtype;
  }
  assert(type.isIndex() && "no other scalar types exist");
  return DType::Index;
}

std::string tegula::dtypeName(mlir::Type type) {
  return getName(toDType(type)).str();
}

llvm::StringRef tegula::whyDtypeIsRefused(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("FP8E8M0",
            "a scale without a sign or a fraction is no number here; "
            "hold its bits in UINT8, or use FP8E5M2 or FP8E4M3FN")
      .Case("HF8", "this 8-bit float is a vendor's own; use FP8E4M3FN or "
                   "FP8E5M2")
      .Cases({"FP4", "HF4"}, "4-bit floats are not supported; use FP8E4M3FN, "
                             "FP8E5M2 or FP16, or hold their bits in UINT4")
      .Default("");
}

mlir::Type tegula::promote(mlir::Type lhs, mlir::Type rhs) {
  if (lhs == rhs)
    return lhs;
  auto rank = [](mlir::Type type) {
    if (pl::isFloat(type))
      return 3;
    if (type.isIndex())
      return 2;
    return pl::isBool(type) ? 0 : 1;
  };
  if (rank(lhs) != rank(rhs))
    return rank(lhs) > rank(rhs) ? lhs : rhs;
  unsigned left = lhs.getIntOrFloatBitWidth();
  unsigned right = rhs.getIntOrFloatBitWidth();
  if (left != right)
    return left > right ? lhs : rhs;
  if (pl::isFloat(lhs))
    return mlir::Float32Type::get(lhs.getContext());
  return pl::isUnsigned(lhs) ? rhs : lhs;
}
