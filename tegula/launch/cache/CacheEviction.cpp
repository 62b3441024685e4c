// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a cache folder small.

#include "tegula/launch/cache/CacheFiles.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <unistd.h>

using namespace tegula;

/// Its size says how much was written since the folder was last looked through:
/// a byte for each block. It is also the lock of those who remove files.
static constexpr const char *growthName = "/growth";
static constexpr uint64_t blockSize = 4096;

static constexpr int64_t nanoseconds = 1000000000;

/// What is half written for so long never becomes whole.
static constexpr int64_t abandonedTime = 600 * nanoseconds;

static std::vector<FileUsage> listAll(const std::string &folder) {
  std::vector<FileUsage> files;
  std::unique_ptr<DIR, int (*)(DIR *)> stream(::opendir(folder.c_str()),
                                              ::closedir);
  if (!stream)
    return files;
  while (const dirent *next = ::readdir(stream.get())) {
    struct stat status;
    if (::fstatat(::dirfd(stream.get()), next->d_name, &status,
                  AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode))
      files.push_back(
          {next->d_name, static_cast<uint64_t>(status.st_size),
           status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec});
  }
  return files;
}

static bool isEntry(const FileUsage &file) {
  return file.name.size() > 3 && file.name[0] != '.' &&
         file.name.compare(file.name.size() - 3, 3, ".so") == 0;
}

static bool isLastUsedFirst(const FileUsage &lhs, const FileUsage &rhs) {
  return lhs.lastUsed != rhs.lastUsed ? lhs.lastUsed > rhs.lastUsed
                                      : lhs.name < rhs.name;
}

std::vector<FileUsage> tegula::listFiles(const std::string &folder) {
  std::vector<FileUsage> files = listAll(folder);
  files.erase(
      std::remove_if(files.begin(), files.end(),
                     [](const FileUsage &file) { return !isEntry(file); }),
      files.end());
  std::sort(files.begin(), files.end(), isLastUsedFirst);
  return files;
}

/// The size a file takes of the disk, about.
static uint64_t roundUp(uint64_t size) {
  return (size + blockSize - 1) / blockSize * blockSize;
}

/// The file that says how much was written. What else has its name, a pipe or a
/// link, is removed: it would never answer, or lead elsewhere.
static Descriptor openGrowth(const std::string &folder) {
  std::string path = folder + growthName;
  for (unsigned attempt = 0; attempt < 2; ++attempt) {
    Descriptor file(::open(path.c_str(),
                           O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC |
                               O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
                           0600));
    struct stat status;
    if (file && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode))
      return file;
    if (::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) ||
        ::remove(path.c_str()) != 0)
      break;
  }
  return {};
}

bool tegula::hasGrown(const std::string &folder, uint64_t bytes,
                      uint64_t limit) {
  Descriptor file = openGrowth(folder);
  if (!file)
    return true;
  bool isNew = ::lseek(file.get(), 0, SEEK_END) == 0;
  std::string blocks(roundUp(bytes) / blockSize, '.');
  if (!writeAll(file.get(), blocks))
    return true;
  uint64_t growth = ::lseek(file.get(), 0, SEEK_END) * blockSize;
  return isNew || growth > limit;
}

void tegula::evict(const std::string &folder, uint64_t maxBytes) {
  Descriptor lock = openGrowth(folder);
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return;
  int64_t now = std::time(nullptr) * nanoseconds;
  uint64_t total = 0;
  std::vector<FileUsage> files = listAll(folder);
  std::sort(files.begin(), files.end(), isLastUsedFirst);
  for (const FileUsage &file : files) {
    bool isTemporary = file.name.rfind(temporaryPrefix, 0) == 0;
    bool goes = isTemporary && now - file.lastUsed > abandonedTime;
    if (isEntry(file)) {
      total += roundUp(file.size);
      goes = total > maxBytes;
    }
    if (goes)
      ::unlink((folder + "/" + file.name).c_str());
  }
  // One byte stays, so that the folder does not look new.
  if (::ftruncate(lock.get(), 1) != 0)
    ::unlink((folder + growthName).c_str());
}
