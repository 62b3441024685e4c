// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuArguments.h"

#include "tegula/launch/gpu/driver/CudaContext.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"

using namespace tegula;

namespace {

/// The driver, in the context of a stream's device.
struct EnteredDriver {
  const cuda::Driver *driver = nullptr;
  std::unique_ptr<cuda::ContextScope> context;

  Problem enter(const DeviceStream &stream) {
    std::string words;
    driver = cuda::findDriver(words);
    if (!driver)
      return makeProblem(Problem::Kind::System, "{0}", words);
    context = std::make_unique<cuda::ContextScope>(*driver);
    return check(context->enter(stream), "start");
  }

  Problem check(cuda::Result result, const char *doing) const {
    if (result == 0)
      return {};
    const char *words = "unknown error";
    driver->errorString(result, &words);
    return makeProblem(Problem::Kind::System, "cannot {0} on the GPU: {1}",
                       doing, words);
  }
};

/// The bytes from the first to the last element of a tensor.
struct TensorSpan {
  const char *start;
  uint64_t bytes = 0;

  explicit TensorSpan(const TensorView &view)
      : start(static_cast<const char *>(view.data)) {
    int64_t first = 0, last = 0;
    for (unsigned axis = 0; axis < view.rank; ++axis) {
      if (view.sizes[axis] == 0)
        return;
      int64_t reach = (view.sizes[axis] - 1) * view.strides[axis];
      (reach < 0 ? first : last) += reach;
    }
    start -= getDenseBytes(-first, view.dtype);
    bytes =
        getDenseBytes(-first, view.dtype) + getDenseBytes(last + 1, view.dtype);
  }
};

} // namespace

Problem GpuArguments::make(llvm::ArrayRef<Argument> given,
                           std::unique_ptr<GpuArguments> &made) {
  std::unique_ptr<GpuArguments> copies(new GpuArguments());
  EnteredDriver gpu;
  if (Problem problem = gpu.enter(copies->stream))
    return problem;
  for (const Argument &argument : given) {
    copies->arguments.push_back(argument);
    if (!argument.isTensor())
      continue;
    TensorView view = argument.getTensor();
    TensorSpan span(view);
    if (span.bytes == 0)
      continue;
    uint64_t &copy = copies->memory.emplace_back(0);
    if (Problem problem = gpu.check(
            gpu.driver->allocate(&copy, span.bytes, nullptr), "make a tensor"))
      return problem;
    if (Problem problem =
            gpu.check(gpu.driver->copyIn(copy, span.start, span.bytes, nullptr),
                      "copy a tensor"))
      return problem;
    view.data = reinterpret_cast<char *>(copy) +
                (static_cast<const char *>(view.data) - span.start);
    copies->arguments.back() = view;
  }
  if (Problem problem =
          gpu.check(gpu.driver->synchronize(nullptr), "copy tensors"))
    return problem;
  made = std::move(copies);
  return {};
}

GpuArguments::~GpuArguments() {
  EnteredDriver gpu;
  if (Problem problem = gpu.enter(stream))
    return;
  for (uint64_t address : memory)
    if (address)
      gpu.driver->free(address, nullptr);
}

Problem tegula::finishGpuCalls(const DeviceStream &stream) {
  EnteredDriver gpu;
  if (Problem problem = gpu.enter(stream))
    return problem;
  return gpu.check(
      gpu.driver->synchronize(static_cast<cuda::Stream>(stream.stream)), "run");
}
