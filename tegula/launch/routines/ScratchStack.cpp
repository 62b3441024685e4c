// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/routines/ScratchStack.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

using namespace tegula;

static constexpr int64_t alignment = 64;
static constexpr int64_t leastChunk = int64_t(1) << 20;
static constexpr int64_t mostBytes = int64_t(1) << 46;
static constexpr int64_t hugePage = int64_t(2) << 20;
static constexpr int64_t page = 4096;

/// What takes several huge pages is asked for in such: to touch it first, and
/// to find its addresses, costs a fraction then. A system that has none gives
/// what it has.
static void *takeMemory(int64_t size) {
  bool isLarge = size >= 2 * hugePage;
  void *memory = nullptr;
  if (posix_memalign(&memory, isLarge ? hugePage : alignment, size) != 0)
    return nullptr;
  if (isLarge)
    (void)::madvise(memory, size / hugePage * hugePage, MADV_HUGEPAGE);
  return memory;
}

/// How many bytes after `pointer` the middle of a page is. Tensors mostly begin
/// where a page does, and what is read at the page offset where something was
/// written just before waits for that, whichever page it is.
static int64_t bytesToMiddle(const char *pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  return static_cast<int64_t>((page / 2 - address) % page);
}

void *ScratchStack::push(int64_t bytes) {
  if (bytes < 0 || bytes > mostBytes)
    return nullptr;
  bool isLong = bytes >= 4 * page;
  int64_t needed = headerBytes + (isLong ? page : 0) +
                   (bytes + alignment - 1) / alignment * alignment;
  Mark before = top;
  if (top.chunk == 0 && top.used == 0)
    most = 0;
  if (chunks.empty() || top.used + needed > chunks[top.chunk].size)
    if (!moveToChunkOf(needed)) {
      top = before;
      return nullptr;
    }
  const Chunk &chunk = chunks[top.chunk];
  char *block = chunk.memory + top.used + headerBytes;
  if (isLong)
    block += bytesToMiddle(block);
  std::memcpy(block - headerBytes, &before, sizeof(before));
  top.used += needed;
  most = std::max(most, chunk.start + top.used);
  return block;
}

/// Chunks above the top hold nothing, so one that is too small is replaced.
bool ScratchStack::moveToChunkOf(int64_t needed) {
  size_t next = chunks.empty() ? 0 : top.chunk + (top.used == 0 ? 0 : 1);
  if (next < chunks.size() && chunks[next].size < needed)
    freeFrom(next);
  if (next == chunks.size()) {
    int64_t size = std::max(needed, leastChunk);
    void *memory = takeMemory(size);
    if (!memory)
      return false;
    int64_t start = next == 0 ? 0 : chunks.back().start + chunks.back().size;
    // Kernels call this, through which no exception comes.
    try {
      chunks.push_back({static_cast<char *>(memory), size, start});
    } catch (std::bad_alloc &) {
      std::free(memory);
      return false;
    }
    reserved += size;
  }
  top = {static_cast<int64_t>(next), 0};
  return true;
}

/// Called when the stack is empty and there is something to decide.
void ScratchStack::settle() {
  if (reserved > retainedBytes && reserved / 4 > usual) {
    size_t first = 0;
    while (chunks[first].start + chunks[first].size <= retainedBytes)
      ++first;
    freeFrom(first);
  }
  usual = std::max(most, usual / 2);
  if (usual <= retainedBytes)
    usual = 0;
}

void ScratchStack::freeFrom(size_t first) {
  for (size_t chunk = first; chunk < chunks.size(); ++chunk) {
    std::free(chunks[chunk].memory);
    reserved -= chunks[chunk].size;
  }
  chunks.resize(first);
}
