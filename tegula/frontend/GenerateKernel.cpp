// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/GenerateKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "tegula/frontend/Cascade.h"
#include "tegula/frontend/Dtypes.h"
#include "tegula/frontend/ExtentExpression.h"
#include "tegula/frontend/IRGenModule.h"
#include "tegula/ir/PlRequireOps.h"

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

/// True if some op needs an extent of the call to be one number: the axis it
/// meets has that size and was not found to be dynamic.
static bool pinsAnExtent(mlir::ModuleOp module) {
  bool isPinned = false;
  module.walk([&](pl::RequireOp require) {
    auto compare = require.getCondition().getDefiningOp<mlir::arith::CmpIOp>();
    isPinned |= require.getOrigin() == pl::derivedOrigin && compare &&
                compare.getPredicate() == mlir::arith::CmpIPredicate::eq &&
                llvm::any_of(compare->getOperands(), [](mlir::Value operand) {
                  return mlir::matchPattern(operand, mlir::m_Constant());
                });
  });
  return isPinned;
}

mlir::OwningOpRef<mlir::ModuleOp>
tegula::generateKernel(mlir::MLIRContext &context,
                       const KernelFunction &function,
                       llvm::ArrayRef<ArgumentSpec> specs, Reporter &reporter) {
  StringRef path = function.getSource().getPath();
  auto attempt = [&](std::vector<AxisSymbol> cascaded, Reporter &reporter) {
    mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(
        mlir::FileLineColLoc::get(&context, path, 1, 1)));
    ModuleGenerator generator(&context, *module, reporter);
    generator.cascaded = std::move(cascaded);
    if (!generator.generateEntry(function, specs))
      return mlir::OwningOpRef<mlir::ModuleOp>();
    generator.eraseUnused();
    return module;
  };
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<AxisSymbol> cascaded = cascadeSymbols(context, function, specs);
  // What is dynamic in a helper may have to agree with an axis that no helper
  // sees, then with all of its size; at worst every size is a program.
  for (unsigned step = 0; step < 2 && !cascaded.empty() && !module; ++step) {
    Reporter silent;
    silent.isSilent = true;
    module = attempt(cascaded, silent);
    if (module && step == 0 && pinsAnExtent(*module))
      module = nullptr;
    joinAxesOfOneSize(function, specs, cascaded);
  }
  if (!module)
    module = attempt({}, reporter);
  if (!module || failed(mlir::verify(*module)))
    return {};
  return module;
}
