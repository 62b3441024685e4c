// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/Unit.h"

using namespace tegula;
using namespace tegula::sim;

llvm::StringRef sim::getName(Unit unit) {
  static constexpr llvm::StringLiteral names[numUnits] = {
      "dma in", "dma out",  "weights",   "matrix",    "readout",
      "vector", "dispatch", "vector in", "vector out"};
  return names[static_cast<unsigned>(unit)];
}

llvm::StringRef sim::getName(Stall stall) {
  static constexpr llvm::StringLiteral names[numStalls] = {
      "launch",      "dispatch",        "load data",     "peer data",
      "signal",      "matmul",          "vector result", "readout",
      "store drain", "handover",        "buffer in use", "weight load",
      "weight slot", "drain",           "loads first",   "barrier",
      "window full", "work item limit", "no work"};
  return names[static_cast<unsigned>(stall)];
}
