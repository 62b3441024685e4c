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

void WordAccesses::store(int32_t thread, Bytes bytes) {
  ++count;
  for (uint32_t at = bytes.begin; at < bytes.end; at += wordBytes)
    add(at) = {Event{thread, knowledge.getTime(thread)}, {}, count};
}

void WordAccesses::fence(int32_t thread) {
  fences[thread].push_back({++count, knowledge.getTime(thread)});
}

void WordAccesses::load(int32_t thread, Bytes bytes) {
  for (uint32_t at = bytes.begin; at < bytes.end; at += wordBytes) {
    std::vector<Event> &loaded = add(at).loaded;
    // Who knows of this one knows of those that this one knows of.
    auto isOlder = [&](Event other) { return isOver(thread, other); };
    loaded.erase(std::remove_if(loaded.begin(), loaded.end(), isOlder),
                 loaded.end());
    loaded.push_back({thread, knowledge.getTime(thread)});
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
  for (uint32_t at = bytes.begin; at < bytes.end; at += wordBytes) {
    if (!pages.count(at / pageBytes)) {
      at = (at / pageBytes + 1) * pageBytes - wordBytes;
      continue;
    }
    if (auto found = words.find(at / wordBytes); found != words.end())
      if (std::optional<Access> access =
              visit(found->second, Bytes{at, at + wordBytes}))
        return access;
  }
  return std::nullopt;
}

std::optional<Access> WordAccesses::findStore(int32_t thread,
                                              Bytes bytes) const {
  return find(bytes, [&](const Word &word, Bytes at) -> std::optional<Access> {
    if (!word.stored || isBefore(thread, *word.stored))
      return std::nullopt;
    auto [who, when] = *word.stored;
    // Threads need no fence.
    return Access{Access::Kind::Store, at, who, when, /*readyWhen=*/when};
  });
}

std::optional<Access> WordAccesses::findLoad(int32_t thread,
                                             Bytes bytes) const {
  return find(bytes, [&](const Word &word, Bytes at) -> std::optional<Access> {
    for (Event event : word.loaded)
      if (!isBefore(thread, event))
        return Access{Access::Kind::Load, at, event.thread, event.when};
    return std::nullopt;
  });
}

std::optional<Access> WordAccesses::findUnfenced(int32_t thread,
                                                 Bytes bytes) const {
  return find(bytes, [&](const Word &word, Bytes at) -> std::optional<Access> {
    if (!word.stored)
      return std::nullopt;
    auto [who, when] = *word.stored;
    Access store{Access::Kind::Store, at, who, when};
    auto known = fences.find(who);
    if (known == fences.end())
      return store;
    const std::vector<Fence> &all = known->second;
    auto fence = std::upper_bound(
        all.begin(), all.end(), word.number,
        [](uint64_t number, Fence other) { return number < other.number; });
    if (fence == all.end())
      return store;
    store.readyWhen = fence->when;
    if (knowledge.knows(thread, who, fence->when))
      return std::nullopt;
    return store;
  });
}
