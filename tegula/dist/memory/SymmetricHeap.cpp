// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/memory/SymmetricHeap.h"

#include <algorithm>
#include <cstring>

using namespace tegula;

static constexpr int64_t alignment = 64;

static int64_t align(int64_t bytes) {
  return std::max<int64_t>(1, (bytes + alignment - 1) / alignment) * alignment;
}

SymmetricHeap::Location SymmetricHeap::allocate(int64_t bytes) {
  if (bytes < 0 || bytes > INT64_MAX / 4)
    return {};
  int64_t size = align(bytes);
  for (size_t number = top.segment; number < segments.size(); ++number) {
    int64_t start = number == top.segment ? top.used : 0;
    if (segments[number].bytes - start < size)
      continue;
    for (; top.segment < number; ++top.segment, top.used = 0)
      used[top.segment] = top.used;
    top.used = start + size;
    return {&segments[number], start};
  }
  return {};
}

int64_t SymmetricHeap::getGrowth(int64_t bytes) const {
  constexpr int64_t least = int64_t(4) << 20;
  if (bytes < 0 || bytes > INT64_MAX / 4)
    return -1;
  int64_t reserved = least / 2;
  for (const Segment &segment : segments)
    reserved += segment.bytes;
  return std::max({least, align(bytes), std::min(reserved, int64_t(1) << 30)});
}

void SymmetricHeap::add(Segment segment) {
  segments.push_back(std::move(segment));
  used.push_back(0);
}

int64_t SymmetricHeap::getUsed(size_t segment) const {
  if (segment == top.segment)
    return top.used;
  return segment < top.segment ? used[segment] : 0;
}

SymmetricHeap::Location SymmetricHeap::find(const void *address,
                                            int64_t owner) const {
  for (size_t number = 0; number < segments.size(); ++number) {
    int64_t offset =
        static_cast<const char *>(address) - segments[number].parts[owner];
    if (offset >= 0 && offset < getUsed(number))
      return {&segments[number], offset};
  }
  return {};
}

void SymmetricHeap::clear(int64_t owner) {
  for (size_t number = 0; number < segments.size(); ++number)
    std::memset(segments[number].parts[owner], 0, getUsed(number));
}
