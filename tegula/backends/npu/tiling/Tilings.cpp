// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/tiling/Tilings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

static void hide(func::FuncOp function) {
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(function->getContext(), LLVM::Linkage::Internal));
}

/// `if (number == 0) way0(); else if (number == 1) way1(); ...`, the last one
/// for whatever else there is.
static void callChosen(OpBuilder &builder, Location loc,
                       ArrayRef<func::FuncOp> ways, Value number,
                       ValueRange arguments) {
  for (auto [index, way] : llvm::enumerate(ways)) {
    if (index + 1 == ways.size()) {
      func::CallOp::create(builder, loc, way, arguments);
      return;
    }
    Value own = arith::ConstantIntOp::create(builder, loc, index, 64);
    Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        number, own);
    auto branch =
        scf::IfOp::create(builder, loc, isOwn, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    func::CallOp::create(builder, loc, way, arguments);
    builder.setInsertionPointToStart(branch.elseBlock());
  }
}

void tegula::dispatchTilings(ModuleOp module, int64_t numSlots) {
  SmallVector<func::FuncOp> ways;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(tilingOfAttrName))
      ways.push_back(function);
  if (ways.empty())
    return;
  Location loc = ways.front().getLoc();
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto name = ways.front()->getAttrOfType<StringAttr>(tilingOfAttrName);
  auto kernel = func::FuncOp::create(builder, loc, name.getValue(),
                                     ways.front().getFunctionType());
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Value slots = entry->getArgument(0);
  Value address = LLVM::GEPOp::create(
      builder, loc, slots.getType(), builder.getI64Type(), slots,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(numSlots)});
  Value number =
      LLVM::LoadOp::create(builder, loc, builder.getI64Type(), address);
  callChosen(builder, loc, ways, number, entry->getArguments());
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, loc);
  for (func::FuncOp way : ways)
    hide(way);
}
