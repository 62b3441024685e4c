// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/ir/ops/attributes/AtomicAttribute.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "tegula/ir/ops/attributes/LoopAttributes.h"

#include "tegula/ir/ops/PlMatmulOps.h"
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
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/ops/PlMatmulOps.cpp.inc"
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

namespace {

/// Which ops an attribute of the dialect stands on, and what it may be.
struct AttributeRule {
  StringRef name;
  bool (*isValid)(Operation *op, Attribute value);
  /// What it has to be, for the diagnostic.
  const char *wanted;
};

} // namespace

template <typename Owner, typename Value>
static bool isValueOf(Operation *op, Attribute value) {
  return isa<Owner>(op) && isa<Value>(value);
}

static bool isUnitOfAccess(Operation *op, Attribute value) {
  return isa<LoadOp, ReadOp, StoreOp, WriteOp>(op) && isa<UnitAttr>(value);
}

static bool isStageCount(Operation *op, Attribute value) {
  auto stages = dyn_cast<IntegerAttr>(value);
  return isa<LoopLikeOpInterface>(op) && stages && stages.getInt() > 0;
}

static bool isSpaceOfResult(Operation *op, Attribute value) {
  return op->getNumResults() == 1 &&
         isa<TileType, TensorViewType>(op->getResult(0).getType()) &&
         isa<MemorySpaceAttr>(value);
}

static ArrayRef<AttributeRule> getAttributeRules() {
  constexpr const char *unitOfFunction = "is a unit attribute of a function";
  constexpr const char *unitOfLoop = "is a unit attribute of a loop";
  constexpr const char *unitOfAccess =
      "is a unit attribute of what reads or writes memory";
  static const AttributeRule rules[] = {
      {resultsAttrName, isValueOf<FunctionOpInterface, DenseI64ArrayAttr>,
       "must be numbers of a function's arguments"},
      {debugAttrName, isValueOf<FunctionOpInterface, UnitAttr>, unitOfFunction},
      {strictAttrName, isValueOf<FunctionOpInterface, UnitAttr>,
       unitOfFunction},
      {levelAttrName, isValueOf<FunctionOpInterface, LevelAttr>,
       "is a #pl.level of a function"},
      {roleAttrName, isValueOf<FunctionOpInterface, StringAttr>,
       "is a string of a function"},
      {madeAttrName, isValueOf<LoopLikeOpInterface, UnitAttr>, unitOfLoop},
      {saidAttrName, isValueOf<LoopLikeOpInterface, UnitAttr>, unitOfLoop},
      {fitsRowsAttrName, isValueOf<LoopLikeOpInterface, UnitAttr>, unitOfLoop},
      {atomicAttrName, isUnitOfAccess, unitOfAccess},
      {lockedAttrName, isUnitOfAccess, unitOfAccess},
      {sharedAttrName, isValueOf<CreateTensorOp, UnitAttr>,
       "is a unit attribute of a tensor that is made"},
      {stagesAttrName, isStageCount, "is a positive number of a loop"},
      {spaceAttrName, isSpaceOfResult, "is the memory of a tensor or a tile"}};
  return rules;
}

LogicalResult PlDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  for (const AttributeRule &rule : getAttributeRules()) {
    if (rule.name != name)
      continue;
    if (rule.isValid(op, value))
      return success();
    return op->emitError("'")
           << name << "' " << rule.wanted << ", got " << value;
  }
  if (name != kindAttrName)
    return op->emitError("unknown pl attribute '") << name << "'";
  if (!isa<FunctionOpInterface>(op))
    return op->emitError("'pl.kind' belongs on a function");
  if (!isa<FunctionKindAttr>(value))
    return op->emitError("'pl.kind' must be a #pl.kind, got ") << value;
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
