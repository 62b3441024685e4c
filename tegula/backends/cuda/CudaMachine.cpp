// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/CudaMachine.h"

using namespace tegula;

/// Tiles that give each thread of a block some elements.
static MachineModel makeMachine() {
  MachineModel machine = {
      "cuda",
      {/*rows=*/8, /*columns=*/16384, /*elements=*/4096, /*matmulRows=*/64,
       /*matmulColumns=*/64, /*depth=*/64, /*largest=*/1 << 14},
      {{pl::MemorySpace::Scratchpad,
        "memory",
        /*bytes=*/0,
        /*alignment=*/64,
        {TileRole::Value}},
       // Factors are copied to where all threads of a block read them.
       {pl::MemorySpace::Matrix,
        "memory of factors",
        /*bytes=*/0,
        /*alignment=*/64,
        {TileRole::LeftFactor, TileRole::RightFactor}}}};
  return machine;
}

const MachineModel &tegula::getCudaMachine() {
  static const MachineModel machine = makeMachine();
  return machine;
}

int64_t tegula::getSharedBytes(llvm::StringRef chip) {
  constexpr int64_t ours = 9 << 10;
  unsigned number = 0;
  chip.drop_front(3).consumeInteger(10, number);
  // What the makers say of each.
  int64_t kilobytes = number >= 100  ? 99
                      : number == 90 ? 227
                      : number == 80 ? 163
                      : number == 87 ? 163
                      : number >= 86 ? 99
                      : number == 75 ? 64
                                     : 96;
  if (number == 100 || number == 101 || number == 103)
    kilobytes = 227;
  return (kilobytes << 10) - ours;
}
