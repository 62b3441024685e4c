// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows, shared tensors, the memory of peers, and signals.

#include "tegula/dist/AvailableMemory.h"
#include "tegula/dist/ProcessRanks.h"
#include "tegula/dist/ReadCopies.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/support/KernelAbi.h"

#include <cstdlib>

using namespace tegula;

bool ProcessRanks::grow(SymmetricHeap &heap, SegmentKind kind, int64_t bytes,
                        CallLocation location) {
  int64_t size = heap.getGrowth(bytes);
  int64_t parts = kind == SegmentKind::PerRank ? transport->getLocalCount() : 1;
  bool fits = size > 0 && size <= readAvailableMemory(isDirect()) / parts;
  int64_t allFit = 0;
  if (!exchange({OwnBarrier::Growth, fits, location.site}, location, allFit))
    return false;
  if (!allFit) {
    location.report(TegulaOutOfMemory, bytes);
    markFailed(location);
    return false;
  }
  Segment segment;
  if (Problem problem = transport->createSegment(size, kind, segment)) {
    recordProblem(std::move(problem), location);
    return false;
  }
  heap.add(std::move(segment));
  return true;
}

void *ProcessRanks::allocateOn(SymmetricHeap &heap, SegmentKind kind,
                               int64_t bytes, CallLocation location) {
  if (!enter(location))
    return nullptr;
  SymmetricHeap::Location block = heap.allocate(bytes);
  if (!block && grow(heap, kind, bytes, location))
    block = heap.allocate(bytes);
  return block ? block.segment->parts[getRank()] + block.offset : nullptr;
}

void *ProcessRanks::allocateWindow(int64_t bytes, CallLocation location) {
  return allocateOn(windows, SegmentKind::PerRank, bytes, location);
}

void *ProcessRanks::allocateShared(int64_t bytes, CallLocation location) {
  return allocateOn(shared,
                    isDirect() ? SegmentKind::OneForAll : SegmentKind::PerRank,
                    bytes, location);
}

Problem ProcessRanks::keepWindow(int64_t bytes, void *&memory) {
  TegulaCallState state = {};
  CallLocation location = {&state, -1};
  memory = nullptr;
  hold();
  memory = allocateOn(kept, SegmentKind::PerRank, bytes, location);
  // Others may use theirs as soon as this returns.
  if (memory)
    barrier(OwnBarrier::Growth, location);
  Problem problem;
  if (state.error == TegulaOutOfMemory)
    problem = makeProblem(Problem::Kind::System,
                          "no memory for a window of {0} bytes", bytes);
  else if (state.error != TegulaNoError)
    problem = describeRankProblem(state, {}, report());
  finish(location);
  return problem;
}

void ProcessRanks::addWindow(char *begin, int64_t bytes) {
  Segment segment;
  segment.bytes = bytes;
  for (int64_t rank = 0; rank < getCount(); ++rank)
    segment.parts.push_back(begin + rank * bytes);
  kept.add(std::move(segment));
  kept.allocate(bytes);
}

char *ProcessRanks::findOwn(char *first) const {
  SymmetricHeap::Location location = kept.find(first, 0);
  return location && location.segment->number < 0
             ? location.segment->parts[getRank()] + location.offset
             : first;
}

bool ProcessRanks::isMapped(const void *address) const {
  auto *byte = static_cast<const char *>(address);
  for (auto [begin, end] : sharedRanges)
    if (byte >= begin && byte < end)
      return true;
  return false;
}

bool ProcessRanks::isShared(const void *address) const {
  return isMapped(address) || shared.find(address, getRank()) ||
         kept.find(address, getRank());
}

void ProcessRanks::addShared(const void *begin, int64_t bytes) {
  auto *first = static_cast<const char *>(begin);
  sharedRanges.push_back({first, first + bytes});
}

SymmetricHeap::Location ProcessRanks::findBlock(const void *own) const {
  SymmetricHeap::Location found = windows.find(own, getRank());
  return found ? found : kept.find(own, getRank());
}

SymmetricHeap::Location ProcessRanks::findWindow(const void *own, int64_t peer,
                                                 CallLocation location) {
  if (!enter(location))
    return {};
  SymmetricHeap::Location found;
  if (peer < 0 || peer >= getCount())
    location.report(TegulaNoSuchRank, peer, getCount());
  else if (!(found = findBlock(own)))
    location.report(TegulaNotAWindow, 0);
  if (!found)
    markFailed(location);
  return found;
}

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

RemoteBox ProcessRanks::remoteWord(int32_t segment, int64_t peer,
                                   int64_t offset) const {
  return {segment, peer, offset, {}, {}, sizeof(int32_t)};
}

void ProcessRanks::transfer(const PeerSlice &part, void *memory, bool isWrite,
                            CallLocation location) {
  int64_t start = recorder ? readClock() : 0;
  SymmetricHeap::Location window = findBlock(firstByte(part));
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
  void *from = isHalves ? byteOfHalf(memory) + span.low : memory;
  Problem problem =
      isWrite ? messages->write(box, from) : messages->read(box, from);
  if (problem)
    return recordProblem(std::move(problem), location);
  if (recorder)
    recorder->add({isWrite ? RankEvent::Kind::Write : RankEvent::Kind::Read,
                   location.site, start, readClock(), part.peer,
                   countBytes(part)});
}

/// When this thread began to use a peer, for those who write it down.
static thread_local int64_t peerStart = 0;

void *ProcessRanks::beginPeer(const PeerSlice &part, CallLocation location) {
  SymmetricHeap::Location window =
      findWindow(firstByte(part), part.peer, location);
  if (!window)
    return nullptr;
  if (recorder)
    peerStart = readClock();
  if (part.use == TegulaPeerUpdate && !lockUpdates(part.peer, location))
    return nullptr;
  if (isReached(window)) {
    if (recorder && part.use == TegulaPeerRead)
      recorder->add({RankEvent::Kind::Read, location.site, peerStart, peerStart,
                     part.peer, countBytes(part)});
    char *byte = window.segment->parts[part.peer] + window.offset;
    return part.elementBits == 4 ? toHalfByte(byte) + isHighHalf(part.own)
                                 : byte;
  }
  ByteSpan span(part);
  auto *copy = static_cast<char *>(std::malloc(span.high - span.low + 8));
  if (!copy) {
    location.report(TegulaOutOfMemory, span.high - span.low);
    if (part.use == TegulaPeerUpdate)
      unlockUpdates(part.peer, location);
    return nullptr;
  }
  if (part.use == TegulaPeerRead)
    ReadCopies::ofThread().keep(copy);
  char *first = copy - span.low;
  void *memory =
      part.elementBits == 4 ? toHalfByte(first) + isHighHalf(part.own) : first;
  if (part.use != TegulaPeerWrite && !span.isEmpty())
    transfer(part, memory, /*isWrite=*/false, location);
  return memory;
}

void ProcessRanks::endPeer(void *memory, const PeerSlice &part,
                           CallLocation location) {
  // What was read needs no end.
  if (!memory || part.use == TegulaPeerRead)
    return;
  if (isReached(findBlock(firstByte(part)))) {
    if (part.use == TegulaPeerUpdate)
      unlockUpdates(part.peer, location);
    if (recorder)
      recorder->add({RankEvent::Kind::Write, location.site, peerStart,
                     readClock(), part.peer, countBytes(part)});
    return;
  }
  ByteSpan span(part);
  if (!span.isEmpty() && location.state->error == TegulaNoError) {
    if (part.elementBits == 4 && part.use == TegulaPeerWrite)
      writeHalves(part, memory, location);
    else
      transfer(part, memory, /*isWrite=*/true, location);
  }
  if (part.use == TegulaPeerUpdate)
    unlockUpdates(part.peer, location);
  char *first = part.elementBits == 4
                    ? reinterpret_cast<char *>(byteOfHalf(memory))
                    : static_cast<char *>(memory);
  std::free(first + span.low);
}

/// Two ranks may write halves of one byte, so a lock orders them.
void ProcessRanks::writeHalves(const PeerSlice &part, void *memory,
                               CallLocation location) {
  ByteSpan span(part);
  std::vector<char> bytes(span.high - span.low);
  char *target = toHalfByte(bytes.data() - span.low) + isHighHalf(part.own);
  if (!lockUpdates(part.peer, location))
    return;
  transfer(part, target, /*isWrite=*/false, location);
  std::vector<int64_t> shape(part.sizes.begin(), part.sizes.end());
  for (int copies = 0; copies < 2; ++copies)
    shape.insert(shape.end(), part.strides.begin(), part.strides.end());
  if (part.sizes.empty())
    writeHalfByte(target, readHalfByte(memory));
  else
    tegulaPackTile(target, memory, part.sizes.size(), shape.data(), 0);
  if (location.state->error == TegulaNoError)
    transfer(part, target, /*isWrite=*/true, location);
  unlockUpdates(part.peer, location);
}

bool ProcessRanks::lockUpdates(int64_t peer, CallLocation location) {
  auto describe = [&] {
    RankState state;
    state.awaited = RankState::Awaited::Update;
    state.site = location.site;
    state.of = peer;
    return state;
  };
  if (isDirect()) {
    Word &word = doorOf(peer).updating;
    uint32_t free = 0;
    // 2 says that somebody may sleep.
    return word.compare_exchange_strong(free, 1) ||
           await(
               {word, nullptr}, [&] { return word.exchange(2) == 0; }, describe,
               location);
  }
  RemoteBox word = remoteWord(board.number, peer, offsetof(RankDoor, updating));
  auto isTaken = [&] {
    int32_t found = 0;
    Problem problem = messages->replace(word, 0, 1, found);
    return problem || found == 0;
  };
  return await({ownRow().changes, nullptr}, isTaken, describe, location);
}

void ProcessRanks::unlockUpdates(int64_t peer, CallLocation location) {
  if (isDirect()) {
    Word &word = doorOf(peer).updating;
    if (word.exchange(0) == 2)
      wakeAll(word);
    return;
  }
  RemoteBox word = remoteWord(board.number, peer, offsetof(RankDoor, updating));
  if (Problem problem = messages->setTo(word, 0))
    recordProblem(std::move(problem), location);
}

void ProcessRanks::notify(void *own, int64_t peer, int32_t value,
                          TegulaNotifyKind kind, CallLocation location) {
  ReadCopies::ofThread().forget();
  SymmetricHeap::Location window = findWindow(own, peer, location);
  if (!window)
    return;
  if (isReached(window)) {
    auto &signal =
        *reinterpret_cast<Word *>(window.segment->parts[peer] + window.offset);
    if (kind == TegulaNotifyAdd)
      signal.fetch_add(static_cast<uint32_t>(value));
    else
      signal.exchange(static_cast<uint32_t>(value));
    // Who is reached by messages looks again and again.
    if (isDirect() && doorOf(peer).signalSleepers.load() > 0)
      wakeAll(signal);
    return;
  }
  RemoteBox word = remoteWord(window.segment->number, peer, window.offset);
  if (Problem problem = kind == TegulaNotifyAdd ? messages->addTo(word, value)
                                                : messages->setTo(word, value))
    recordProblem(std::move(problem), location);
}

void ProcessRanks::wait(void *own, int32_t expected, TegulaWaitKind kind,
                        CallLocation location) {
  ReadCopies::ofThread().forget();
  if (!findWindow(own, getRank(), location))
    return;
  auto &signal = *static_cast<Word *>(own);
  bool isEqual = kind == TegulaWaitEqual;
  auto read = [&] { return static_cast<int32_t>(signal.load()); };
  auto isThere = [&] {
    int32_t now = read();
    return isEqual ? now == expected : now >= expected;
  };
  auto describe = [&] {
    RankState state;
    state.awaited = isEqual ? RankState::Awaited::SignalEqual
                            : RankState::Awaited::SignalAtLeast;
    state.site = location.site;
    state.now = read();
    state.wanted = expected;
    return state;
  };
  await({signal, &doorOf(getRank()).signalSleepers}, isThere, describe,
        location);
}
