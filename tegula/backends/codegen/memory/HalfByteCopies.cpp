// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/memory/HalfByteCopies.h"

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static Value i64Constant(OpBuilder &builder, Location loc, uint64_t number) {
  return arith::ConstantIntOp::create(builder, loc,
                                      static_cast<int64_t>(number), 64);
}

Value tegula::halfByteAt(OpBuilder &builder, Location loc, Value pointer) {
  Type i64 = builder.getI64Type();
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointer);
  Value twice = arith::ShLIOp::create(builder, loc, address,
                                      i64Constant(builder, loc, 1));
  Value marked = arith::OrIOp::create(builder, loc, twice,
                                      i64Constant(builder, loc, halfByteMark));
  return LLVM::IntToPtrOp::create(builder, loc, pointer.getType(), marked);
}

Value tegula::readHalfByte(OpBuilder &builder, Location loc, Value half) {
  Type i64 = builder.getI64Type(), i8 = builder.getI8Type();
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, half);
  Value unmarked = arith::ShLIOp::create(builder, loc, address,
                                         i64Constant(builder, loc, 1));
  Value shifted = arith::ShRUIOp::create(builder, loc, unmarked,
                                         i64Constant(builder, loc, 2));
  Value pointer =
      LLVM::IntToPtrOp::create(builder, loc, half.getType(), shifted);
  Value byte = LLVM::LoadOp::create(builder, loc, i8, pointer);
  Value isHigh = arith::AndIOp::create(builder, loc, address,
                                       i64Constant(builder, loc, 1));
  Value bits =
      arith::ShLIOp::create(builder, loc, isHigh, i64Constant(builder, loc, 2));
  Value shift = arith::TruncIOp::create(builder, loc, i8, bits);
  Value low = arith::ShRUIOp::create(builder, loc, byte, shift);
  return arith::TruncIOp::create(builder, loc, builder.getIntegerType(4), low);
}

/// The sizes of a copy, then the strides of where it goes, then of where it is
/// from.
static Indices shapeOfCopy(const View &target, const View &origin) {
  Indices numbers = origin.sizes;
  llvm::append_range(numbers, target.strides);
  llvm::append_range(numbers, origin.strides);
  return numbers;
}

void tegula::loadHalfBytes(TileLowering &lowering, const View &target,
                           const View &source, bool isSigned, Location loc) {
  OpBuilder &builder = lowering.builder;
  ScratchScope scope(lowering.scratch);
  UnitScope unit(lowering.steps, loc);
  lowering.steps.read(source);
  lowering.steps.write(target.shrink(source.sizes));
  Value shape = lowering.scratch.storeNumbers(shapeOfCopy(target, source), loc);
  lowering.calls.call(
      routine::tegulaLoadHalfBytes, {},
      {target.asPointer(builder, loc), source.asPointer(builder, loc),
       i64Constant(builder, loc, target.getRank()), shape,
       arith::ConstantIntOp::create(builder, loc, isSigned, 32)},
      loc);
}

void tegula::storeHalfBytes(TileLowering &lowering, const View &target,
                            const View &source, Location loc) {
  OpBuilder &builder = lowering.builder;
  ScratchScope scope(lowering.scratch);
  UnitScope unit(lowering.steps, loc);
  lowering.steps.read(source);
  lowering.steps.write(target);
  Value shape = lowering.scratch.storeNumbers(shapeOfCopy(target, source), loc);
  lowering.calls.call(routine::tegulaStoreHalfBytes, {},
                      {target.asPointer(builder, loc),
                       source.asPointer(builder, loc),
                       i64Constant(builder, loc, target.getRank()), shape},
                      loc);
}

void tegula::writeHalfByte(TileLowering &lowering, const View &target,
                           Value element, Location loc) {
  OpBuilder &builder = lowering.builder;
  Value bits =
      arith::ExtUIOp::create(builder, loc, builder.getI32Type(), element);
  lowering.calls.call(routine::tegulaWriteHalfByte, {},
                      {target.asPointer(builder, loc), bits}, loc);
}
