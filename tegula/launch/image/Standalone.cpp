// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/Standalone.h"

#include "tegula/launch/device/DeviceStream.h"
#include "tegula/launch/image/CpuFeatures.h"
#include "tegula/launch/image/KernelImage.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

using namespace tegula;

/// The variant of the kernel, made at its first call and never freed.
static Problem prepare(TegulaStandaloneKernel &kernel,
                       const Variant *&variant) {
  auto *state = reinterpret_cast<std::atomic<const Variant *> *>(&kernel.state);
  variant = state->load(std::memory_order_acquire);
  if (variant)
    return {};
  std::string missing = findMissingFeature(kernel.features);
  if (!missing.empty())
    return makeProblem(Problem::Kind::System,
                       "the library was compiled for processors with {0}, "
                       "which this one does not have",
                       missing);
  KernelFacts facts;
  if (!readFacts({kernel.facts, kernel.factsSize}, facts))
    return makeProblem(Problem::Kind::System, "the library is damaged");
  auto made = std::make_unique<Variant>();
  if (Problem problem = Guard::create(std::move(facts.signature), made->guard))
    return problem;
  made->function = kernel.entry;
  made->sites = std::move(facts.sites);
  // Threads that come first together make it several times, and one wins.
  if (state->compare_exchange_strong(variant, made.get()))
    variant = made.release();
  return {};
}

/// Reads a tensor; the guard checks the rest.
static Problem readTensor(const TegulaTensor *tensor, const std::string &name,
                          std::vector<Argument> &arguments) {
  if (!tensor)
    return makeCallProblem("argument '{0}' is null", name);
  if (tensor->dtype < 0 || tensor->dtype >= static_cast<int>(DType::Index))
    return makeCallProblem("argument '{0}': element type {1} does not exist",
                           name, tensor->dtype);
  if (tensor->rank < 0 || tensor->rank > static_cast<int>(TensorView::maxRank))
    return makeCallProblem("argument '{0}': {1} axes, at most {2} are possible",
                           name, tensor->rank, TensorView::maxRank);
  if (tensor->rank > 0 && !tensor->sizes)
    return makeCallProblem(
        "argument '{0}': 'sizes' is null, but there are {1} axes", name,
        tensor->rank);
  size_t rank = tensor->rank;
  arguments.push_back(TensorView(
      tensor->data, static_cast<DType>(tensor->dtype), {tensor->sizes, rank},
      {tensor->strides, tensor->strides ? rank : 0}));
  return {};
}

static Problem run(TegulaStandaloneKernel &kernel,
                   const TegulaStandaloneArgument *given, int64_t count) {
  const Variant *variant = nullptr;
  if (Problem problem = prepare(kernel, variant))
    return problem;
  std::vector<Argument> arguments;
  arguments.reserve(count);
  for (int64_t index = 0; index < count; ++index) {
    const TegulaStandaloneArgument &argument = given[index];
    switch (argument.kind) {
    case TegulaStandaloneArgument::Tensor:
      if (Problem problem = readTensor(
              argument.tensor,
              variant->guard.getSignature().parameters[index].name, arguments))
        return problem;
      break;
    case TegulaStandaloneArgument::Signed:
      arguments.push_back(argument.integer);
      break;
    case TegulaStandaloneArgument::Unsigned:
      arguments.push_back(static_cast<uint64_t>(argument.integer));
      break;
    default:
      arguments.push_back(argument.real);
    }
  }
  return variant->call(arguments);
}

static void copyText(std::string_view text, char *message, size_t messageSize) {
  if (!message || messageSize == 0)
    return;
  size_t size = std::min(text.size(), messageSize - 1);
  std::memcpy(message, text.data(), size);
  message[size] = '\0';
}

/// Callers may know nothing of exceptions, so none leaves this.
int32_t tegulaStandaloneCall(TegulaStandaloneKernel *kernel,
                             const TegulaStandaloneArgument *arguments,
                             int64_t count, char *message, size_t messageSize) {
  try {
    Problem problem = run(*kernel, arguments, count);
    if (!problem)
      return 0;
    copyText(problem.getText(), message, messageSize);
    return problem.getKind() == Problem::Kind::Run ? 2 : 1;
  } catch (std::bad_alloc &) {
    copyText("there is not enough memory for the call", message, messageSize);
    return 2;
  }
}

int32_t tegulaStandaloneCallOn(TegulaStandaloneKernel *kernel,
                               const TegulaStandaloneArgument *arguments,
                               int64_t count, void *stream, char *message,
                               size_t messageSize) {
  DeviceStreamScope scope({-1, stream});
  return tegulaStandaloneCall(kernel, arguments, count, message, messageSize);
}
