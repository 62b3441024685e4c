// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One compiled kernel as a file: the shared library, then all that belongs to
/// it, then a checksum of both. Loaders of shared libraries stop before what
/// they do not know, so that the file can be loaded as it is.

#ifndef TEGULA_LAUNCH_CACHE_CACHEENTRY_H
#define TEGULA_LAUNCH_CACHE_CACHEENTRY_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula {

/// What is kept with the code.
struct CacheEntry {
  /// What was compiled, and for which calls: together the key.
  std::string program;
  std::string variant;
  /// What the code depends on besides.
  std::string toolchain;
  /// For people: the kernel's name, and what it was specialised on.
  std::string kernel;
  std::string description;
  /// Seconds since 1970.
  int64_t created = 0;
  /// What the code needs to be called; the cache does not look inside.
  std::string facts;

  /// The name of the file for this key.
  std::string getFileName() const;
};

/// The bytes of a file. The code, which may be empty, comes first.
std::string writeCacheEntry(const CacheEntry &entry, std::string_view code);

/// Reads a file. False if it is not a whole entry of this version, bit by bit
/// as it was written. `codeSize` is the number of bytes of code.
bool readCacheEntry(std::string_view bytes, CacheEntry &entry,
                    uint64_t &codeSize);

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_CACHEENTRY_H
