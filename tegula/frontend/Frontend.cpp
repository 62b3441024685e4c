// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/Frontend.h"
#include "mlir/IR/Verifier.h"
#include "tegula/frontend/Dtypes.h"
#include "tegula/frontend/IRGenModule.h"
#include "tegula/frontend/KernelFiles.h"
#include "tegula/ir/Register.h"

using namespace tegula;
using llvm::StringRef;

namespace {

/// A parsed file and those it imports.
struct ParsedFile {
  ParsedFile(mlir::MLIRContext &context, StringRef text, StringRef path,
             SourceFiles *texts)
      : files(context, texts, reporter), file(load(context, text, path)) {}

  KernelFile &load(mlir::MLIRContext &context, StringRef text, StringRef path) {
    loadDialects(context);
    return files.addEntry(text, path);
  }

  std::vector<const KernelFunction *> getKernels() const {
    std::vector<const KernelFunction *> kernels;
    for (const auto &function : file.names->getFunctions())
      if (function->getKind() == pl::FunctionKind::Entry)
        kernels.push_back(function.get());
    return kernels;
  }

  /// The kernel of that name, or the only one; null after an error.
  const KernelFunction *find(StringRef name);

  Reporter reporter;
  KernelFiles files;
  KernelFile &file;
};

} // namespace

const KernelFunction *ParsedFile::find(StringRef name) {
  mlir::Location start = file.source.locate(
      llvm::SMLoc::getFromPointer(file.source.getText().data()));
  std::vector<const KernelFunction *> kernels = getKernels();
  std::string list;
  // A later definition of a name replaces an earlier one.
  const KernelFunction *found = nullptr;
  for (const KernelFunction *kernel : kernels) {
    list += (list.empty() ? "" : ", ") + kernel->getName().str();
    if (name.empty() || kernel->getName() == name)
      found = kernel;
  }
  if (kernels.empty()) {
    reporter.error(start, "there is no kernel in this file; decorate a "
                          "function with @pl.jit");
    return nullptr;
  }
  if (name.empty() && kernels.size() > 1) {
    reporter.error(start, "there are several kernels in this file, choose one "
                          "of: " +
                              list);
    return nullptr;
  }
  if (!found)
    reporter.error(start, "there is no kernel '" + name +
                              "' in this file; there is: " + list);
  return found;
}

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
    for (const DeclaredDim &dim : *declared.dims)
      parameter.axes->push_back(
          {dim.extent, dim.symbol ? dim.symbol->name : std::string()});
  }
  return parameter;
}

std::optional<std::vector<KernelSignature>>
tegula::listKernels(mlir::MLIRContext &context, StringRef text, StringRef path,
                    SourceFiles *files) {
  ParsedFile parsed(context, text, path, files);
  if (!parsed.file.module)
    return std::nullopt;
  std::vector<KernelSignature> kernels;
  for (const KernelFunction *function : parsed.getKernels()) {
    auto declared = readParameters(*function, parsed.reporter);
    if (!declared)
      return std::nullopt;
    KernelSignature &kernel =
        kernels.emplace_back(KernelSignature{function->getName().str(), {}});
    for (const DeclaredParameter &parameter : *declared)
      kernel.parameters.push_back(describeParameter(parameter));
    DeclaredSymbols symbols =
        collectSymbols(*function, *declared, parsed.reporter);
    for (const AxisSymbol &entry : symbols.axes) {
      auto &axes = kernel.parameters[entry.parameter].axes;
      if (axes && entry.axis < axes->size())
        (*axes)[entry.axis] = {std::nullopt, entry.symbol->name};
    }
  }
  if (parsed.reporter.getNumErrors() != 0)
    return std::nullopt;
  return kernels;
}

mlir::OwningOpRef<mlir::ModuleOp>
tegula::generateModule(mlir::MLIRContext &context, StringRef text,
                       StringRef path, StringRef kernel,
                       llvm::ArrayRef<ArgumentSpec> specs, SourceFiles *files) {
  ParsedFile parsed(context, text, path, files);
  if (!parsed.file.module || parsed.reporter.getNumErrors() != 0)
    return {};
  const KernelFunction *function = parsed.find(kernel);
  if (!function)
    return {};
  mlir::OwningOpRef<mlir::ModuleOp> module(
      mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, path, 1, 1)));
  ModuleGenerator generator(&context, *module, parsed.reporter);
  if (!generator.generateEntry(*function, specs))
    return {};
  generator.eraseUnused();
  if (failed(mlir::verify(*module)))
    return {};
  return module;
}
