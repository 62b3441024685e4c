// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/WordAccesses.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::emulator;

WordAccesses::Word &WordAccesses::add(uint32_t at) {
  auto [entry, isNew] = words.try_emplace(at / wordBytes);
  if (isNew)
    ++pages[at / pageBytes];
  return entry->second;
}

uint8_t WordAccesses::partOf(Bytes bytes, uint32_t at) {
  constexpr uint32_t all = (1 << wordBytes) - 1;
  uint32_t first = std::max(bytes.begin, at) - at,
           last = std::min(bytes.end, at + wordBytes) - at;
  return static_cast<uint8_t>((all << first) & ((1 << last) - 1));
}

void WordAccesses::cover(std::vector<Event> &events, uint8_t part) {
  for (Event &event : events)
    event.part &= static_cast<uint8_t>(~part);
  events.erase(std::remove_if(events.begin(), events.end(),
                              [](Event event) { return event.part == 0; }),
               events.end());
}

void WordAccesses::store(int32_t thread, Bytes bytes) {
  ++count;
  for (uint32_t at = wordOf(bytes.begin); at < bytes.end; at += wordBytes) {
    Word &word = add(at);
    uint8_t part = partOf(bytes, at);
    cover(word.stored, part);
    cover(word.loaded, part);
    word.stored.push_back({thread, knowledge.getTime(thread), part, count});
  }
}

void WordAccesses::fence(int32_t thread) {
  fences[thread].push_back({++count, knowledge.getTime(thread)});
}

void WordAccesses::load(int32_t thread, Bytes bytes) {
  for (uint32_t at = wordOf(bytes.begin); at < bytes.end; at += wordBytes) {
    std::vector<Event> &loaded = add(at).loaded;
    uint8_t part = partOf(bytes, at);
    // Who knows of this one knows of those that this one knows of.
    auto isOlder = [&](Event other) {
      return (other.part & ~part) == 0 && isOver(thread, other);
    };
    loaded.erase(std::remove_if(loaded.begin(), loaded.end(), isOlder),
                 loaded.end());
    loaded.push_back({thread, knowledge.getTime(thread), part});
  }
}

void WordAccesses::forget(Bytes bytes) {
  if (words.empty())
    return;
  for (uint32_t at = bytes.begin; at < bytes.end; at += wordBytes)
    if (words.erase(at / wordBytes) && --pages[at / pageBytes] == 0)
      pages.erase(at / pageBytes);
}

template <typename Visit>
std::optional<Access> WordAccesses::find(Bytes bytes, Visit visit) const {
  if (words.empty())
    return std::nullopt;
  for (uint32_t at = wordOf(bytes.begin); at < bytes.end; at += wordBytes) {
    if (!pages.count(at / pageBytes)) {
      at = (at / pageBytes + 1) * pageBytes - wordBytes;
      continue;
    }
    if (auto found = words.find(at / wordBytes); found != words.end())
      if (std::optional<Access> access = visit(found->second, partOf(bytes, at),
                                               Bytes{at, at + wordBytes}))
        return access;
  }
  return std::nullopt;
}

std::optional<Access> WordAccesses::findStore(int32_t thread,
                                              Bytes bytes) const {
  return find(
      bytes,
      [&](const Word &word, uint8_t part, Bytes at) -> std::optional<Access> {
        for (Event event : word.stored)
          // Threads need no fence.
          if ((event.part & part) && !isBefore(thread, event))
            return Access{Access::Kind::Store, at, event.thread, event.when,
                          /*readyWhen=*/event.when};
        return std::nullopt;
      });
}

std::optional<Access> WordAccesses::findLoad(int32_t thread,
                                             Bytes bytes) const {
  return find(
      bytes,
      [&](const Word &word, uint8_t part, Bytes at) -> std::optional<Access> {
        for (Event event : word.loaded)
          if ((event.part & part) && !isBefore(thread, event))
            return Access{Access::Kind::Load, at, event.thread, event.when};
        return std::nullopt;
      });
}

std::optional<Access> WordAccesses::findUnfenced(int32_t thread, Event event,
                                                 Bytes at) const {
  Access store{Access::Kind::Store, at, event.thread, event.when};
  auto known = fences.find(event.thread);
  if (known == fences.end())
    return store;
  const std::vector<Fence> &all = known->second;
  auto fence = std::upper_bound(
      all.begin(), all.end(), event.number,
      [](uint64_t number, Fence other) { return number < other.number; });
  if (fence == all.end())
    return store;
  store.readyWhen = fence->when;
  if (knowledge.knows(thread, event.thread, fence->when))
    return std::nullopt;
  return store;
}

std::optional<Access> WordAccesses::findUnfenced(int32_t thread,
                                                 Bytes bytes) const {
  return find(
      bytes,
      [&](const Word &word, uint8_t part, Bytes at) -> std::optional<Access> {
        for (Event event : word.stored)
          if (event.part & part)
            if (std::optional<Access> found = findUnfenced(thread, event, at))
              return found;
        return std::nullopt;
      });
}
