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

void tegulaGpuSharedLoad(const char *address, int64_t bytes) {
  Bytes read = toBytes(address, bytes);
  getEmulation().getHopper().load(getEmulation().getThreadOfCluster(), read);
}

void tegulaGpuSharedStore(const char *address, int64_t bytes,
                          const char *stored) {
  Bytes written = toBytes(address, bytes);
  if (std::memcmp(address, stored, bytes) == 0)
    return;
  getEmulation().getHopper().store(getEmulation().getThreadOfCluster(),
                                   written);
}
