// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops of programs over ranks accept.

#include "tegula/ir/ops/PlRankOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

#include "tegula/ir/ops/PlRankEnums.cpp.inc"

#define GET_OP_CLASSES
#include "tegula/ir/ops/PlRankOps.cpp.inc"

void PlDialect::addRankOps() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/ops/PlRankOps.cpp.inc"
      >();
}

bool tegula::pl::isWindow(Value tensor) {
  while (auto view = tensor.getDefiningOp<ViewLikeOpInterface>())
    tensor = view.getViewSource();
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return function &&
           function.getArgAttr(argument.getArgNumber(), windowAttrName);
  }
  return tensor.getDefiningOp<AllocWindowOp>() != nullptr;
}

std::string tegula::pl::describeFailure(CallbackOp callback) {
  return "the callback '" + callback.getName().str() +
         "' failed, or nobody gave a function for it";
}

LogicalResult AllocWindowOp::verify() {
  auto type = cast<TensorViewType>(getResult().getType());
  if (type.getRank() != 1 || !type.getElementType().isUnsignedInteger(8))
    return emitOpError("gives bytes, not ") << type;
  return success();
}

LogicalResult RetypeOp::verify() {
  auto source = cast<TensorViewType>(getSource().getType());
  auto result = cast<TensorViewType>(getResult().getType());
  if (source.getRank() != 1 || !source.getElementType().isUnsignedInteger(8))
    return emitOpError("takes bytes, not ") << source;
  if (static_cast<int64_t>(getSizes().size()) != result.getRank())
    return emitOpError("expects ")
           << result.getRank() << " sizes, got " << getSizes().size();
  return success();
}

LogicalResult PeerEndOp::verify() {
  auto peer = getMemory().getDefiningOp<PeerOp>();
  if (!peer || peer.getUse() == PeerUse::Read)
    return emitOpError("ends a pl.peer that writes");
  return success();
}

/// A signal is an INT32 of a tensor.
static LogicalResult verifySignal(Operation *op, Type signal,
                                  ValueRange indices) {
  auto type = cast<TensorViewType>(signal);
  if (!type.getElementType().isSignlessInteger(32))
    return op->emitOpError("takes a signal of i32, got ") << type;
  if (static_cast<int64_t>(indices.size()) != type.getRank())
    return op->emitOpError("expects ")
           << type.getRank() << " indices, got " << indices.size();
  return success();
}

LogicalResult NotifyOp::verify() {
  return verifySignal(*this, getSignal().getType(), getIndices());
}

LogicalResult WaitOp::verify() {
  return verifySignal(*this, getSignal().getType(), getIndices());
}

LogicalResult DispatchOp::verify() {
  if (getReads().size() != getTensors().size() ||
      getWrites().size() != getTensors().size())
    return emitOpError("says of each tensor whether it is read and written");
  return success();
}
