// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/Backend.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/KernelState.h"
#include "tegula/runtime/ProblemError.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;

uint64_t tegula::getCompileCount() { return getProcessCompileCount(); }

Kernel::Kernel(std::shared_ptr<KernelState> state) : state(std::move(state)) {}

const Signature &Kernel::getSignature() const { return state->declared; }

std::vector<KernelWarning> Kernel::listWarnings() const {
  std::vector<KernelWarning> warnings;
  for (const Variant *variant : state->dispatcher.listVariants())
    llvm::append_range(warnings, variant->warnings);
  return warnings;
}

uint64_t Kernel::getCompileCount() const {
  return state->dispatcher.getCompileCount();
}

Error Kernel::prepare(llvm::ArrayRef<Argument> arguments) const {
  const Variant *variant = nullptr;
  return toError(state->dispatcher.findOrMake(arguments, variant));
}

Expected<bool>
Kernel::mustRunToTrace(llvm::ArrayRef<Argument> arguments) const {
  const Variant *variant = nullptr;
  if (Problem problem = state->dispatcher.findOrMake(arguments, variant))
    return toError(problem);
  return variant->image && variant->image->mustRunToTrace();
}

Expected<std::unique_ptr<TracedCall>>
Kernel::trace(llvm::ArrayRef<Argument> arguments,
              const std::string &machine) const {
  const Variant *variant = nullptr;
  if (Problem problem = state->dispatcher.findOrMake(arguments, variant))
    return toError(problem);
  std::unique_ptr<TracedCall> traced;
  if (Problem problem = variant->trace(arguments, machine, traced))
    return toError(problem);
  return traced;
}

Error Kernel::operator()(llvm::ArrayRef<Argument> arguments) const {
  const Variant *variant = state->dispatcher.find(arguments);
  if (LLVM_UNLIKELY(!variant))
    if (Problem problem = state->dispatcher.findOrMake(arguments, variant))
      return toError(problem);
  return toError(variant->call(arguments));
}

Signature tegula::withExpressions(Signature generated,
                                  const Signature &declared) {
  for (auto [to, from] : llvm::zip(generated.parameters, declared.parameters)) {
    if (!to.axes || !from.axes)
      continue;
    for (auto [axis, source] : llvm::zip(*to.axes, *from.axes))
      axis.expression = source.expression;
  }
  return generated;
}

static bool isScalar(const Parameter &parameter) {
  return parameter.isScalar();
}

Expected<Kernel> tegula::loadKernel(const KernelSource &source) {
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  Expected<std::shared_ptr<const Target>> target = findTargetOf(*loaded);
  if (!target)
    return target.takeError();
  // One target, however it was written, is one kernel on disk.
  loaded->target = (*target)->getKey();
  auto state = std::make_shared<KernelState>(*loaded);
  const Signature *declared = nullptr;
  if (Problem problem = state->dispatcher.getDeclared(declared))
    return toError(problem);
  state->declared = *declared;
  if (declared->isOpen())
    return Kernel(std::move(state));
  const Variant *variant = nullptr;
  if (Problem problem = state->dispatcher.makeOnly(variant)) {
    // Perhaps it needs the value of a number, which only a call brings.
    if (llvm::any_of(declared->parameters, isScalar))
      return Kernel(std::move(state));
    return toError(problem);
  }
  state->declared = withExpressions(variant->guard.getSignature(), *declared);
  return Kernel(std::move(state));
}

Expected<Kernel> tegula::loadKernel(llvm::StringRef path,
                                    llvm::StringRef kernel) {
  return loadKernel(KernelSource{path.str(), kernel.str()});
}
