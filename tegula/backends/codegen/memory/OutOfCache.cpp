// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/memory/OutOfCache.h"

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/memory/StreamedStores.h"
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

Value OutOfCache::isStreamed(pl::StoreOp store) {
  const Placement &placement = lowering.plan.placement;
  Value tensor = lowering.steps ? Value() : findStreamedTensor(store);
  bool isInMemory = placement.getBuffer(store.getTile()).has_value();
  if (!tensor ||
      (!isInMemory && isComputedSlowly(store.getTile(), lowering.plan)))
    return Value();
  auto [known, isNew] = stored.try_emplace(tensor);
  if (isNew)
    known->second = exceedsCaches(tensor);
  return known->second;
}

Value OutOfCache::isOutOfCache(Value tile) {
  auto load = tile.getDefiningOp<pl::LoadOp>();
  if (lowering.steps || !load)
    return Value();
  auto root = dyn_cast_or_null<BlockArgument>(rootOfView(load.getSource()));
  if (!root || !isa<func::FuncOp>(root.getOwner()->getParentOp()))
    return Value();
  auto [known, isNew] = read.try_emplace(root);
  if (isNew)
    known->second = exceedsCaches(root);
  return known->second;
}

/// Null if some cache holds the argument at any size.
Value OutOfCache::exceedsCaches(Value argument) {
  const View &whole = lowering.view(argument);
  Location loc = argument.getLoc();
  OpBuilder &builder = lowering.builder;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(lowering.scratch.getStart());
  IndexMath math(builder, loc);
  OpFoldResult bytes = math.constant(whole.element.getIntOrFloatBitWidth() / 8);
  for (OpFoldResult size : whole.sizes)
    bytes = math.mul(bytes, size);
  int64_t least = lowering.target.getLeastStreamed();
  std::optional<int64_t> number = IndexMath::number(bytes);
  if (number && *number < least)
    return Value();
  Value given = math.value(bytes);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, given,
                               math.value(math.constant(least)));
}

void OutOfCache::fenceStores(Location loc) {
  OpBuilder &builder = lowering.builder;
  for (auto [tensor, isStreamed] : stored) {
    if (!isStreamed)
      continue;
    auto branch = scf::IfOp::create(builder, loc, isStreamed,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst,
                          /*syncscope=*/"");
  }
}
