// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of what a thread has read of its peers. Nobody says when they are no
/// longer needed, but nothing that was read is used across a point where ranks
/// synchronise: there a thread forgets them.

#ifndef TEGULA_DIST_MEMORY_READCOPIES_H
#define TEGULA_DIST_MEMORY_READCOPIES_H

#include <cstdlib>
#include <vector>

namespace tegula {

/// The copies of one thread.
class ReadCopies {
public:
  ReadCopies() = default;
  ReadCopies(const ReadCopies &) = delete;
  ReadCopies &operator=(const ReadCopies &) = delete;
  ~ReadCopies() { forget(); }

  /// Takes what malloc gave.
  void keep(void *memory) { copies.push_back(memory); }
  void forget() {
    for (void *memory : copies)
      std::free(memory);
    copies.clear();
  }

  /// Those of the thread that asks.
  static ReadCopies &ofThread() {
    static thread_local ReadCopies own;
    return own;
  }

private:
  std::vector<void *> copies;
};

} // namespace tegula

#endif // TEGULA_DIST_MEMORY_READCOPIES_H
