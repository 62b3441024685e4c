// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/BoxCopies.h"

#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/backends/cuda/emulator/NarrowFloats.h"
#include <cstring>

using namespace tegula;
using namespace tegula::emulator;

/// Fails if the box is nothing that a chip copies.
void BoxCopies::check(const BoxCoordinates &box) const {
  Emulation &emulation = getEmulation();
  if (!box.map)
    emulation.fail("a copy is given no map of a tensor");
  // Rows are swizzled in a pattern of 1024 bytes.
  uint32_t multiple = box.map->isSwizzled ? 1024 : 128;
  std::string name =
      "the box at byte " + std::to_string(box.offset - SharedMemory::kept);
  if (box.offset % multiple != 0)
    emulation.fail(name + " of shared memory is not at a multiple of " +
                   std::to_string(multiple));
  if (!block.memory.has(box.offset, box.map->countBytes()))
    emulation.fail(name + " has " + std::to_string(box.map->countBytes()) +
                   " bytes, which are not all in shared memory");
}

uint32_t &BoxCopies::groupOf(int32_t thread) {
  return groups[thread - block.firstThread];
}

static Bytes bytesOf(const BoxCoordinates &box) {
  return {box.offset,
          static_cast<uint32_t>(box.offset + box.map->countBytes())};
}

void BoxCopies::copyIn(int32_t thread, const BoxCoordinates &box,
                       MemoryBarrier &barrier) {
  check(box);
  barrier.hasCopies = true;
  if (!barrier.isFenced)
    getEmulation().fail("a copy counts on a barrier that was not fenced");
  Bytes bytes = bytesOf(box);
  block.checkWrite(thread, bytes, "a copy", &barrier);
  block.accesses.add(
      {Access::Kind::CopyIn, bytes, barrier.number, barrier.round});
  block.words.forget(bytes);
  std::memset(block.memory.at(bytes.begin), 0xff, bytes.end - bytes.begin);
  flights.push_back({box, &barrier, thread, 0});
}

void BoxCopies::copyOut(int32_t thread, const BoxCoordinates &box) {
  check(box);
  Bytes bytes = bytesOf(box);
  block.checkRead(thread, bytes, "a copy to a tensor");
  uint32_t group = groupOf(thread);
  block.accesses.add({Access::Kind::CopyOut, bytes, thread, group});
  flights.push_back({box, nullptr, thread, group});
}

static void copyRounded(char *to, const char *element) {
  float number;
  std::memcpy(&number, element, sizeof(number));
  uint32_t bits = copyToTf32(number);
  std::memcpy(to, &bits, sizeof(bits));
}

void BoxCopies::land(const Flight &flight) {
  const TensorMap &map = *flight.box.map;
  auto at = [&](int64_t position) {
    auto offset = static_cast<uint32_t>(flight.box.offset + position);
    return block.memory.at(map.isSwizzled ? swizzle(offset) : offset);
  };
  map.forEachElement(flight.box.coordinates,
                     [&](int64_t position, char *element) {
                       if (flight.barrier && element && map.isRounded)
                         copyRounded(at(position), element);
                       else if (flight.barrier && element)
                         std::memcpy(at(position), element, map.elementBytes);
                       else if (flight.barrier)
                         std::memset(at(position), 0, map.elementBytes);
                       else if (element)
                         std::memcpy(element, at(position), map.elementBytes);
                     });
  if (flight.barrier)
    block.barriers.land(*flight.barrier, map.countBytes());
}

struct BoxCopies::GroupWait : Wait {
  const BoxCopies &copies;
  int32_t thread;
  uint32_t group;

  GroupWait(const BoxCopies &copies, int32_t thread, uint32_t group)
      : copies(copies), thread(thread), group(group) {}
  bool isOver() const override {
    return std::none_of(copies.flights.begin(), copies.flights.end(),
                        [&](const Flight &flight) {
                          return !flight.barrier && flight.thread == thread &&
                                 flight.group < group;
                        });
  }
  std::string describe() const override { return "for copies to tensors"; }
};

void BoxCopies::finish(int32_t thread, uint32_t allBut) {
  uint32_t group = groupOf(thread) - std::min(groupOf(thread), allBut);
  getEmulation().waitFor(GroupWait(*this, thread, group));
  block.accesses.endCopiesOut(thread, group);
}

void BoxCopies::leave(int32_t thread) const {
  if (block.accesses.hasCopiesOut(thread))
    getEmulation().fail(block.nameThread(thread) +
                        " ends before its copies to a tensor have read shared "
                        "memory");
}

/// A number below `count`.
static size_t draw(uint64_t &chance, size_t count) {
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  return static_cast<size_t>((chance >> 33) % count);
}

bool BoxCopies::move(uint64_t &chance, bool mustMove) {
  if (flights.empty())
    return false;
  constexpr size_t oneIn = 4;
  size_t count = mustMove ? 1 + draw(chance, flights.size())
                          : draw(chance, flights.size() + 1) / oneIn;
  for (size_t i = 0; i < count; ++i) {
    size_t position = draw(chance, flights.size());
    Flight flight = flights[position];
    flights.erase(flights.begin() + static_cast<ptrdiff_t>(position));
    land(flight);
  }
  return count > 0;
}
