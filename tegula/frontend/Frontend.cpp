// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/Frontend.h"
#include "tegula/frontend/MeantKernel.h"
#include "tegula/frontend/constants/module/CapturedProgram.h"
#include "tegula/frontend/constants/module/KernelFiles.h"
#include "tegula/frontend/irgen/GenerateKernel.h"
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

  /// A kernel under the name it is called by.
  struct Named {
    std::string name;
    const KernelFunction *function;
  };
  /// The kernels and programs of the file; a later one of a name replaces an
  /// earlier one. Those that functions make come last.
  std::vector<Named> getKernels();

  /// The kernel of that name, or the one that is meant; null after an error.
  const KernelFunction *find(StringRef name);
  const KernelFunction *findMethod(StringRef name);

  Reporter reporter;
  KernelFiles files;
  KernelFile &file;
  /// Kernels in functions that cannot be reached.
  std::vector<UnreachedKernel> unreached;
};

} // namespace

std::vector<ParsedFile::Named> ParsedFile::getKernels() {
  std::vector<Named> kernels;
  auto add = [&](StringRef name, const KernelFunction *function) {
    llvm::erase_if(kernels,
                   [&](const Named &known) { return known.name == name; });
    kernels.push_back({name.str(), function});
  };
  for (const auto &function : file.names->getKernels().getFunctions())
    if (function->isEntry())
      add(function->getName(), function.get());
  for (const KernelProgram &program : file.names->getKernels().getPrograms())
    if (program.entry && !program.isMade)
      add(program.name, program.entry);
  for (const auto &[name, function] : file.names->makeKernels(unreached))
    if (llvm::none_of(kernels, [&, &id = name](const Named &known) {
          return known.name == id;
        }))
      kernels.push_back({name, function});
  // A function that stands alone is where its file starts.
  const auto &functions = file.names->getKernels().getFunctions();
  if (kernels.empty() && file.names->getKernels().getPrograms().empty() &&
      functions.size() == 1 && functions.front()->getTraits().derivesDirections)
    add(functions.front()->getName(),
        file.names->getKernels().makeEntry(functions.front()->getName()));
  return kernels;
}

/// `Program.method` or `factory.Program.method`; null if it is something else,
/// or after an error.
const KernelFunction *ParsedFile::findMethod(StringRef name) {
  for (const KernelProgram &program : file.names->getKernels().getPrograms()) {
    StringRef owner = program.name, method = name;
    if (!method.consume_front(owner) ||
        !(method.empty() || method.consume_front(".")))
      continue;
    if (!method.empty())
      if (const KernelFunction *found =
              program.names->getKernels().makeEntry(method))
        return found;
    std::string list;
    for (const auto &function : program.names->getKernels().getFunctions())
      list += (list.empty() ? "" : ", ") + owner.str() + "." +
              function->getName().str();
    reporter.error(program.loc,
                   method.empty()
                       ? "it is not clear where the program '" + owner +
                             "' starts; choose one of: " + list
                       : "the program '" + owner + "' has no function '" +
                             method + "'; there is: " + list);
    return nullptr;
  }
  return nullptr;
}

/// The only kernel, or the only host program; null if there are several.
static const ParsedFile::Named *
findMeant(llvm::ArrayRef<ParsedFile::Named> kernels) {
  auto isHost = [](const ParsedFile::Named &kernel) {
    return kernel.function->getKind() == pl::FunctionKind::Host;
  };
  if (llvm::count_if(kernels, isHost) == 1)
    return llvm::find_if(kernels, isHost);
  return kernels.size() == 1 ? &kernels.front() : nullptr;
}

std::string tegula::meantKernel(mlir::MLIRContext &context, StringRef text,
                                StringRef path, SourceFiles *files) {
  ParsedFile parsed(context, text, path, files);
  std::vector<ParsedFile::Named> kernels;
  if (parsed.file.module)
    kernels = parsed.getKernels();
  const ParsedFile::Named *meant = findMeant(kernels);
  return meant ? meant->name : "";
}

const KernelFunction *ParsedFile::find(StringRef name) {
  mlir::Location start = file.source.locate(
      llvm::SMLoc::getFromPointer(file.source.getText().data()));
  std::vector<Named> kernels = getKernels();
  const Named *meant = findMeant(kernels);
  std::string list;
  const KernelFunction *found =
      name.empty() && meant ? meant->function : nullptr;
  for (const Named &kernel : kernels) {
    list += (list.empty() ? "" : ", ") + kernel.name;
    if (kernel.name == name)
      found = kernel.function;
  }
  if (name.empty() && kernels.size() > 1 && !meant) {
    reporter.error(start, "there are several kernels in this file, choose one "
                          "of: " +
                              list);
    return nullptr;
  }
  unsigned numErrors = reporter.getNumErrors();
  if (!found)
    found = findMethod(
        name.empty() && file.names->getKernels().getPrograms().size() == 1
            ? file.names->getKernels().getPrograms().front().name
            : name);
  if (found || reporter.getNumErrors() != numErrors)
    return found;
  for (const UnreachedKernel &kernel : unreached)
    if (kernel.name == name || (name.empty() && kernels.empty())) {
      reporter.error(kernel.loc, "the kernel '" + kernel.name +
                                     "' cannot be reached: " + kernel.why);
      return nullptr;
    }
  std::optional<Object> other = file.names->lookup(name);
  const auto *unusable = other ? other->as<UnusableObject>() : nullptr;
  if (unusable && !unusable->notes.empty())
    reporter.error(start, unusable->message, unusable->notes);
  else if (kernels.empty())
    reporter.error(start, "there is no kernel in this file; decorate a "
                          "function with @pl.jit");
  else
    reporter.error(start, "there is no kernel '" + name +
                              "' in this file; there is: " + list);
  return nullptr;
}

std::optional<std::vector<KernelSignature>>
tegula::listKernels(mlir::MLIRContext &context, StringRef text, StringRef path,
                    SourceFiles *files, StringRef wanted,
                    const MachineParts &parts) {
  ParsedFile parsed(context, text, path, files);
  if (!parsed.file.module)
    return std::nullopt;
  std::vector<ParsedFile::Named> named = parsed.getKernels();
  bool isListed = llvm::any_of(named, [&](const ParsedFile::Named &kernel) {
    return kernel.name == wanted;
  });
  if (!isListed && !wanted.empty())
    if (const KernelFunction *method = parsed.findMethod(wanted))
      named.push_back({wanted.str(), method});
  std::vector<KernelSignature> kernels;
  for (const ParsedFile::Named &kernel : named)
    if (!describeKernel(*kernel.function, parts, parsed.reporter,
                        kernels.emplace_back(KernelSignature{kernel.name, {}})))
      return std::nullopt;
  if (parsed.reporter.getNumErrors() != 0)
    return std::nullopt;
  for (const UnreachedKernel &kernel : parsed.unreached)
    parsed.reporter.warning(kernel.loc, "the kernel '" + kernel.name +
                                            "' is not checked: " + kernel.why);
  return kernels;
}

mlir::OwningOpRef<mlir::ModuleOp>
tegula::generateModule(mlir::MLIRContext &context, StringRef text,
                       StringRef path, StringRef kernel,
                       llvm::ArrayRef<ArgumentSpec> specs, SourceFiles *files,
                       const MachineParts &parts, NameListener *listener) {
  ParsedFile parsed(context, text, path, files);
  parsed.reporter.listener = listener;
  if (!parsed.file.module || parsed.reporter.getNumErrors() != 0)
    return {};
  const KernelFunction *function = parsed.find(kernel);
  if (!function)
    return {};
  return generateKernel(context, *function, specs, parts, parsed.reporter);
}

std::optional<KernelSignature>
tegula::describeProgram(mlir::MLIRContext &context, const Program &program,
                        const MachineParts &parts) {
  Reporter reporter;
  CapturedProgram captured(context, program, reporter);
  const KernelFunction *entry = captured.findEntry();
  KernelSignature kernel = {program.blocks.front().name, {}};
  if (!entry || !describeKernel(*entry, parts, reporter, kernel) ||
      reporter.getNumErrors() != 0)
    return std::nullopt;
  return kernel;
}

mlir::OwningOpRef<mlir::ModuleOp>
tegula::generateModule(mlir::MLIRContext &context, const Program &program,
                       llvm::ArrayRef<ArgumentSpec> specs,
                       const MachineParts &parts) {
  Reporter reporter;
  CapturedProgram captured(context, program, reporter);
  const KernelFunction *entry = captured.findEntry();
  if (!entry || reporter.getNumErrors() != 0)
    return {};
  return generateKernel(context, *entry, specs, parts, reporter,
                        program.isDynamic);
}
