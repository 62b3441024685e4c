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

MemoryWindow DmaEngine::takePiece() {
  MemoryWindow piece{base + plane * planePitch + row * pitch + column, pitch, 1,
                     0};
  if (column > 0 || rowBytes > pieceBytes) {
    piece.rowBytes = std::min(pieceBytes, rowBytes - column);
    column += piece.rowBytes;
    if (column == rowBytes) {
      column = 0;
      ++row;
    }
  } else {
    piece.rowBytes = rowBytes;
    piece.rows = std::min(pieceBytes / rowBytes, rows - row);
    row += piece.rows;
  }
  if (row == rows) {
    row = 0;
    ++plane;
  }
  return piece;
}
