// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/KernelState.h"
#include "tegula/runtime/ProblemError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;

static std::atomic<uint64_t> processCompileCount = 0;

uint64_t tegula::getCompileCount() { return processCompileCount; }

Expected<const Variant *>
KernelState::findOrCompile(llvm::ArrayRef<Argument> arguments) {
  std::lock_guard<std::mutex> lock(compiling);
  if (const Variant *variant = find(arguments))
    return variant;
  Expected<std::unique_ptr<Variant>> variant =
      Compilation(source).compile(arguments);
  if (!variant)
    return variant.takeError();
  return add(std::move(*variant));
}

const Variant *KernelState::add(std::unique_ptr<Variant> variant) {
  ++compileCount;
  ++processCompileCount;
  return variants.add(std::move(variant), declared);
}

Kernel::Kernel(std::shared_ptr<KernelState> state) : state(std::move(state)) {}

const Signature &Kernel::getSignature() const { return state->declared; }

uint64_t Kernel::getCompileCount() const { return state->compileCount; }

/// The variant for `arguments`; finds it without a lock if it exists.
static Expected<const Variant *>
getVariant(KernelState &state, llvm::ArrayRef<Argument> arguments) {
  if (LLVM_UNLIKELY(arguments.size() != state.declared.parameters.size()))
    return toError(makeCountProblem(state.declared, arguments.size()));
  if (const Variant *variant = state.find(arguments))
    return variant;
  return state.findOrCompile(arguments);
}

Error Kernel::prepare(llvm::ArrayRef<Argument> arguments) const {
  return getVariant(*state, arguments).takeError();
}

Error Kernel::operator()(llvm::ArrayRef<Argument> arguments) const {
  Expected<const Variant *> variant = getVariant(*state, arguments);
  if (LLVM_UNLIKELY(!variant))
    return variant.takeError();
  return toError((*variant)->call(arguments));
}

/// The body may declare axes as well, so the generated signature knows more,
/// but not how the source computes extents.
static Signature withExpressions(Signature generated,
                                 const Signature &declared) {
  for (auto [to, from] : llvm::zip(generated.parameters, declared.parameters)) {
    if (!to.axes || !from.axes)
      continue;
    for (auto [axis, source] : llvm::zip(*to.axes, *from.axes))
      axis.expression = source.expression;
  }
  return generated;
}

Expected<Kernel> tegula::loadKernel(const KernelSource &source) {
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  Compilation compilation(*loaded);
  Expected<Signature> signature = compilation.declare();
  if (!signature)
    return signature.takeError();
  loaded->kernel = signature->kernel;
  if (signature->isOpen())
    return Kernel(std::make_shared<KernelState>(std::move(*loaded),
                                                std::move(*signature)));
  Expected<std::unique_ptr<Variant>> variant = compilation.compile({});
  if (!variant)
    return variant.takeError();
  auto state = std::make_shared<KernelState>(
      std::move(*loaded),
      withExpressions((*variant)->guard.getSignature(), *signature));
  state->add(std::move(*variant));
  return Kernel(std::move(state));
}

Expected<Kernel> tegula::loadKernel(llvm::StringRef path,
                                    llvm::StringRef kernel) {
  return loadKernel(KernelSource{path.str(), kernel.str()});
}
