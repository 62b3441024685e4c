// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls routines of a GPU on the emulator, by any number of blocks: those of
/// an emulated chip are too few for some decisions.

#ifndef TEST_BACKENDS_CUDA_DEVICECALL_H
#define TEST_BACKENDS_CUDA_DEVICECALL_H

#include "tegula/backends/cuda/device/routines/DeviceArena.h"
#include "tegula/backends/cuda/emulator/Emulator.h"

#include <functional>
#include <string>
#include <vector>

namespace tegula {

/// Who makes a call, and with how much scratch memory.
struct DeviceCall {
  int32_t blocks;
  int32_t threads = 64;
  int64_t scratchBytes = 2 << 20;
  TegulaCallState state = {};

  using Routine = std::function<void(TegulaGpuGridBarrier *, TegulaGpuArena *,
                                     TegulaCallState *)>;

  /// Returns what is wrong, as `emulate` does. What is written beyond the
  /// memory is noticed.
  std::string run(const Routine &routine) {
    struct Given {
      const Routine &routine;
      std::vector<char> memory;
      int64_t bytes;
      TegulaGpuGridBarrier barrier;
      TegulaCallState *state;
    };
    constexpr size_t guard = 4096;
    constexpr char untouched = 0x5a;
    Given given{routine,
                std::vector<char>(scratchBytes + guard, untouched),
                scratchBytes,
                {},
                &state};
    void *parameters[] = {&given};
    std::string problem =
        emulate({[](void *const *parameters) {
                   auto &all = *static_cast<Given *>(*parameters);
                   TegulaGpuArena arena = {all.memory.data(),
                                           all.memory.data() + all.bytes};
                   all.routine(&all.barrier, &arena, all.state);
                 },
                 parameters, blocks, threads,
                 /*sharedBytes=*/256, /*atOnce=*/blocks});
    for (size_t i = scratchBytes; i < given.memory.size(); ++i)
      if (given.memory[i] != untouched)
        return "memory behind the scratch memory was written";
    return problem;
  }
};

/// Tensors of rows side by side, as KernelAbi.h lays them out.
class DescribedRows {
public:
  explicit DescribedRows(int64_t rows) : numbers{rows} {}

  template <typename Element>
  DescribedRows &add(std::vector<Element> &tensor, int64_t length) {
    return add(tensor.data(), length, length, 1);
  }
  template <typename Element>
  DescribedRows &add(Element *start, int64_t length, int64_t stride,
                     int64_t step) {
    for (int64_t number :
         {reinterpret_cast<int64_t>(start), length, stride, step})
      numbers.push_back(number);
    return *this;
  }
  const int64_t *data() const { return numbers.data(); }

private:
  std::vector<int64_t> numbers;
};

} // namespace tegula

#endif // TEST_BACKENDS_CUDA_DEVICECALL_H
