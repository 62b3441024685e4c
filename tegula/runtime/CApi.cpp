// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/CApi.h"

#include "tegula/runtime/Compiler.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdlib>
#include <cstring>

using namespace tegula;

static_assert(static_cast<int>(DType::FP8E5M2) == TegulaFP8E5M2,
              "the element types of C and C++ have the same numbers");

struct TegulaKernelHandle {
  Kernel kernel;
};

/// Hands the text of `error` out and returns what a failed function does.
static int fail(Error error, char **message) {
  std::string text = llvm::toString(std::move(error));
  if (message)
    *message = strdup(text.c_str());
  return 0;
}

/// Converts one argument; `index` is its position.
static Expected<Argument> toArgument(const TegulaArgument &from,
                                     int64_t index) {
  switch (from.kind) {
  case TegulaIntegerArgument:
    return Argument(from.integer);
  case TegulaFloatArgument:
    return Argument(from.real);
  case TegulaTensorArgument:
    break;
  default:
    return makeError("argument {0}: kind {1} does not exist", index, from.kind);
  }
  if (from.dtype < TegulaBool || from.dtype > TegulaFP8E5M2)
    return makeError("argument {0}: element type {1} does not exist", index,
                     from.dtype);
  if (from.rank < 0 || from.rank > static_cast<int>(TensorView::maxRank))
    return makeError("argument {0}: {1} axes, at most {2} are possible", index,
                     from.rank, TensorView::maxRank);
  if (from.rank > 0 && (!from.sizes || !from.strides))
    return makeError("argument {0}: {1} is null, but there are {2} axes", index,
                     from.sizes ? "'strides'" : "'sizes'", from.rank);
  size_t rank = from.rank;
  return Argument(TensorView(from.data, static_cast<DType>(from.dtype),
                             {from.sizes, rank}, {from.strides, rank}));
}

int tegulaKernelLoadForTarget(const char *path, const char *name,
                              const char *target, TegulaKernelHandle **kernel,
                              char **message) {
  if (!path || !kernel)
    return fail(makeError("{0} is null", path ? "'kernel'" : "'path'"),
                message);
  KernelSource source = {path, name ? name : ""};
  source.target = target ? target : "";
  Expected<Kernel> loaded = loadKernel(source);
  if (!loaded)
    return fail(loaded.takeError(), message);
  *kernel = new TegulaKernelHandle{std::move(*loaded)};
  return 1;
}

int tegulaKernelLoad(const char *path, const char *name,
                     TegulaKernelHandle **kernel, char **message) {
  return tegulaKernelLoadForTarget(path, name, nullptr, kernel, message);
}

int tegulaKernelCall(const TegulaKernelHandle *kernel,
                     const TegulaArgument *arguments, int64_t count,
                     char **message) {
  if (!kernel || (!arguments && count > 0))
    return fail(makeError("{0} is null", kernel ? "'arguments'" : "'kernel'"),
                message);
  if (count < 0)
    return fail(makeError("'count' is {0}, it cannot be negative", count),
                message);
  llvm::SmallVector<Argument, 8> converted;
  for (int64_t index = 0; index < count; ++index) {
    Expected<Argument> argument = toArgument(arguments[index], index);
    if (!argument)
      return fail(argument.takeError(), message);
    converted.push_back(*argument);
  }
  if (Error error = kernel->kernel(converted))
    return fail(std::move(error), message);
  return 1;
}

uint64_t tegulaKernelGetCompileCount(const TegulaKernelHandle *kernel) {
  return kernel->kernel.getCompileCount();
}

int tegulaKernelCompare(const char *firstPath, const char *firstName,
                        const char *secondPath, const char *secondName,
                        char **difference, char **message) {
  if (!firstPath || !secondPath || !difference)
    return fail(makeError("{0} is null", !firstPath    ? "'firstPath'"
                                         : !secondPath ? "'secondPath'"
                                                       : "'difference'"),
                message);
  Expected<std::optional<KernelDifference>> found =
      findDifference({firstPath, firstName ? firstName : ""},
                     {secondPath, secondName ? secondName : ""});
  if (!found)
    return fail(found.takeError(), message);
  *difference = *found ? strdup((*found)->text.c_str()) : nullptr;
  return 1;
}

void tegulaKernelDestroy(TegulaKernelHandle *kernel) { delete kernel; }

void tegulaStringDestroy(char *message) { std::free(message); }
