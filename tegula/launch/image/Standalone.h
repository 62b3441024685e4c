// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that were compiled ahead of time into a library that stands alone:
/// what the C function of a kernel calls. Generated code knows these layouts, C
/// programs that of TegulaTensor.

#ifndef TEGULA_LAUNCH_IMAGE_STANDALONE_H
#define TEGULA_LAUNCH_IMAGE_STANDALONE_H

#include "tegula/support/KernelAbi.h"

#include <cstddef>
#include <cstdint>

extern "C" {

/// A tensor as C programs describe it.
struct TegulaTensor {
  /// The element at index 0 of every axis.
  void *data;
  /// A tegula::DType.
  int32_t dtype;
  int32_t rank;
  /// `rank` extents.
  const int64_t *sizes;
  /// As many strides, in elements; null if the rows follow each other.
  const int64_t *strides;
};

/// One argument of a call.
struct TegulaStandaloneArgument {
  enum Kind : int64_t { Tensor, Signed, Unsigned, Float };

  int64_t kind;
  union {
    const TegulaTensor *tensor;
    int64_t integer;
    double real;
  };
};

/// A kernel of the library, all of it constant but `state`.
struct TegulaStandaloneKernel {
  TegulaKernel entry;
  /// What tegula::writeFacts made.
  const char *facts;
  uint64_t factsSize;
  /// The features of the processor that the code needs, with spaces between.
  const char *features;
  /// What the first call makes of the facts; null before.
  void *state;
};

/// Checks the arguments and runs the kernel. Returns 0, or 1 if the call was
/// refused and nothing has run, or 2 if it ended early. Then `message`, unless
/// it is null, says why, cut to `messageSize` bytes with the final zero.
int32_t tegulaStandaloneCall(TegulaStandaloneKernel *kernel,
                             const TegulaStandaloneArgument *arguments,
                             int64_t count, char *message, size_t messageSize);

/// The same on a stream of a device.
int32_t tegulaStandaloneCallOn(TegulaStandaloneKernel *kernel,
                               const TegulaStandaloneArgument *arguments,
                               int64_t count, void *stream, char *message,
                               size_t messageSize);

} // extern "C"

#endif // TEGULA_LAUNCH_IMAGE_STANDALONE_H
