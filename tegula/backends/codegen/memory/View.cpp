// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/memory/View.h"

#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tegula;

Type tegula::signlessType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

Value tegula::fromMemory(OpBuilder &builder, Location loc, Value element,
                         Type wanted) {
  if (element.getType() == wanted)
    return element;
  if (isa<FloatType>(wanted))
    return arith::TruncFOp::create(builder, loc, wanted, element);
  if (!wanted.isInteger(1))
    return arith::TruncIOp::create(builder, loc, wanted, element);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(element.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, element,
                               zero);
}

Value tegula::toMemory(OpBuilder &builder, Location loc, Value element,
                       Type wanted, bool isSigned) {
  if (element.getType() == wanted)
    return element;
  if (isa<FloatType>(wanted))
    return arith::ExtFOp::create(builder, loc, wanted, element);
  if (isSigned)
    return arith::ExtSIOp::create(builder, loc, wanted, element);
  return arith::ExtUIOp::create(builder, loc, wanted, element);
}

Type tegula::tensorElement(Type element) {
  return isHalfByteInTensors(element)
             ? IntegerType::get(element.getContext(), 4)
             : memoryType(element);
}

View View::shrink(ArrayRef<OpFoldResult> extents) const {
  View view = *this;
  view.sizes.assign(extents.begin(), extents.end());
  return view;
}

View View::window(IndexMath math, ArrayRef<OpFoldResult> offsets,
                  ArrayRef<OpFoldResult> extents) const {
  View view = shrink(extents);
  for (auto [start, stride] : llvm::zip(offsets, strides))
    view.offset = math.add(view.offset, math.mul(start, stride));
  return view;
}

View View::axes(ArrayRef<unsigned> kept) const {
  View view{base, element, offset, {}, {}, slot, streams};
  for (unsigned axis : kept) {
    view.sizes.push_back(sizes[axis]);
    view.strides.push_back(strides[axis]);
  }
  return view;
}

bool View::hasUnitInnerStride() const {
  return strides.empty() || IndexMath::number(strides.back()) == 1;
}

/// A memref of rank 0 at the pointer: what the element's address becomes once
/// memrefs are lowered, so both casts fold away.
static Value memRefAt(OpBuilder &builder, Location loc, Value pointer,
                      Type element) {
  auto type = MemRefType::get({}, element);
  LLVMTypeConverter converter(builder.getContext());
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, pointer);
  descriptor.setAlignedPtr(builder, loc, pointer);
  descriptor.setConstantOffset(builder, loc, 0);
  Value value = descriptor;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

Value View::asMemRef(OpBuilder &builder, Location loc) const {
  assert(!isHalfBytes() && "half bytes have no memref");
  Value start = memRefAt(builder, loc, base, element);
  return memref::ReinterpretCastOp::create(builder, loc, start, offset, sizes,
                                           strides);
}

Value View::asPointer(OpBuilder &builder, Location loc) const {
  if (IndexMath::number(offset) == 0)
    return base;
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                 IndexMath(builder, loc).value(offset));
  // LLVM steps over bytes where it does not know the type; half bytes are
  // numbered as if they were bytes.
  bool isStepped = LLVM::isCompatibleType(element) && !isHalfBytes();
  Type stepped = isStepped ? element : builder.getI8Type();
  return LLVM::GEPOp::create(builder, loc, base.getType(), stepped, base,
                             ValueRange{number});
}

View tegula::contiguousView(Value pointer, Type element,
                            ArrayRef<int64_t> shape) {
  Builder builder(pointer.getContext());
  View view{pointer,
            memoryType(element),
            builder.getIndexAttr(0),
            {},
            Indices(shape.size())};
  int64_t stride = 1;
  for (int64_t extent : shape)
    view.sizes.push_back(builder.getIndexAttr(extent));
  for (size_t axis = shape.size(); axis-- > 0;) {
    view.strides[axis] = builder.getIndexAttr(stride);
    // What is too large to exist is refused before it is used.
    if (llvm::MulOverflow(stride, std::max<int64_t>(1, shape[axis]), stride))
      stride = std::numeric_limits<int64_t>::max();
  }
  return view;
}
