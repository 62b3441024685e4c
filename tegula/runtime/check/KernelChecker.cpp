// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/check/KernelChecker.h"
#include "tegula/backends/Backend.h"
#include "tegula/backends/RunPasses.h"
#include "tegula/frontend/Frontend.h"
#include "tegula/ir/ops/PlDialect.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "tegula/launch/call/Guard.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/transforms/PipelineBuilder.h"
#include "tegula/transforms/Pipelines.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using mlir::failed;
using mlir::failure;
using mlir::success;

Expected<std::vector<Diagnostic>> tegula::checkFile(llvm::StringRef path) {
  Expected<KernelSource> loaded = readSource({path.str(), ""});
  if (!loaded)
    return loaded.takeError();
  return checkSource(*loaded);
}

std::vector<Diagnostic> tegula::checkSource(const KernelSource &source,
                                            Explain explain) {
  Compilation compilation(source);
  return KernelChecker(compilation, explain).checkAll();
}

static bool hasErrors(llvm::ArrayRef<Diagnostic> diagnostics) {
  return llvm::any_of(diagnostics, [](const Diagnostic &entry) {
    return entry.severity == Severity::Error;
  });
}

/// Says which numbers each call fixes.
static void remarkOnConstants(mlir::func::FuncOp entry) {
  for (mlir::BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto name =
        entry.getArgAttrOfType<mlir::StringAttr>(number, pl::nameAttrName);
    auto reason =
        entry.getArgAttrOfType<mlir::StringAttr>(number, pl::reasonAttrName);
    if (name && reason && entry.getArgAttr(number, pl::constantAttrName))
      mlir::emitRemark(argument.getLoc())
          << "'" << name.getValue()
          << "' is needed as a constant, so each value that calls bring is "
             "compiled by itself: "
          << reason.getValue();
  }
}

std::vector<Diagnostic>
KernelChecker::checkWith(llvm::ArrayRef<ArgumentSpec> specs) {
  return compilation.getReports().collect([&]() -> llvm::LogicalResult {
    Expected<std::shared_ptr<const Target>> goal = compilation.getTarget();
    if (!goal)
      return mlir::emitError(
          mlir::FileLineColLoc::get(&compilation.getContext(),
                                    compilation.getSource().path, 1, 1),
          llvm::toString(goal.takeError()));
    const MachineModel &machine = (*goal)->getMachine();
    if (failed(compilation.generateFrom(specs, machine.parts)))
      return failure();
    remarkOnConstants(compilation.getEntry());
    // What no call can satisfy is a mistake too.
    Guard guard;
    if (Problem problem =
            Guard::create(tegula::getSignature(compilation.getEntry()), guard))
      return compilation.getEntry().emitError(problem.getText());
    InferOptions options;
    options.explain = explain == Explain::Facts;
    options.warnings = compilation.getWarnings();
    auto build = [&](PipelineBuilder &manager) {
      for (Stage next : listCommonStages())
        if (next <= std::max(Stage::Inferred, (*goal)->getStart()))
          buildStage(manager, next, options, machine);
    };
    if (failed(tegula::runPasses(compilation.getModule(), build)))
      return failure();
    // A checked kernel of a target that begins earlier is further on by now.
    bool isThere = (*goal)->getStart() >= Stage::Inferred;
    return options.explain && isThere
               ? (*goal)->explainVariant(compilation.getModule())
               : success();
  });
}

/// What a call would say that brings `number` for every number.
static std::vector<ArgumentSpec> specsWith(const Signature &kernel,
                                           int64_t number) {
  std::vector<ArgumentSpec> specs;
  for (const Parameter &parameter : kernel.parameters) {
    ArgumentSpec &spec = specs.emplace_back();
    spec.isTensor = !parameter.isScalar();
    if (spec.isTensor)
      continue;
    spec.dtype = parameter.dtype.value_or(DType::Index);
    if (isFloat(spec.dtype))
      spec.real = static_cast<double>(number);
    else
      spec.integer = spec.dtype == DType::Bool ? number != 0 : number;
  }
  return specs;
}

std::vector<Diagnostic> KernelChecker::checkKernel(const Signature &kernel) {
  std::vector<Diagnostic> found = checkWith({});
  bool takesNumbers =
      llvm::any_of(kernel.parameters, [](const Parameter &parameter) {
        return parameter.isScalar();
      });
  if (!hasErrors(found) || !takesNumbers)
    return found;
  // Perhaps it needs the value of a number, which only a call brings. If it is
  // right with one, that is all there is to say.
  for (int64_t number : {2, 1, 8, 128}) {
    std::vector<Diagnostic> fixed = checkWith(specsWith(kernel, number));
    if (!hasErrors(fixed))
      return fixed;
  }
  return found;
}

std::vector<Diagnostic> KernelChecker::checkAll() {
  std::optional<std::vector<Signature>> kernels;
  std::vector<Diagnostic> diagnostics = compilation.getReports().collect([&] {
    kernels = compilation.readKernels();
    return success(kernels.has_value());
  });
  if (!kernels)
    return diagnostics;
  if (kernels->empty() && diagnostics.empty())
    diagnostics.push_back({Severity::Warning,
                           {compilation.getSource().path, 1, 1},
                           "there is no kernel in this file; decorate a "
                           "function with @pl.jit",
                           {}});
  std::string wanted = compilation.getSource().kernel;
  for (const Signature &kernel : *kernels) {
    // An open kernel has no meaning before a call gives it types.
    if (kernel.isOpen() || (!wanted.empty() && kernel.kernel != wanted))
      continue;
    compilation.chooseKernel(kernel.kernel);
    for (Diagnostic &found : checkKernel(kernel))
      // A mistake in a shared helper is reported with every kernel.
      if (!llvm::is_contained(diagnostics, found))
        diagnostics.push_back(std::move(found));
  }
  return diagnostics;
}
