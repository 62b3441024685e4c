// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/CpuMachine.h"

using namespace tegula;

/// Windows that stay in the nearest caches with all that is read for them.
static MachineModel makeMachine(bool useThreads) {
  MachineModel machine = {
      "cpu",
      {/*rows=*/16, /*columns=*/4096, /*elements=*/4096, /*matmulRows=*/64,
       /*matmulColumns=*/128, /*depth=*/256, /*largest=*/1 << 16,
       /*shortRows=*/128, /*uncachedElements=*/1 << 20,
       /*uncachedColumns=*/1024,
       /*leastIteration=*/1 << 13, /*transposedRows=*/512},
      {{pl::MemorySpace::Scratchpad,
        "memory",
        /*bytes=*/0,
        /*alignment=*/64,
        {TileRole::Value}}}};
  machine.runsIterationsAtOnce = useThreads;
  machine.multipliesWholeMatrices = true;
  // Matmuls widen what they copy anyway, or multiply it as it is.
  machine.widensOperands = false;
  // Compiled code is kept and shipped: what it computes does not depend on how
  // many threads share the blocks of a grid.
  if (!useThreads)
    machine.parts = {/*clusters=*/1, /*vectorCores=*/2};
  return machine;
}

const MachineModel &tegula::getCpuMachine(bool useThreads) {
  static const MachineModel one = makeMachine(/*useThreads=*/false);
  static const MachineModel several = makeMachine(/*useThreads=*/true);
  return useThreads ? several : one;
}
