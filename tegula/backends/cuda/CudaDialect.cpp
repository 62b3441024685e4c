// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/CudaDialect.h"

#include "tegula/backends/cuda/variants/VariantFormat.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::cuda;

template <typename Variant, typename Struct>
static Attribute parseVariant(AsmParser &parser) {
  Struct fields;
  SMLoc loc = parser.getCurrentLocation();
  if (parseField(parser, fields))
    return {};
  return Variant::getChecked([&] { return parser.emitError(loc); },
                             parser.getContext(), fields);
}

template <typename Struct>
static LogicalResult checkVariant(function_ref<InFlightDiagnostic()> emitError,
                                  const Struct &fields) {
  if (const char *mistake = findMistake(fields))
    return emitError() << mistake;
  return success();
}

#include "tegula/backends/cuda/Cuda_dialect.cpp.inc"
#include "tegula/backends/cuda/Cuda_enum.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tegula/backends/cuda/Cuda_attrdef.cpp.inc"

#define GET_OP_CLASSES
#include "tegula/backends/cuda/Cuda_op.cpp.inc"

void CudaDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tegula/backends/cuda/Cuda_attrdef.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tegula/backends/cuda/Cuda_op.cpp.inc"
      >();
}

bool tegula::isLayout(Attribute attribute) {
  return isa_and_nonnull<BlockedLayoutAttr, MmaLayoutAttr, DotOperandLayoutAttr,
                         SharedOperandLayoutAttr, FmaOperandLayoutAttr,
                         SliceLayoutAttr>(attribute);
}

/// Whether an attribute that has the name of a variant is one, on such an
/// operation; true for other names.
template <typename Variant, typename Holder>
static bool isWellPlaced(Operation *op, NamedAttribute attribute) {
  return attribute.getName() != Variant::name ||
         (isa<Variant>(attribute.getValue()) && isa<Holder>(op));
}

/// A layout for each tile, and for nothing else.
static LogicalResult verifyLayouts(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == layoutAttrName) {
    if (isLayout(attribute.getValue()))
      return success();
    return op->emitError("'cuda.layout' must be a layout, got ")
           << attribute.getValue();
  }
  auto layouts = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!layouts || layouts.size() != op->getNumResults())
    return op->emitError("'cuda.layouts' must have one layout for each of the ")
           << op->getNumResults() << " results, got " << attribute.getValue();
  for (auto [layout, type] : llvm::zip(layouts, op->getResultTypes()))
    if (isLayout(layout) != isa<pl::TileType>(type))
      return op->emitError("'cuda.layouts' must have layouts for tiles only, "
                           "got ")
             << layout << " for " << type;
  return success();
}

// `cuda.matmul` holds a `#cuda.matmul`, and so on.
LogicalResult CudaDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == layoutAttrName || name == layoutsAttrName)
    return verifyLayouts(op, attribute);
  if (name == orderedAttrName)
    return isa<pl::LoadOp, pl::ReadOp>(op)
               ? success()
               : op->emitError("'cuda.ordered' must be on a load or a read");
  if (!llvm::is_contained({StringRef(MatmulVariantAttr::name),
                           StringRef(AttentionVariantAttr::name),
                           StringRef(RowwiseVariantAttr::name),
                           StringRef(RowRejectionAttr::name),
                           StringRef(AttentionRejectionAttr::name),
                           StringRef(LoopRejectionAttr::name),
                           StringRef(RowScheduleAttr::name)},
                          name))
    return op->emitError("there is no attribute '") << name << "'";
  if (isWellPlaced<MatmulVariantAttr, ModuleOp>(op, attribute) &&
      isWellPlaced<AttentionVariantAttr, ModuleOp>(op, attribute) &&
      isWellPlaced<RowwiseVariantAttr, ModuleOp>(op, attribute) &&
      isWellPlaced<RowRejectionAttr, ModuleOp>(op, attribute) &&
      isWellPlaced<AttentionRejectionAttr, ModuleOp>(op, attribute) &&
      isWellPlaced<LoopRejectionAttr, pl::ParallelOp>(op, attribute) &&
      isWellPlaced<RowScheduleAttr, FunctionOpInterface>(op, attribute))
    return success();
  return op->emitError("'")
         << name << "' must be a #" << name << " on a "
         << (name == RowScheduleAttr::name     ? "function"
             : name == LoopRejectionAttr::name ? "pl.parallel"
                                               : "module")
         << ", got " << attribute.getValue();
}
