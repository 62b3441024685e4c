// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/TilePatterns.h"

#include "tegula/backends/codegen/TileExtents.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/ops/LowerElements.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

static bool isTileOrTensor(Type type) {
  return isa<pl::TileType, pl::TensorViewType>(type);
}

/// What is not known here would otherwise be left out, or computed as something
/// else.
static LogicalResult refuse(Operation &op) {
  return op.emitError("the target has no rule for '") << op.getName() << "'";
}

/// Scalars of other dialects stay what they are.
static bool isScalarOp(Operation &op) {
  return !isa<pl::PlDialect>(op.getDialect()) && op.getNumRegions() == 0 &&
         !isa<func::CallOp>(op) &&
         llvm::none_of(op.getOperandTypes(), isTileOrTensor) &&
         llvm::none_of(op.getResultTypes(), isTileOrTensor);
}

TilePatterns TilePatterns::ofAllFamilies() {
  TilePatterns patterns;
  addEntryPatterns(patterns);
  addControlPatterns(patterns);
  addTensorPatterns(patterns);
  addMemoryPatterns(patterns);
  addShapePatterns(patterns);
  addReshapeElementsPatterns(patterns);
  addElementPatterns(patterns);
  addReducePatterns(patterns);
  addMatmulPatterns(patterns);
  addRowPatterns(patterns);
  addRankPatterns(patterns);
  addCheckPatterns(patterns);
  return patterns;
}

bool TilePatterns::beginTile(TileLowering &lowering, Operation &op) {
  Value result = op.getResult(0);
  Indices extents = extentsOf(lowering, op);
  lowering.values.setTile(result, {extents, std::nullopt});
  if (!lowering.accumulated.contains(&op))
    return true;
  lowering.values.setMemory(
      result, lowering.tile(op.getOperand(0)).view->shrink(extents));
  return false;
}

bool TilePatterns::lowers(OperationName name) const {
  return patterns.contains(name.getTypeID()) ||
         name.hasInterface<pl::ElementwiseOpInterface>();
}

LogicalResult TilePatterns::lower(TileLowering &lowering, Operation &op) const {
  auto found = patterns.find(op.getName().getTypeID());
  if (found != patterns.end())
    return found->second(lowering, &op);
  if (isa<pl::ElementwiseOpInterface>(op)) {
    if (!isa<pl::TileType>(op.getResult(0).getType()) ||
        beginTile(lowering, op))
      lowerElementwise(lowering, op);
    return success();
  }
  if (!isScalarOp(op))
    return refuse(op);
  lowering.values.clone(lowering.builder, op);
  return success();
}
