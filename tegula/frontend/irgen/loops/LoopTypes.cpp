// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/LoopTypes.h"

using namespace tegula;

void LoopTypeTable::startRound() {
  positions.clear();
  changed = false;
}

LoopTypes &LoopTypeTable::at(Stmts body) {
  const void *key = body.data();
  return loops[{key, positions[key]++}];
}
