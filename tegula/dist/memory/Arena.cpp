// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/memory/Arena.h"

#include <algorithm>
#include <cassert>

using namespace tegula;

void Arena::extend(int64_t bytes) {
  assert(bytes >= size && "a range does not shrink");
  if (bytes > size)
    addFree(size, bytes - size);
  size = bytes;
}

void Arena::addFree(int64_t offset, int64_t bytes) {
  auto next = unused.lower_bound(offset);
  if (next != unused.end() && offset + bytes == next->first) {
    bytes += next->second;
    next = unused.erase(next);
  }
  if (next != unused.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += bytes;
      return;
    }
  }
  unused[offset] = bytes;
}

int64_t Arena::allocate(int64_t bytes) {
  if (bytes < 0 || bytes > size)
    return -1;
  bytes = std::max<int64_t>(64, (bytes + 63) / 64 * 64);
  for (auto [offset, free] : unused) {
    if (free < bytes)
      continue;
    unused.erase(offset);
    if (free > bytes)
      unused[offset + bytes] = free - bytes;
    used[offset] = bytes;
    return offset;
  }
  return -1;
}

void Arena::free(int64_t offset) {
  auto block = used.find(offset);
  assert(block != used.end() && "no block begins there");
  addFree(block->first, block->second);
  used.erase(block);
}
