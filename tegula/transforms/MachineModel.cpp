// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/MachineModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;

const MachineMemory *MachineModel::findMemory(pl::MemorySpace space) const {
  auto found = llvm::find_if(memories, [&](const MachineMemory &memory) {
    return memory.space == space;
  });
  return found == memories.end() ? nullptr : &*found;
}

const MachineMemory &MachineModel::getMemoryFor(TileRole role) const {
  auto find = [&](TileRole wanted) {
    return llvm::find_if(memories, [&](const MachineMemory &memory) {
      return llvm::is_contained(memory.holds, wanted);
    });
  };
  auto found = find(role);
  if (found == memories.end())
    found = find(TileRole::Value);
  assert(found != memories.end() && "a machine has a memory for its values");
  return *found;
}

bool MachineModel::hasBoundedMemory() const {
  return llvm::any_of(
      memories, [](const MachineMemory &memory) { return memory.isBounded(); });
}
