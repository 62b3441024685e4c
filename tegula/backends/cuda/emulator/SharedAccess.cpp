// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/SharedAccess.h"

#include "tegula/backends/cuda/emulator/Emulation.h"

#include <cstring>

using namespace tegula;
using namespace tegula::emulator;

static Bytes toBytes(const char *address, int64_t bytes) {
  SharedMemory &memory = getEmulation().getBlock().shared;
  uint32_t offset = memory.toOffset(
      static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address)));
  if (!memory.has(offset, bytes))
    getEmulation().fail("a thread uses byte " +
                        std::to_string(int32_t(offset) - SharedMemory::kept) +
                        " of shared memory, which is not there");
  return {offset, offset + static_cast<uint32_t>(bytes)};
}

template <typename Word> static Word wordAt(const char *address) {
  Word word;
  std::memcpy(&word, address, sizeof(Word));
  return word;
}

/// Chips have one NaN of each type; this processor gives them signs.
static bool isNan(uint32_t word) { return (word & 0x7fffffff) > 0x7f800000; }
/// Of FP16 or BF16, whose infinity is NaN of FP16.
static bool isNan(uint16_t word) {
  constexpr uint16_t infinity = 0x7f80;
  uint16_t size = word & 0x7fff;
  return size > 0x7c00 && size != infinity;
}

/// True if the words are equal, or NaN that somebody stored.
template <typename Word>
static bool areSame(const char *there, const char *stored, int64_t bytes) {
  if (bytes % int64_t(sizeof(Word)) != 0)
    return false;
  for (int64_t i = 0; i < bytes; i += sizeof(Word)) {
    Word before = wordAt<Word>(there + i), after = wordAt<Word>(stored + i);
    bool isSpoilt = before == static_cast<Word>(~Word(0));
    if (before != after && (isSpoilt || !isNan(before) || !isNan(after)))
      return false;
  }
  return true;
}

void tegulaGpuSharedLoad(const char *address, int64_t bytes) {
  Bytes read = toBytes(address, bytes);
  getEmulation().getHopper().load(getEmulation().getThreadOfCluster(), read);
}

void tegulaGpuSharedStore(const char *address, int64_t bytes,
                          const char *stored) {
  Bytes written = toBytes(address, bytes);
  if (std::memcmp(address, stored, bytes) == 0 ||
      areSame<uint32_t>(address, stored, bytes) ||
      areSame<uint16_t>(address, stored, bytes))
    return;
  getEmulation().getHopper().store(getEmulation().getThreadOfCluster(),
                                   written);
}
