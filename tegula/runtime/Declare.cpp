// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/Backend.h"
#include "tegula/frontend/MeantKernel.h"
#include "tegula/runtime/Compilation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::success;

static Direction toDirection(KernelParameter::Direction direction) {
  switch (direction) {
  case KernelParameter::Direction::In:
    return Direction::In;
  case KernelParameter::Direction::Out:
    return Direction::Out;
  case KernelParameter::Direction::InOut:
    return Direction::InOut;
  }
  llvm_unreachable("every direction is handled");
}

static Parameter toParameter(const KernelParameter &from) {
  Parameter to;
  to.name = from.name;
  to.direction = toDirection(from.direction);
  to.dtype = from.dtype;
  to.kind = !from.isTensor   ? Parameter::Kind::Open
            : *from.isTensor ? Parameter::Kind::Tensor
                             : Parameter::Kind::Scalar;
  if (!from.axes)
    return to;
  to.axes.emplace();
  for (auto [number, axis] : llvm::enumerate(*from.axes)) {
    std::string symbol = axis.symbol;
    if (!axis.extent && symbol.empty())
      symbol = from.name + "." + std::to_string(number);
    to.axes->push_back({axis.extent, symbol, std::nullopt, axis.expression});
  }
  return to;
}

/// The kernels of a file, or the one of a program.
static std::optional<std::vector<KernelSignature>>
list(mlir::MLIRContext &context, const KernelSource &source,
     const MachineParts &parts) {
  if (!source.program)
    return tegula::listKernels(context, *source.text, source.path,
                               source.files.get(), source.kernel, parts);
  std::optional<KernelSignature> kernel =
      describeProgram(context, *source.program, parts);
  if (!kernel)
    return std::nullopt;
  return std::vector<KernelSignature>{std::move(*kernel)};
}

std::optional<std::vector<Signature>> Compilation::readKernels() {
  // What is wrong with the target is said where it is needed.
  MachineParts parts;
  if (Expected<std::shared_ptr<const Target>> goal = getTarget())
    parts = (*goal)->getMachine().parts;
  else
    llvm::consumeError(goal.takeError());
  std::optional<std::vector<KernelSignature>> kernels =
      list(context, source, parts);
  if (!kernels)
    return std::nullopt;
  if (source.kernel.empty() && !source.program && kernels->size() > 1)
    source.kernel =
        meantKernel(context, *source.text, source.path, source.files.get());
  std::vector<Signature> signatures;
  for (const KernelSignature &kernel : *kernels) {
    Signature signature = {kernel.name, {}, {}};
    for (const KernelParameter &parameter : kernel.parameters)
      signature.parameters.push_back(toParameter(parameter));
    signature.results = kernel.results;
    signatures.push_back(std::move(signature));
  }
  return signatures;
}

/// The kernel that `source` means, among those of its file.
static Expected<Signature> choose(const KernelSource &source,
                                  llvm::ArrayRef<Signature> kernels) {
  if (kernels.empty())
    return makeError("'{0}' has no kernel; a kernel is a function under "
                     "'@pl.jit'",
                     source.path);
  if (source.kernel.empty() && kernels.size() == 1)
    return kernels.front();
  for (const Signature &kernel : kernels)
    if (kernel.kernel == source.kernel)
      return kernel;
  auto names = llvm::map_range(
      kernels, [](const Signature &kernel) { return kernel.kernel; });
  std::string list = llvm::join(names, ", ");
  if (source.kernel.empty())
    return makeError("'{0}' has {1} kernels, say which: {0}:NAME with NAME one "
                     "of {2}",
                     source.path, kernels.size(), list);
  return makeError("'{0}' has no kernel '{1}'; it has {2}", source.path,
                   source.kernel, list);
}

Expected<Signature> Compilation::declare() {
  if (isIr()) {
    if (Error error = parseIr())
      return error;
    return tegula::getSignature(getEntry());
  }
  std::optional<std::vector<Signature>> kernels;
  if (Error error = reports.attempt([&] {
        kernels = readKernels();
        return success(kernels.has_value());
      }))
    return error;
  return choose(source, *kernels);
}

Expected<std::vector<std::string>> Compilation::listNames() {
  std::optional<std::vector<Signature>> kernels;
  if (Error error = reports.attempt([&] {
        kernels = readKernels();
        return success(kernels.has_value());
      }))
    return error;
  std::vector<std::string> names;
  for (const Signature &kernel : *kernels)
    names.push_back(kernel.kernel);
  return names;
}

Expected<Signature> tegula::readSignature(const KernelSource &source) {
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  return Compilation(std::move(*loaded)).declare();
}

Expected<std::vector<std::string>> tegula::listKernels(llvm::StringRef path) {
  Expected<KernelSource> loaded = readSource({path.str(), ""});
  if (!loaded)
    return loaded.takeError();
  return listKernels(*loaded);
}

Expected<std::vector<std::string>>
tegula::listKernels(const KernelSource &source) {
  return Compilation(source).listNames();
}
