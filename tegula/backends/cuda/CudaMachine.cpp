// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/CudaMachine.h"

using namespace tegula;

/// Tiles that give each thread of a block some elements.
static MachineModel makeMachine() {
  MachineModel machine = {
      "cuda",
      {/*rows=*/16, /*columns=*/1024, /*elements=*/4096, /*matmulRows=*/64,
       /*matmulColumns=*/64, /*depth=*/64, /*largest=*/1 << 14},
      {{pl::MemorySpace::Scratchpad,
        "memory",
        /*bytes=*/0,
        /*alignment=*/64,
        {TileRole::Value}}}};
  return machine;
}

const MachineModel &tegula::getCudaMachine() {
  static const MachineModel machine = makeMachine();
  return machine;
}
