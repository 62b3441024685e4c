// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/TensorMap.h"

#include "tegula/sim/cost/ArrayCycles.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

/// What tensors begin at multiples of.
static constexpr int64_t alignment = 1 << 12;

static int64_t align(int64_t bytes) {
  return ceilDiv(std::max<int64_t>(bytes, 1), alignment) * alignment;
}

/// Where windows lie: behind all else, with as much room for each peer's.
static constexpr int64_t windowBegin = int64_t(1) << 61;
static constexpr unsigned peerBits = 44;

bool sim::isWindow(int64_t address) { return address >= windowBegin; }

int64_t sim::atPeer(int64_t address, int64_t peer) {
  return address + ((peer + 1) << peerBits);
}

int64_t sim::getPeer(int64_t address) {
  return isWindow(address) ? (address - windowBegin) >> peerBits : 0;
}

static int64_t atOwn(int64_t address) {
  return address - (getPeer(address) << peerBits);
}

TensorMap::TensorMap(std::vector<TracedTensor> tensors)
    : nextTraced(alignment), nextWindow(windowBegin) {
  for (TracedTensor &tensor : tensors) {
    names.push_back(std::move(tensor.name));
    entries.push_back({tensor.address, tensor.bytes, nextTraced});
    nextTraced += align(tensor.bytes);
  }
  numOfCall = names.size();
  names.push_back("temporaries");
  names.push_back("handed over");
  names.push_back("windows");
  tracedAfterCall = nextTraced;
}

int64_t TensorMap::allocate(int64_t bytes) {
  int64_t address = nextFree;
  nextFree += align(bytes);
  add(address, bytes);
  return address;
}

int64_t TensorMap::allocateWindow(int64_t bytes) {
  int64_t address = nextWindow;
  nextWindow += align(bytes);
  add(address, bytes);
  return address;
}

void TensorMap::add(int64_t address, int64_t bytes) {
  auto made = entries.begin() + long(numOfCall);
  auto isGone = [&](const Entry &entry) {
    return entry.address < address + bytes &&
           address < entry.address + entry.bytes;
  };
  entries.erase(std::remove_if(made, entries.end(), isGone), entries.end());
  entries.push_back({address, bytes, nextTraced});
  nextTraced += align(bytes);
}

void TensorMap::reset() {
  entries.resize(numOfCall);
  nextTraced = tracedAfterCall;
  nextWindow = windowBegin;
}

const TensorMap::Entry *TensorMap::findEntry(int64_t address) const {
  auto found = llvm::find_if(entries, [&](const Entry &entry) {
    return address >= entry.address && address < entry.address + entry.bytes;
  });
  return found == entries.end() ? nullptr : &*found;
}

int32_t TensorMap::find(int64_t address) const {
  if (isWindow(address))
    return int32_t(numOfCall) + 2;
  const Entry *entry = findEntry(address);
  return entry ? int32_t(std::min<size_t>(entry - entries.data(), numOfCall))
               : int32_t(numOfCall);
}

int64_t TensorMap::toTraced(int64_t address) const {
  address = atOwn(address);
  const Entry *entry = findEntry(address);
  return entry ? entry->traced + (address - entry->address) : address;
}
