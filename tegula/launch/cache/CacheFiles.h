// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files of a cache folder: how they come into being whole, how they are
/// trusted, and how the oldest go.

#ifndef TEGULA_LAUNCH_CACHE_CACHEFILES_H
#define TEGULA_LAUNCH_CACHE_CACHEFILES_H

#include "tegula/launch/image/MemoryFile.h"

#include <sys/stat.h>
#include <vector>

namespace tegula {

/// A file open for reading, with what the system says about this very file.
struct CacheFile {
  Descriptor descriptor;
  struct stat status;

  /// False if it cannot be opened or is no ordinary file.
  bool open(const std::string &path);
  /// True if it is this user's, and nobody else's to write.
  bool isTrusted() const;
  /// All bytes; fewer if the file became shorter.
  std::string read() const;

  uint64_t getSize() const { return status.st_size; }
  int64_t getLastUsed() const { return status.st_mtime; }
};

/// True if the folder is this user's, and nobody else's to write.
bool isTrustedFolder(const std::string &folder);

/// Makes the folder and those above it that are missing, for this user only;
/// errno says why not.
bool makeFolders(const std::string &folder);

/// Writes a file that appears under its name whole or not at all, in the place
/// of one that is there. Returns it open for reading; errno says why not.
Descriptor writeWhole(const std::string &folder, const std::string &name,
                      std::string_view bytes);

/// Lets one process at a time change what several write. Whoever takes too
/// long, because it was stopped, is not waited for.
class FolderLock {
public:
  explicit FolderLock(const std::string &folder);

private:
  /// The folder itself; the lock ends when it is closed.
  Descriptor descriptor;
};

/// How the name of a file begins that is not whole yet.
constexpr const char *temporaryPrefix = ".tmp-";

/// An entry's file.
struct FileUsage {
  std::string name;
  uint64_t size;
  /// Nanoseconds since 1970.
  int64_t lastUsed;
};

/// The files of all entries, the last used first.
std::vector<FileUsage> listFiles(const std::string &folder);

/// Notes that the folder has grown by `bytes`. True if it grew by more than
/// `limit` since the last time, counting all processes.
bool hasGrown(const std::string &folder, uint64_t bytes, uint64_t limit);

/// Removes the entries that were not used for the longest time until the rest
/// takes no more than `maxBytes`, and what killed processes left half written.
/// Does nothing while another process does it.
void evict(const std::string &folder, uint64_t maxBytes);

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_CACHEFILES_H
