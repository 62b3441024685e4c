// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/ir/PlOps.h"
#include "tegula/runtime/Compilation.h"

using namespace tegula;

static Direction toDirection(pl::Direction direction) {
  switch (direction) {
  case pl::Direction::In:
    return Direction::In;
  case pl::Direction::Out:
    return Direction::Out;
  case pl::Direction::InOut:
    return Direction::InOut;
  }
  llvm_unreachable("every direction is handled");
}

static Axis toAxis(pl::Dim dim, std::string symbol) {
  if (dim.isExact())
    return {dim.getBound(), "", std::nullopt};
  Axis axis = {std::nullopt, std::move(symbol), std::nullopt};
  if (dim.hasBound())
    axis.bound = dim.getBound();
  return axis;
}

static Parameter toParameter(mlir::func::FuncOp entry, unsigned index) {
  Parameter parameter;
  if (auto name =
          entry.getArgAttrOfType<mlir::StringAttr>(index, pl::nameAttrName))
    parameter.name = name.str();
  else
    parameter.name = "arg" + std::to_string(index);
  if (auto direction = entry.getArgAttrOfType<pl::DirectionAttr>(
          index, pl::directionAttrName))
    parameter.direction = toDirection(direction.getValue());
  mlir::Type type = entry.getArgumentTypes()[index];
  parameter.dtype = pl::getDType(pl::getElementOrSelf(type));
  parameter.kind = mlir::isa<pl::TensorViewType>(type)
                       ? Parameter::Kind::Tensor
                       : Parameter::Kind::Scalar;
  if (parameter.isScalar())
    return parameter;
  parameter.axes.emplace();
  for (auto [number, dim] : llvm::enumerate(pl::getDims(type)))
    parameter.axes->push_back(
        toAxis(dim, parameter.name + "." + std::to_string(number)));
  return parameter;
}

Signature tegula::getSignature(mlir::func::FuncOp entry) {
  Signature signature;
  signature.kernel = entry.getSymName().str();
  for (unsigned index = 0; index < entry.getNumArguments(); ++index)
    signature.parameters.push_back(toParameter(entry, index));
  for (auto bind : entry.getBody().front().getOps<pl::BindOp>())
    for (auto [tensor, axis] : llvm::zip(bind.getTensors(), bind.getAxes())) {
      auto argument = mlir::cast<mlir::BlockArgument>(tensor);
      signature.parameters[argument.getArgNumber()].axes->at(axis).symbol =
          bind.getSymbol().str();
    }
  return signature;
}
