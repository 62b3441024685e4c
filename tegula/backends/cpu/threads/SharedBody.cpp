// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/threads/SharedBody.h"

#include "tegula/backends/NarrowFloatsAsIntegers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tegula;

SharedBody::SharedBody(OpBuilder &builder, scf::ParallelOp loop,
                       SymbolTable &symbols)
    : builder(builder), loc(loop.getLoc()),
      after(builder.saveInsertionPoint()) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type index = builder.getIndexType();
  function = func::FuncOp::create(
      loc, (parent.getName() + "_share").str(),
      builder.getFunctionType({pointer, index, index}, {}));
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  symbols.insert(function, std::next(Block::iterator(parent)));
  builder.setInsertionPointToEnd(function.addEntryBlock());
}

static Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

/// Where the function that all of it is in has its memory.
static Operation *findStart(Operation *op) {
  return &op->getParentOfType<func::FuncOp>().getBody().front().front();
}

/// Stores what is used where the builder is, and loads it at the start of the
/// function.
Value SharedBody::makeContext(ArrayRef<Value> used) {
  MLIRContext *context = builder.getContext();
  LLVMTypeConverter converter(context);
  RewritePatternSet unused(context);
  populateNarrowFloatsAsIntegers(converter, unused);
  SmallVector<Type> types;
  for (Value value : used)
    types.push_back(converter.convertType(value.getType()));
  Type frame = LLVM::LLVMStructType::getLiteral(context, types);
  Type pointer = LLVM::LLVMPointerType::get(context);
  OpBuilder outside(findStart(&*builder.getInsertionPoint()));
  Value one = LLVM::ConstantOp::create(outside, loc, outside.getI64Type(), 1);
  Value memory = LLVM::AllocaOp::create(outside, loc, pointer, frame, one);
  OpBuilder inside = OpBuilder::atBlockBegin(&function.getBody().front());
  for (auto [number, value] : llvm::enumerate(used)) {
    LLVM::GEPArg indices[] = {0, static_cast<int32_t>(number)};
    Value to =
        LLVM::GEPOp::create(builder, loc, pointer, frame, memory, indices);
    LLVM::StoreOp::create(builder, loc,
                          castTo(builder, loc, types[number], value), to);
    Value from = LLVM::GEPOp::create(inside, loc, pointer, frame,
                                     function.getArgument(0), indices);
    Value loaded = LLVM::LoadOp::create(inside, loc, types[number], from);
    replaceAllUsesInRegionWith(value,
                               castTo(inside, loc, value.getType(), loaded),
                               function.getBody());
  }
  return memory;
}

std::pair<Value, Value> SharedBody::finish() {
  func::ReturnOp::create(builder, loc);
  builder.restoreInsertionPoint(after);
  llvm::SetVector<Value> seen;
  function.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!function.getBody().isAncestor(operand.getParentRegion()))
        seen.insert(operand);
  });
  SmallVector<Value> used;
  for (Value value : seen) {
    Operation *made = value.getDefiningOp();
    if (!made || !made->hasTrait<OpTrait::ConstantLike>()) {
      used.push_back(value);
      continue;
    }
    OpBuilder inside = OpBuilder::atBlockBegin(&function.getBody().front());
    replaceAllUsesInRegionWith(value, inside.clone(*made)->getResult(0),
                               function.getBody());
  }
  Value memory = makeContext(used);
  Type pointer = memory.getType();
  Value address = func::ConstantOp::create(
      builder, loc, function.getFunctionType(), function.getSymName());
  return {castTo(builder, loc, pointer, address), memory};
}
