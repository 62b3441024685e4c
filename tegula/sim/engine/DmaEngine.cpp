// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/DmaEngine.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

void DmaEngine::begin(const TegulaTraceOp &op, int32_t newSlot) {
  slot = newSlot;
  base = op.base;
  pitch = op.pitch;
  planePitch = op.planePitch;
  planes = op.planes;
  rows = op.rows;
  rowBytes = op.rowBytes;
  // Rows, or planes, without gaps are one.
  if (pitch == rowBytes) {
    rowBytes *= rows;
    rows = 1;
  }
  if (rows == 1 && planePitch == rowBytes) {
    rowBytes *= planes;
    planes = 1;
  }
  plane = row = column = 0;
  yielded = 0;
}

MemoryWindow DmaEngine::takeChunk() {
  MemoryWindow chunk{base + plane * planePitch + row * pitch + column, pitch, 1,
                     0};
  if (column > 0 || rowBytes > chunkBytes) {
    chunk.rowBytes = std::min(chunkBytes, rowBytes - column);
    column += chunk.rowBytes;
    if (column == rowBytes) {
      column = 0;
      ++row;
    }
  } else {
    chunk.rowBytes = rowBytes;
    chunk.rows = std::min(chunkBytes / rowBytes, rows - row);
    row += chunk.rows;
  }
  if (row == rows) {
    row = 0;
    ++plane;
  }
  return chunk;
}
