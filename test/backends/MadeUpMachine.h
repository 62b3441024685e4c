// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A machine that nobody builds: three elements at a time, a few KB to keep
/// them in, and buffers of their own for matmuls. Whatever takes a size for
/// granted goes wrong on it.

#ifndef TEGULA_TEST_BACKENDS_MADEUPMACHINE_H
#define TEGULA_TEST_BACKENDS_MADEUPMACHINE_H

#include "tegula/backends/cpu/CpuTarget.h"

namespace tegula {

/// It runs the code of this processor.
class MadeUpMachine : public CpuTarget {
public:
  /// A buffer for matmuls has half of what the scratchpad has.
  explicit MadeUpMachine(int64_t scratchpadBytes = 4096,
                         CpuOptions options = CpuOptions::forHost())
      : CpuTarget("made up", std::move(options)) {
    auto add = [&](pl::MemorySpace space, const char *name, int64_t bytes,
                   int64_t alignment, TileRole role) {
      machine.memories.push_back({space, name, bytes, alignment, {role}});
    };
    int64_t bufferBytes = scratchpadBytes / 2;
    add(pl::MemorySpace::Scratchpad, "scratchpad", scratchpadBytes, 32,
        TileRole::Value);
    add(pl::MemorySpace::Left, "left buffer", bufferBytes, 64, TileRole::Lhs);
    add(pl::MemorySpace::Right, "right buffer", bufferBytes, 64, TileRole::Rhs);
    add(pl::MemorySpace::Accumulator, "accumulators", bufferBytes, 64,
        TileRole::Accumulator);
  }

  /// Its ops reach no tensor: loads and stores are copies.
  void keepFromTensors() { machine.computesOnTensors = false; }

  const MachineModel &getMachine() const override { return machine; }

private:
  MachineModel machine = {"the made-up machine",
                          {/*rows=*/3, /*columns=*/3, /*elements=*/3,
                           /*matmulRows=*/3, /*matmulColumns=*/3, /*depth=*/3,
                           /*largest=*/12, /*shortRows=*/0,
                           /*uncachedElements=*/0,
                           /*uncachedColumns=*/0, /*leastIteration=*/1},
                          {}};
};

} // namespace tegula

#endif // TEGULA_TEST_BACKENDS_MADEUPMACHINE_H
