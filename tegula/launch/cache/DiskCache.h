// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compiled kernels on disk, for the next process. Whatever is wrong with the
/// disk or with an entry, the kernel is compiled as if there were no cache: at
/// most one line on the standard error output says so.

#ifndef TEGULA_LAUNCH_CACHE_DISKCACHE_H
#define TEGULA_LAUNCH_CACHE_DISKCACHE_H

#include "tegula/launch/cache/CacheEntry.h"
#include "tegula/launch/cache/CacheOptions.h"
#include "tegula/launch/image/MemoryFile.h"

#include <optional>
#include <vector>

namespace tegula {

/// An entry that was found or stored.
struct CachedCode {
  /// The open file, whose bytes were checked; CodeLibrary loads it. Empty if
  /// there is no code.
  Descriptor file;
  CacheEntry entry;
};

/// A file of the cache, good or not, for people.
struct CacheRecord {
  enum class State : uint8_t {
    /// Checked from its first byte to its last.
    Good,
    /// Not what was once written.
    Damaged,
    /// Of another user, or others may write it.
    Untrusted
  };

  State state = State::Good;
  std::string path;
  uint64_t fileSize = 0;
  uint64_t codeSize = 0;
  /// Seconds since 1970, to an hour or so.
  int64_t lastUsed = 0;
  /// If it is good.
  CacheEntry entry;
};

/// A folder of entries. Any number of threads and processes may use one folder
/// at once: entries appear whole or not at all, and may vanish at any time.
/// Nothing is executed that is not this user's own.
class DiskCache {
public:
  explicit DiskCache(CacheOptions options) : options(std::move(options)) {}

  /// The entry with that key and this cache's toolchain, if there is one and
  /// all its bytes are right.
  std::optional<CachedCode> find(std::string_view program,
                                 std::string_view variant) const;

  /// Keeps an entry, in the place of one with the same key. Its toolchain and
  /// time are filled in. Returns the file, from which code is best loaded since
  /// debuggers and profilers can see it; nothing if it was not kept. Afterwards
  /// entries that were not used for long are removed if there are too many.
  std::optional<CachedCode> store(CacheEntry entry, std::string_view code);

  /// All files, the last used first.
  std::vector<CacheRecord> list() const;

  /// Removes a file that was listed; it is fine if it is gone already.
  Problem remove(const CacheRecord &record) const;

  const CacheOptions &getOptions() const { return options; }

private:
  std::string getPathOf(const CacheEntry &entry) const {
    return options.folder + "/" + entry.getFileName();
  }

  CacheOptions options;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_DISKCACHE_H
