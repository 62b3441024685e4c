// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scratch memory of one thread, for the calls of compiled kernels.

#ifndef TEGULA_LAUNCH_ROUTINES_SCRATCHSTACK_H
#define TEGULA_LAUNCH_ROUTINES_SCRATCHSTACK_H

#include <cstdint>
#include <cstring>
#include <vector>

namespace tegula {

/// A stack of reservations in a few large chunks. Chunks are kept for the next
/// call: a warm call never asks the system for memory. What goes beyond
/// `retainedBytes` is kept while calls need it: a call that needs more than
/// four times what those before it did gives it back when it ends, and so does
/// a small call some time after large ones.
class ScratchStack {
public:
  /// So much stays with the thread whatever calls need.
  static constexpr int64_t retainedBytes = int64_t(32) << 20;

  ScratchStack() = default;
  ScratchStack(const ScratchStack &) = delete;
  ScratchStack &operator=(const ScratchStack &) = delete;
  ~ScratchStack() { freeFrom(0); }

  /// Memory aligned to 64 bytes until the matching pop; null if there is none.
  void *push(int64_t bytes);

  /// Gives back what the push that returned `block`, and all after it, took.
  void pop(void *block) {
    std::memcpy(&top, static_cast<char *>(block) - headerBytes, sizeof(top));
    bool isEmpty = top.chunk == 0 && top.used == 0;
    if (isEmpty && (reserved > retainedBytes || usual > 0))
      settle();
  }

  /// How many bytes the system has given and not got back.
  int64_t getReserved() const { return reserved; }
  /// The most bytes that were in use at once since the stack was last empty,
  /// some for each push included.
  int64_t getMost() const { return most; }

private:
  struct Chunk {
    char *memory;
    int64_t size;
    /// The sizes of the chunks before it.
    int64_t start;
  };
  /// Where the next reservation starts.
  struct Mark {
    int64_t chunk = 0;
    int64_t used = 0;
  };
  static constexpr int64_t headerBytes = 64;

  bool moveToChunkOf(int64_t needed);
  void settle();
  void freeFrom(size_t first);

  std::vector<Chunk> chunks;
  Mark top;
  int64_t reserved = 0;
  int64_t most = 0;
  /// What calls before the last one needed, if more than `retainedBytes`;
  /// forgotten by halves.
  int64_t usual = 0;
};

/// The stack of the thread that asks.
ScratchStack &scratchOfThread();

} // namespace tegula

#endif // TEGULA_LAUNCH_ROUTINES_SCRATCHSTACK_H
