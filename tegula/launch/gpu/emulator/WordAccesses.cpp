// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/emulator/WordAccesses.h"

using namespace tegula;
using namespace tegula::emulator;

void WordAccesses::store(int32_t thread, Bytes bytes) {
  for (uint32_t at = bytes.begin; at < bytes.end; at += wordBytes)
    words[at / wordBytes] = {Event{thread, knowledge.getTime(thread)}, {}};
}

void WordAccesses::load(int32_t thread, Bytes bytes) {
  for (uint32_t at = bytes.begin; at < bytes.end; at += wordBytes) {
    std::vector<Event> &loaded = words[at / wordBytes].loaded;
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
    words.erase(at / wordBytes);
}

template <typename Visit>
std::optional<Access> WordAccesses::find(Bytes bytes, Visit visit) const {
  if (words.empty())
    return std::nullopt;
  for (uint32_t at = bytes.begin; at < bytes.end; at += wordBytes)
    if (auto found = words.find(at / wordBytes); found != words.end())
      if (std::optional<Access> access =
              visit(found->second, Bytes{at, at + wordBytes}))
        return access;
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
