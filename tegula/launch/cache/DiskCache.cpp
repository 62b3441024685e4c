// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/cache/DiskCache.h"

#include "tegula/launch/cache/CacheFiles.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

using namespace tegula;

/// An entry counts as used now if its file says it was within this time, so
/// that finding one seldom writes to the disk.
static constexpr int64_t touchSeconds = 3600;

static void warnUntrusted(const std::string &path) {
  warnOnce("untrusted", "'" + path +
                            "' is not used: it belongs to another user, or "
                            "others may write it");
}

static void warnUnwritable(const std::string &folder) {
  warnOnce("unwritable", "cannot keep compiled kernels in '" + folder +
                             "': " + std::strerror(errno));
}

std::optional<CachedCode> DiskCache::find(std::string_view program,
                                          std::string_view variant) const {
  if (options.mode == CacheOptions::Mode::Off || options.folder.empty())
    return std::nullopt;
  CacheEntry key;
  key.program = program;
  key.variant = variant;
  key.toolchain = options.toolchain;
  std::string path = getPathOf(key);
  CacheFile file;
  if (!file.open(path))
    return std::nullopt;
  if (!file.isTrusted() || !isTrustedFolder(options.folder)) {
    warnUntrusted(path);
    return std::nullopt;
  }
  CachedCode found;
  uint64_t codeSize = 0;
  if (!readCacheEntry(file.read(), found.entry, codeSize) ||
      found.entry.program != program || found.entry.variant != variant ||
      found.entry.toolchain != options.toolchain)
    return std::nullopt;
  int64_t now = std::time(nullptr);
  if (options.mode == CacheOptions::Mode::On &&
      now - file.getLastUsed() > touchSeconds)
    ::futimens(file.descriptor.get(), nullptr);
  if (codeSize > 0)
    found.file = std::move(file.descriptor);
  return found;
}

std::optional<CachedCode> DiskCache::store(CacheEntry entry,
                                           std::string_view code) {
  if (options.mode != CacheOptions::Mode::On || options.folder.empty())
    return std::nullopt;
  entry.toolchain = options.toolchain;
  entry.created = std::time(nullptr);
  std::string bytes = writeCacheEntry(entry, code);
  if (bytes.size() > options.maxBytes)
    return std::nullopt;
  if (!makeFolders(options.folder)) {
    warnUnwritable(options.folder);
    return std::nullopt;
  }
  if (!isTrustedFolder(options.folder)) {
    warnUntrusted(options.folder);
    return std::nullopt;
  }
  CachedCode stored;
  stored.file = writeWhole(options.folder, entry.getFileName(), bytes);
  if (!stored.file) {
    warnUnwritable(options.folder);
    return std::nullopt;
  }
  if (hasGrown(options.folder, bytes.size(), options.maxBytes / 16))
    evict(options.folder, options.maxBytes);
  stored.entry = std::move(entry);
  if (code.empty())
    stored.file.reset();
  return stored;
}

static CacheRecord describeFile(const std::string &path) {
  CacheRecord record;
  record.path = path;
  record.state = CacheRecord::State::Damaged;
  CacheFile file;
  if (!file.open(path))
    return record;
  record.fileSize = file.getSize();
  record.lastUsed = file.getLastUsed();
  if (!file.isTrusted())
    record.state = CacheRecord::State::Untrusted;
  else if (readCacheEntry(file.read(), record.entry, record.codeSize))
    record.state = CacheRecord::State::Good;
  return record;
}

std::vector<CacheRecord> DiskCache::list() const {
  std::vector<CacheRecord> records;
  for (const FileUsage &file : listFiles(options.folder))
    records.push_back(describeFile(options.folder + "/" + file.name));
  return records;
}

Problem DiskCache::remove(const CacheRecord &record) const {
  if (::unlink(record.path.c_str()) != 0 && errno != ENOENT)
    return makeProblem(Problem::Kind::System, "cannot remove '{0}': {1}",
                       record.path, std::strerror(errno));
  return {};
}
