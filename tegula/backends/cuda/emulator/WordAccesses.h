// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Words of a block's shared memory that its threads store, and that threads
/// load, to find what other warps, or blocks of a cluster, do too early.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_WORDACCESSES_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_WORDACCESSES_H

#include "tegula/backends/cuda/emulator/Accesses.h"

#include <optional>
#include <unordered_map>

namespace tegula::emulator {

class WordAccesses {
public:
  explicit WordAccesses(const Knowledge &knowledge) : knowledge(knowledge) {}

  bool isEmpty() const { return words.empty(); }

  // Adds one that is in order.
  void store(int32_t thread, Bytes bytes);
  void load(int32_t thread, Bytes bytes);
  /// Something else overwrites them, in order.
  void forget(Bytes bytes);
  /// What the thread has stored is there for copies and matmuls, too.
  void fence(int32_t thread);

  /// A store, or a load, that has not certainly ended before whatever the
  /// thread does now; those of its own warp do not count.
  std::optional<Access> findStore(int32_t thread, Bytes bytes) const;
  std::optional<Access> findLoad(int32_t thread, Bytes bytes) const;
  /// A store that what the thread begins in the background may not see.
  std::optional<Access> findUnfenced(int32_t thread, Bytes bytes) const;

private:
  static constexpr uint32_t wordBytes = 4, pageBytes = 1024;

  /// What a thread did, at which time.
  struct Event {
    int32_t thread;
    uint32_t when;
    /// The bytes of the word, one bit for each.
    uint8_t part;
    /// Stores and fences are counted, all together.
    uint64_t number = 0;
  };
  struct Word {
    /// No byte is in two.
    std::vector<Event> stored;
    std::vector<Event> loaded;
  };
  struct Fence {
    uint64_t number;
    uint32_t when;
  };

  /// The word at that address, which something is known of from now on.
  Word &add(uint32_t at);
  static uint32_t wordOf(uint32_t at) { return at / wordBytes * wordBytes; }
  /// The bytes of the word at that address.
  static uint8_t partOf(Bytes bytes, uint32_t at);
  /// Something happens to that part, before which nothing matters any more.
  static void cover(std::vector<Event> &events, uint8_t part);
  /// Calls `visit` with the words that something is known of, and what of them
  /// is wanted, until it returns an access.
  template <typename Visit>
  std::optional<Access> find(Bytes bytes, Visit visit) const;
  bool isOver(int32_t thread, Event event) const {
    return knowledge.knows(thread, event.thread, event.when);
  }
  /// Lanes of a warp are not looked at among themselves.
  bool isBefore(int32_t thread, Event event) const {
    constexpr int32_t lanes = 32;
    auto warpOf = [&](int32_t any) {
      return any % knowledge.shape.threads / lanes;
    };
    bool isOfWarp = knowledge.shape.blockOf(thread) ==
                        knowledge.shape.blockOf(event.thread) &&
                    warpOf(thread) == warpOf(event.thread);
    return isOfWarp || isOver(thread, event);
  }

  std::optional<Access> findUnfenced(int32_t thread, Event event,
                                     Bytes at) const;

  const Knowledge &knowledge;
  std::unordered_map<uint32_t, Word> words;
  /// How many there are of each page: most have none.
  std::unordered_map<uint32_t, uint32_t> pages;
  std::unordered_map<int32_t, std::vector<Fence>> fences;
  uint64_t count = 0;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_WORDACCESSES_H
