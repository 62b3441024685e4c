// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/KernelState.h"
#include "tegula/support/Array.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;

static std::atomic<uint64_t> processCompileCount = 0;

uint64_t tegula::getCompileCount() { return processCompileCount; }

/// True if the argument has the type and the fixed extents of `parameter`.
static bool hasTypeOf(const Argument &argument, const Parameter &parameter) {
  if (argument.isTensor() != parameter.isTensor())
    return false;
  if (!argument.isTensor())
    return argument.isFloat() == isFloat(*parameter.dtype);
  const TensorView &view = argument.getTensor();
  if (view.dtype != *parameter.dtype || view.rank != parameter.axes->size())
    return false;
  for (auto [size, axis] : llvm::zip(view.getSizes(), *parameter.axes))
    if (axis.extent && *axis.extent != size)
      return false;
  return true;
}

bool Variant::matches(const Signature &declared,
                      llvm::ArrayRef<Argument> arguments) const {
  const std::vector<Parameter> &resolved = guard.getSignature().parameters;
  for (size_t index = 0; index < resolved.size(); ++index)
    if (declared.parameters[index].isOpen() &&
        !hasTypeOf(arguments[index], resolved[index]))
      return false;
  return true;
}

/// The words of a requirement with its sizes put in.
static std::string describeUnmet(std::string words,
                                 const TegulaCallState &state) {
  const std::pair<const char *, int64_t> sizes[] = {{" is %0", state.index},
                                                    {" is %1", state.extent}};
  for (auto [mark, size] : sizes)
    if (size_t place = words.rfind(mark); place != std::string::npos)
      words.replace(place + 4, 2, std::to_string(size));
  return words;
}

/// What happened during the run, in words.
static Error describeCallError(const TegulaCallState &state,
                               llvm::ArrayRef<std::string> sites) {
  std::string place;
  if (state.site >= 0 && static_cast<size_t>(state.site) < sites.size())
    place = sites[state.site];
  switch (state.error) {
  case TegulaIndexOutOfRange:
    return makeError("{0}: index {1} of axis {2} is out of range, the extent "
                     "is {3}",
                     place, state.index, state.axis, state.extent);
  case TegulaNegativeOffset:
    return makeError("{0}: a window starts at {1} along axis {2}, it cannot "
                     "start below 0",
                     place, state.index, state.axis);
  case TegulaStepNotPositive:
    return makeError("{0}: the step of a loop is {1}, it must be positive",
                     place, state.index);
  case TegulaWrongCount:
    return makeError("{0}: cannot reshape {1} elements into a shape of {2}",
                     place, state.index, state.extent);
  case TegulaMemoryHasGaps:
    return makeError("{0}: cannot view memory with gaps in another shape, "
                     "because it may be written; pass it contiguous, or load "
                     "it before the reshape",
                     place);
  case TegulaUnmetRequirement:
    return makeTextError(describeUnmet(place, state));
  default:
    if (state.index < 0)
      return makeError("{0}: a buffer exceeds the address space", place);
    return makeError("{0}: no memory for a buffer of {1} bytes", place,
                     state.index);
  }
}

Error Variant::call(llvm::ArrayRef<Argument> arguments) const {
  int64_t slots[Guard::maxSlots];
  if (Error error = guard.check(arguments, slots))
    return error;
  TegulaCallState state = {};
  function(slots, &state);
  if (LLVM_LIKELY(state.error == TegulaNoError))
    return Error::success();
  return describeCallError(state, sites);
}

KernelState::~KernelState() {
  for (Variant *variant = variants; variant;) {
    Variant *next = variant->next;
    delete variant;
    variant = next;
  }
}

const Variant *KernelState::find(llvm::ArrayRef<Argument> arguments) const {
  const Variant *variant = variants.load(std::memory_order_acquire);
  if (!isOpen)
    return variant;
  while (variant && !variant->matches(declared, arguments))
    variant = variant->next;
  return variant;
}

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
  variant->next = variants.load(std::memory_order_relaxed);
  variants.store(variant.get(), std::memory_order_release);
  return variant.release();
}

Kernel::Kernel(std::shared_ptr<KernelState> state) : state(std::move(state)) {}

const Signature &Kernel::getSignature() const { return state->declared; }

uint64_t Kernel::getCompileCount() const { return state->compileCount; }

/// The variant for `arguments`; finds it without a lock if it exists.
static Expected<const Variant *>
getVariant(KernelState &state, llvm::ArrayRef<Argument> arguments) {
  // The guard of a variant counts too, but an open kernel has to find it first.
  if (LLVM_UNLIKELY(state.isOpen &&
                    arguments.size() != state.declared.parameters.size()))
    return makeCountError(state.declared, arguments.size());
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
  return (*variant)->call(arguments);
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
