// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/CudaMachine.h"

#include "tegula/launch/gpu/abi/GpuAbi.h"

using namespace tegula;

/// Tiles that give each thread of a block some elements.
static MachineModel makeMachine() {
  MachineModel machine = {
      "cuda",
      {/*rows=*/8, /*columns=*/16384, /*elements=*/4096, /*matmulRows=*/128,
       /*matmulColumns=*/128, /*depth=*/64, /*largest=*/1 << 15},
      {{pl::MemorySpace::Scratchpad,
        "memory",
        /*bytes=*/0,
        /*alignment=*/64,
        {TileRole::Value}},
       // Operands are copied to shared memory.
       {pl::MemorySpace::Matrix,
        "memory of operands",
        /*bytes=*/0,
        /*alignment=*/64,
        {TileRole::Lhs, TileRole::Rhs}}}};
  machine.addsAtomically = true;
  // Matmuls are cut as other tiles are: code for whole matrices is a variant
  // next to that, for calls that it can take.
  machine.multipliesWholeMatrices = false;
  // Long rows have all threads of a block.
  machine.rowElements = TegulaGpuBlockElements;
  return machine;
}

const MachineModel &tegula::getCudaMachine() {
  static const MachineModel machine = makeMachine();
  return machine;
}

unsigned tegula::getChipNumber(llvm::StringRef chip) {
  unsigned number = 0;
  llvm::StringRef digits = chip.drop_front(3);
  digits.consumeInteger(10, number);
  return number;
}

int64_t tegula::getSharedBytes(llvm::StringRef chip) {
  constexpr int64_t ours = 9 << 10;
  unsigned number = getChipNumber(chip);
  // Code for one chip alone has what that one has; other code may be loaded on
  // chips that have less.
  bool isLarge = !llvm::isDigit(chip.back()) &&
                 (number == 90 || (number >= 100 && number < 120));
  int64_t kilobytes = isLarge ? 227 : number >= 80 ? 99 : 64;
  return (kilobytes << 10) - ours;
}
