// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/GenerateKernel.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/module/Decorators.h"
#include "tegula/frontend/irgen/Specialization.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"

using namespace tegula;
using llvm::StringRef;

mlir::OwningOpRef<mlir::ModuleOp> tegula::generateKernel(
    mlir::MLIRContext &context, const KernelFunction &function,
    llvm::ArrayRef<ArgumentSpec> specs, const MachineParts &parts,
    Reporter &reporter, bool isDynamic) {
  Decoration decoration = readDecorators(
      function.getDefinition(), function.getSource(),
      [&](StringRef name) { return function.getEnvironment().lookup(name); });
  // The others are outputs for what it returns, which follow from the rest.
  llvm::ArrayRef<ArgumentSpec> given =
      specs.take_front(std::min(specs.size(), function.getParams().size()));
  mlir::OwningOpRef<mlir::ModuleOp> module =
      Specialization(context, function, given, parts,
                     isDynamic || decoration.isDynamic)
          .generate(reporter);
  if (!module)
    return module;
  mlir::func::FuncOp entry = *module->getOps<mlir::func::FuncOp>().begin();
  if (!specs.empty() && entry.getNumArguments() != specs.size()) {
    reporter.error(function.getLoc(),
                   "'" + function.getName() +
                       "' returns what is none of its parameters; annotate "
                       "all of them, so that callers know how large that is, "
                       "or write it to a pl.Out parameter");
    return {};
  }
  if (decoration.isDebug)
    entry->setAttr(pl::debugAttrName, mlir::UnitAttr::get(&context));
  if (decoration.isStrict)
    entry->setAttr(pl::strictAttrName, mlir::UnitAttr::get(&context));
  return module;
}
