// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/GenerateKernel.h"
#include "tegula/frontend/Decorators.h"
#include "tegula/frontend/Dtypes.h"
#include "tegula/frontend/Environment.h"
#include "tegula/frontend/ExtentExpression.h"
#include "tegula/frontend/Specialization.h"

using namespace tegula;
using llvm::StringRef;

static KernelParameter describeParameter(const DeclaredParameter &declared) {
  KernelParameter parameter;
  parameter.name = declared.name.str();
  parameter.direction =
      static_cast<KernelParameter::Direction>(declared.direction);
  if (declared.kind != DeclaredParameter::Kind::Open)
    parameter.isTensor = declared.kind == DeclaredParameter::Kind::Tensor;
  if (declared.dtype)
    parameter.dtype = toDType(declared.dtype);
  if (declared.dims) {
    parameter.axes.emplace();
    for (const DeclaredDim &dim : *declared.dims) {
      KernelAxis axis{dim.extent, dim.symbol ? dim.symbol->name : ""};
      if (dim.symbol && dim.symbol->expression)
        axis.expression = programOf(dim.symbol);
      parameter.axes->push_back(std::move(axis));
    }
  }
  return parameter;
}

bool tegula::describeKernel(const KernelFunction &function, Reporter &reporter,
                            KernelSignature &kernel) {
  auto declared = readParameters(function, reporter);
  if (!declared)
    return false;
  for (const DeclaredParameter &parameter : *declared)
    kernel.parameters.push_back(describeParameter(parameter));
  DeclaredSymbols symbols = collectSymbols(function, *declared, reporter);
  for (const AxisSymbol &entry : symbols.axes) {
    auto &axes = kernel.parameters[entry.parameter].axes;
    if (axes && entry.axis < axes->size())
      (*axes)[entry.axis] = {std::nullopt, entry.symbol->name};
  }
  return true;
}

mlir::OwningOpRef<mlir::ModuleOp> tegula::generateKernel(
    mlir::MLIRContext &context, const KernelFunction &function,
    llvm::ArrayRef<ArgumentSpec> specs, Reporter &reporter, bool isDynamic) {
  isDynamic |= readDecorators(function.getDefinition(), function.getSource(),
                              [&](StringRef name) {
                                return function.getEnvironment().lookup(name);
                              })
                   .isDynamic;
  return Specialization(context, function, specs, isDynamic).generate(reporter);
}
