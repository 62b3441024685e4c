// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parameters that a variant of a kernel names. In the IR they have the numbers
/// of the kernel's parameters; a launch counts tensors and slots of a call.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_GPUPARAMETER_H
#define TEGULA_LAUNCH_GPU_VARIANTS_GPUPARAMETER_H

#include "tegula/launch/Fields.h"

#include <cstdint>

namespace tegula {

/// A tensor: of the program at a launch; -1 if there is none.
struct GpuTensorNumber {
  int64_t number;

  constexpr GpuTensorNumber(int64_t number = -1) : number(number) {}
  constexpr operator int64_t() const { return number; }
};

/// A scalar: the slot of a call that has it at a launch; -1 if there is none.
struct GpuSlotNumber {
  int64_t number;

  constexpr GpuSlotNumber(int64_t number = -1) : number(number) {}
  constexpr operator int64_t() const { return number; }
};

template <> struct Fields<GpuTensorNumber> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("number", self.number);
  }
  static const char *findMistake(GpuTensorNumber tensor) {
    return tensor < -1 ? "a tensor has a number below -1" : nullptr;
  }
};

template <> struct Fields<GpuSlotNumber> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("number", self.number);
  }
  static const char *findMistake(GpuSlotNumber slot) {
    return slot < -1 ? "a scalar has a number below -1" : nullptr;
  }
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_GPUPARAMETER_H
