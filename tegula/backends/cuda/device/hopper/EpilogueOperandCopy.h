// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the epilogue operand of a tile lies in the ring of
/// buffers, if the kernel copies it.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_EPILOGUEOPERANDCOPY_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_EPILOGUEOPERANDCOPY_H

#include "tegula/backends/cuda/device/hopper/RingSlot.h"
#include "tegula/backends/cuda/device/hopper/TileShare.h"

namespace tegula::hopper {

/// Of tiles of so many columns, to a ring of so many buffers.
template <int32_t Columns, int32_t Stages, bool IsPingPong>
struct EpilogueOperandCopy {
  /// A ping-pong kernel copies nothing: the ring would wait until a tile
  /// is stored.
  static bool isMade() {
    return !IsPingPong && tegulaMatmulEpilogueOperandBytes() != 0;
  }
  /// To how many buffers.
  static int32_t countBuffers() { return rows / countRows(); }
  /// Rows that a buffer has, and the bytes from one to the next.
  static int32_t countRows() {
    return tegulaMatmulEpilogueOperandRows(Columns,
                                           tegulaMatmulEpilogueOperandBytes());
  }
  static int32_t getPitch() {
    return Columns * tegulaMatmulEpilogueOperandBytes();
  }
  static int32_t getBytes() { return countRows() * getPitch(); }

  /// Where an element of a tile is, in buffers of the ring of so many bytes,
  /// the first of which is at `slot`.
  static uint32_t find(uint32_t ring, int32_t bufferBytes,
                       RingSlot<Stages> slot, int32_t row, int32_t column) {
    slot.skip(row / countRows());
    return ring + slot.stage * bufferBytes + row % countRows() * getPitch() +
           column * tegulaMatmulEpilogueOperandBytes();
  }
};

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_EPILOGUEOPERANDCOPY_H
