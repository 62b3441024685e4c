// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One direction of a core's DMA: a transfer is asked for in chunks, so that
/// transfers of several cores and directions interleave, and no more chunks
/// are on their way than the machine allows.

#ifndef TEGULA_SIM_ENGINE_DMAENGINE_H
#define TEGULA_SIM_ENGINE_DMAENGINE_H

#include "tegula/sim/memory/Dram.h"
#include "tegula/support/TraceAbi.h"

namespace tegula::sim {

/// The state of one engine. The core it belongs to moves it.
class DmaEngine {
public:
  /// Chunks that make up the bytes in flight.
  static constexpr int64_t chunksInFlight = 4;

  explicit DmaEngine(const Machine &machine)
      : chunkBytes(std::max<int64_t>(machine.dmaBytesInFlight / chunksInFlight,
                                     machine.dramLineBytes)) {}

  /// Begins with `op`, which is at `slot` of the window.
  void begin(const TegulaTraceOp &op, int32_t slot);
  /// The next chunk of the transfer at hand.
  MemoryWindow takeChunk();
  bool isAtEnd() const { return plane == planes; }
  bool hasRoom() const { return numInFlight < chunksInFlight; }
  int32_t getSlot() const { return slot; }

  /// Chunks that were asked for and have not come.
  int64_t numInFlight = 0;
  /// Whether the next chunk waits for one to arrive.
  bool isWaitingForRoom = false;
  /// Whether the next chunk lets loads go first, and since when.
  bool isYielding = false;
  Time yieldingSince = 0;
  /// How long the transfer at hand has let loads go first.
  Time yielded = 0;

private:
  int64_t chunkBytes;
  int32_t slot = -1;
  int64_t base = 0, pitch = 0, planePitch = 0;
  int64_t planes = 0, rows = 0, rowBytes = 0;
  // The place of the next chunk.
  int64_t plane = 0, row = 0, column = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_DMAENGINE_H
