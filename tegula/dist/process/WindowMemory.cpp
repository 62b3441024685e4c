// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/WindowMemory.h"

#include "tegula/dist/memory/AvailableMemory.h"
#include "tegula/dist/process/CallLifetime.h"
#include "tegula/dist/process/RankBarriers.h"
#include "tegula/dist/process/RankReporter.h"

using namespace tegula;

bool WindowMemory::grow(SymmetricHeap &heap, SegmentKind kind, int64_t bytes,
                        CallLocation location) {
  int64_t size = heap.getGrowth(bytes);
  int64_t parts =
      kind == SegmentKind::PerRank ? process.transport->getLocalCount() : 1;
  bool fits = size > 0 && size <= readAvailableMemory(isDirect()) / parts;
  int64_t allFit = 0;
  if (!barriers.exchange({OwnBarrier::Growth, fits, location.site}, location,
                         allFit))
    return false;
  if (!allFit) {
    location.report(TegulaOutOfMemory, bytes);
    reporter.fail(location);
    return false;
  }
  Segment segment;
  if (Problem problem = process.transport->createSegment(size, kind, segment)) {
    reporter.recordProblem(std::move(problem), location);
    return false;
  }
  heap.add(std::move(segment));
  return true;
}

void *WindowMemory::allocateOn(SymmetricHeap &heap, SegmentKind kind,
                               int64_t bytes, CallLocation location) {
  if (!lifetime.enter(location))
    return nullptr;
  SymmetricHeap::Location block = heap.allocate(bytes);
  if (!block && grow(heap, kind, bytes, location))
    block = heap.allocate(bytes);
  return block ? block.segment->parts[getRank()] + block.offset : nullptr;
}

void *WindowMemory::allocateWindow(int64_t bytes, CallLocation location) {
  return allocateOn(windows, SegmentKind::PerRank, bytes, location);
}

void *WindowMemory::allocateShared(int64_t bytes, CallLocation location) {
  return allocateOn(shared,
                    isDirect() ? SegmentKind::OneForAll : SegmentKind::PerRank,
                    bytes, location);
}

void *WindowMemory::allocateKept(int64_t bytes, CallLocation location) {
  return allocateOn(kept, SegmentKind::PerRank, bytes, location);
}

void WindowMemory::release() {
  windows.clear(getRank());
  windows.release();
  shared.release();
}

void WindowMemory::addWindow(char *begin, int64_t bytes) {
  Segment segment;
  segment.bytes = bytes;
  for (int64_t rank = 0; rank < getCount(); ++rank)
    segment.parts.push_back(begin + rank * bytes);
  kept.add(std::move(segment));
  kept.allocate(bytes);
}

char *WindowMemory::findOwn(char *first) const {
  SymmetricHeap::Location location = kept.find(first, 0);
  return location && location.segment->number < 0
             ? location.segment->parts[getRank()] + location.offset
             : first;
}

bool WindowMemory::isMapped(const void *address) const {
  auto *byte = static_cast<const char *>(address);
  for (auto [begin, end] : sharedRanges)
    if (byte >= begin && byte < end)
      return true;
  return false;
}

bool WindowMemory::isShared(const void *address) const {
  return isMapped(address) || shared.find(address, getRank()) ||
         kept.find(address, getRank());
}

void WindowMemory::addShared(const void *begin, int64_t bytes) {
  auto *first = static_cast<const char *>(begin);
  sharedRanges.push_back({first, first + bytes});
}

SymmetricHeap::Location WindowMemory::findBlock(const void *own) const {
  SymmetricHeap::Location found = windows.find(own, getRank());
  return found ? found : kept.find(own, getRank());
}

SymmetricHeap::Location WindowMemory::findWindow(const void *own, int64_t peer,
                                                 CallLocation location) {
  if (!lifetime.enter(location))
    return {};
  SymmetricHeap::Location found;
  if (peer < 0 || peer >= getCount())
    location.report(TegulaNoSuchRank, peer, getCount());
  else if (!(found = findBlock(own)))
    location.report(TegulaNotAWindow, 0);
  if (!found)
    reporter.fail(location);
  return found;
}
