// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which channel an address lies in. Blocks of interleave size go around the
/// channels; higher bits are mixed in by exclusive or, so that a pitch that is
/// a power of two does not meet the same few channels again and again:
///   channel = (b ^ b >> s0 ^ b >> s1 ...) mod channels
/// No two blocks share a place: b / channels and the channel give b back.

#ifndef TEGULA_SIM_MEMORY_CHANNELHASH_H
#define TEGULA_SIM_MEMORY_CHANNELHASH_H

#include "tegula/sim/machine/Machine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace tegula::sim {

/// The hash of one machine, as shifts and masks.
class ChannelHash {
public:
  explicit ChannelHash(const Machine &machine)
      : blockShift(llvm::Log2_64(machine.dramInterleaveBytes)),
        channelShift(llvm::Log2_64(machine.dramChannels)),
        channelMask(machine.dramChannels - 1),
        lineMask(machine.dramLineBytes - 1), shifts(machine.dramHashShifts) {}

  int64_t getChannel(int64_t block) const {
    int64_t mixed = block;
    for (int64_t shift : shifts)
      mixed ^= block >> shift;
    return mixed & channelMask;
  }

  /// The address inside its channel of the first byte of `block`.
  int64_t getInnerAddress(int64_t block) const {
    return (block >> channelShift) << blockShift;
  }

  /// Calls `visit(block, offset, bytes)` for the part of each block that the
  /// bytes from `begin` to `end` take, ends rounded to whole lines.
  template <typename Visit>
  void forEachBlock(int64_t begin, int64_t end, Visit visit) const {
    begin &= ~lineMask;
    end = (end + lineMask) & ~lineMask;
    while (begin < end) {
      int64_t block = begin >> blockShift;
      int64_t next = std::min((block + 1) << blockShift, end);
      visit(block, begin - (block << blockShift), next - begin);
      begin = next;
    }
  }

private:
  int64_t blockShift;
  int64_t channelShift;
  int64_t channelMask;
  int64_t lineMask;
  std::vector<int64_t> shifts;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_CHANNELHASH_H
