// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A machine that nobody builds: three elements at a time, 4 KB to keep them
/// in. Whatever takes a size for granted goes wrong on it.

#ifndef TEGULA_TEST_BACKENDS_MADEUPMACHINE_H
#define TEGULA_TEST_BACKENDS_MADEUPMACHINE_H

#include "tegula/backends/cpu/CpuTarget.h"

namespace tegula {

/// It runs the code of this processor.
class MadeUpMachine : public CpuTarget {
public:
  explicit MadeUpMachine(CpuOptions options = CpuOptions::forHost())
      : CpuTarget("made up", std::move(options)) {}

  const MachineModel &getMachine() const override {
    static const MachineModel machine = {
        {/*rows=*/3, /*columns=*/3, /*elements=*/3, /*matmulRows=*/3,
         /*matmulColumns=*/3, /*depth=*/3, /*largest=*/12},
        {{"scratchpad", /*bytes=*/4096, /*alignment=*/32}}};
    return machine;
  }
};

} // namespace tegula

#endif // TEGULA_TEST_BACKENDS_MADEUPMACHINE_H
