// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/PeerMemory.h"

#include "tegula/dist/memory/ReadCopies.h"
#include "tegula/dist/process/PeerLocks.h"
#include "tegula/dist/process/RankReporter.h"
#include "tegula/dist/process/WindowMemory.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/support/KernelAbi.h"

#include <cstdlib>

using namespace tegula;

/// The byte that a part begins with.
static void *firstByte(const PeerSlice &part) {
  return part.elementBits == 4 ? byteOfHalf(part.own) : part.own;
}

static int64_t countBytes(const PeerSlice &part) {
  int64_t elements = 1;
  for (int64_t size : part.sizes)
    elements *= size;
  return (elements * part.elementBits + 7) / 8;
}

namespace {

/// The bytes from the first to the last of a part, relative to that which
/// element 0 is in.
struct ByteSpan {
  int64_t low = 0, high = 0;

  explicit ByteSpan(const PeerSlice &part) {
    // In bits, from the byte that holds the first element.
    int64_t bits = part.elementBits == 4 && isHighHalf(part.own) ? 4 : 0;
    int64_t first = bits, last = bits;
    for (size_t axis = 0; axis < part.sizes.size(); ++axis) {
      if (part.sizes[axis] == 0)
        return;
      int64_t reach =
          (part.sizes[axis] - 1) * part.strides[axis] * part.elementBits;
      (reach < 0 ? first : last) += reach;
    }
    low = (first - 7 * (first < 0)) / 8;
    high = (last + part.elementBits + 7) / 8;
  }
  bool isEmpty() const { return low == high; }
};

} // namespace

void PeerMemory::transfer(const PeerSlice &part, void *data, bool isWrite,
                          CallLocation location) {
  int64_t start = process.recorder ? readClock() : 0;
  SymmetricHeap::Location window = memory.findBlock(firstByte(part));
  ByteSpan span(part);
  std::vector<int64_t> strides(part.strides.begin(), part.strides.end());
  for (int64_t &stride : strides)
    stride *= part.elementBits / 8;
  const int64_t spanBytes = span.high - span.low, one = 1;
  // Half bytes travel with all bytes between the first and the last.
  bool isHalves = part.elementBits == 4;
  RemoteBox box = isHalves ? RemoteBox{window.segment->number,
                                       part.peer,
                                       window.offset + span.low,
                                       spanBytes,
                                       one,
                                       1}
                           : RemoteBox{window.segment->number,
                                       part.peer,
                                       window.offset,
                                       part.sizes,
                                       strides,
                                       part.elementBits / 8};
  void *from = isHalves ? byteOfHalf(data) + span.low : data;
  Problem problem = isWrite ? process.messages->write(box, from)
                            : process.messages->read(box, from);
  if (problem)
    return reporter.recordProblem(std::move(problem), location);
  if (process.recorder)
    process.recorder->add(
        {isWrite ? RankEvent::Kind::Write : RankEvent::Kind::Read,
         location.site, start, readClock(), part.peer, countBytes(part)});
}

/// When this thread began to use a peer, for those who write it down.
static thread_local int64_t peerStart = 0;

void *PeerMemory::begin(const PeerSlice &part, CallLocation location) {
  SymmetricHeap::Location window =
      memory.findWindow(firstByte(part), part.peer, location);
  if (!window)
    return nullptr;
  if (process.recorder)
    peerStart = readClock();
  if (part.use == TegulaPeerUpdate && !locks.lock(part.peer, location))
    return nullptr;
  if (memory.isReached(window)) {
    if (process.recorder && part.use == TegulaPeerRead)
      process.recorder->add({RankEvent::Kind::Read, location.site, peerStart,
                             peerStart, part.peer, countBytes(part)});
    char *byte = window.segment->parts[part.peer] + window.offset;
    return part.elementBits == 4 ? toHalfByte(byte) + isHighHalf(part.own)
                                 : byte;
  }
  void *copy = makeCopy(part, location);
  if (!copy && part.use == TegulaPeerUpdate)
    locks.unlock(part.peer, location);
  return copy;
}

void *PeerMemory::makeCopy(const PeerSlice &part, CallLocation location) {
  ByteSpan span(part);
  auto *copy = static_cast<char *>(std::malloc(span.high - span.low + 8));
  if (!copy) {
    location.report(TegulaOutOfMemory, span.high - span.low);
    return nullptr;
  }
  if (part.use == TegulaPeerRead)
    ReadCopies::ofThread().keep(copy);
  char *first = copy - span.low;
  void *data =
      part.elementBits == 4 ? toHalfByte(first) + isHighHalf(part.own) : first;
  if (part.use != TegulaPeerWrite && !span.isEmpty())
    transfer(part, data, /*isWrite=*/false, location);
  return data;
}

void PeerMemory::end(void *data, const PeerSlice &part, CallLocation location) {
  // What was read needs no end.
  if (!data || part.use == TegulaPeerRead)
    return;
  if (memory.isReached(memory.findBlock(firstByte(part)))) {
    if (part.use == TegulaPeerUpdate)
      locks.unlock(part.peer, location);
    if (process.recorder)
      process.recorder->add({RankEvent::Kind::Write, location.site, peerStart,
                             readClock(), part.peer, countBytes(part)});
    return;
  }
  ByteSpan span(part);
  if (!span.isEmpty() && location.state->error == TegulaNoError) {
    if (part.elementBits == 4 && part.use == TegulaPeerWrite)
      writeHalves(part, data, location);
    else
      transfer(part, data, /*isWrite=*/true, location);
  }
  if (part.use == TegulaPeerUpdate)
    locks.unlock(part.peer, location);
  char *first = part.elementBits == 4
                    ? reinterpret_cast<char *>(byteOfHalf(data))
                    : static_cast<char *>(data);
  std::free(first + span.low);
}

/// Two ranks may write halves of one byte, so a lock orders them.
void PeerMemory::writeHalves(const PeerSlice &part, void *data,
                             CallLocation location) {
  ByteSpan span(part);
  std::vector<char> bytes(span.high - span.low);
  char *target = toHalfByte(bytes.data() - span.low) + isHighHalf(part.own);
  if (!locks.lock(part.peer, location))
    return;
  transfer(part, target, /*isWrite=*/false, location);
  std::vector<int64_t> shape(part.sizes.begin(), part.sizes.end());
  for (int copies = 0; copies < 2; ++copies)
    shape.insert(shape.end(), part.strides.begin(), part.strides.end());
  if (part.sizes.empty())
    writeHalfByte(target, readHalfByte(data));
  else
    tegulaPackTile(target, data, part.sizes.size(), shape.data(), 0);
  if (location.state->error == TegulaNoError)
    transfer(part, target, /*isWrite=*/true, location);
  locks.unlock(part.peer, location);
}
