// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/ir/ops/AtomicAttribute.h"
#include "tegula/ir/ops/EntryAttributes.h"
#include "tegula/ir/ops/LoopAttributes.h"

#include "tegula/ir/ops/PlRankOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::pl;

#include "tegula/ir/ops/Pl_dialect.cpp.inc"

#include "tegula/ir/ops/Pl_enum.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tegula/ir/ops/Pl_attrdef.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tegula/ir/ops/Pl_typedef.cpp.inc"

#include "tegula/ir/ops/Pl_interface.cpp.inc"

namespace {

/// Every op of the dialect may be inlined anywhere.
struct PlInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
};

} // namespace

void PlDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/ops/Pl_op.cpp.inc"
      >();
  addIndexOps();
  addRequireOps();
  addRankOps();
  addSortOps();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tegula/ir/ops/Pl_typedef.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tegula/ir/ops/Pl_attrdef.cpp.inc"
      >();
  addInterfaces<PlInlinerInterface>();
}

Operation *PlDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult PlDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == resultsAttrName) {
    if (isa<FunctionOpInterface>(op) &&
        isa<DenseI64ArrayAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.results' must be numbers of a function's "
                         "arguments, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == debugAttrName ||
      attribute.getName() == strictAttrName) {
    if (isa<FunctionOpInterface>(op) && isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitError("'") << attribute.getName().getValue()
                              << "' is a unit attribute of a function, got "
                              << attribute.getValue();
  }
  if (attribute.getName() == levelAttrName) {
    if (isa<FunctionOpInterface>(op) && isa<LevelAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.level' is a #pl.level of a function, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == roleAttrName) {
    if (isa<FunctionOpInterface>(op) && isa<StringAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.role' is a string of a function, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == madeAttrName ||
      attribute.getName() == saidAttrName ||
      attribute.getName() == fitsRowsAttrName) {
    if (isa<LoopLikeOpInterface>(op) && isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitError("'")
           << attribute.getName().getValue()
           << "' is a unit attribute of a loop, got " << attribute.getValue();
  }
  if (attribute.getName() == atomicAttrName ||
      attribute.getName() == lockedAttrName) {
    if (isa<LoadOp, ReadOp, StoreOp, WriteOp>(op) &&
        isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitError("'") << attribute.getName().getValue()
                              << "' is a unit attribute of what reads or "
                                 "writes memory, got "
                              << attribute.getValue();
  }
  if (attribute.getName() == sharedAttrName) {
    if (isa<CreateTensorOp>(op) && isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.shared' is a unit attribute of a tensor that is "
                         "made, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == stagesAttrName) {
    auto stages = dyn_cast<IntegerAttr>(attribute.getValue());
    if (isa<LoopLikeOpInterface>(op) && stages && stages.getInt() > 0)
      return success();
    return op->emitError("'pl.stages' is a positive number of a loop, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == spaceAttrName) {
    if (op->getNumResults() == 1 &&
        isa<TileType, TensorViewType>(op->getResult(0).getType()) &&
        isa<MemorySpaceAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.space' is the memory of a tensor or a tile, got ")
           << attribute.getValue();
  }
  if (attribute.getName() != kindAttrName)
    return op->emitError("unknown pl attribute '")
           << attribute.getName().getValue() << "'";
  if (!isa<FunctionOpInterface>(op))
    return op->emitError("'pl.kind' belongs on a function");
  if (!isa<FunctionKindAttr>(attribute.getValue()))
    return op->emitError("'pl.kind' must be a #pl.kind, got ")
           << attribute.getValue();
  return success();
}

LogicalResult PlDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                  unsigned,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == nameAttrName) {
    if (isa<StringAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.name' must be a string, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == windowAttrName) {
    if (isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.window' has no value, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == directionAttrName) {
    if (isa<DirectionAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.dir' must be a #pl.dir, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == constantAttrName) {
    auto bits = dyn_cast<IntegerAttr>(attribute.getValue());
    if (bits && bits.getType().isInteger(64))
      return success();
    return op->emitError("'pl.constant' must be an i64, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == rangeAttrName) {
    auto range = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (range && range.size() == 2)
      return success();
    return op->emitError("'pl.range' must be two numbers, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == notOneAttrName) {
    if (isa<DenseI64ArrayAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.not_one' must be numbers of axes, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == reasonAttrName) {
    if (isa<StringAttr>(attribute.getValue()))
      return success();
    return op->emitError("'pl.reason' must be a string, got ")
           << attribute.getValue();
  }
  return op->emitError("unknown pl argument attribute '")
         << attribute.getName().getValue() << "'";
}
