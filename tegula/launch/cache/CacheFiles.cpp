// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/cache/CacheFiles.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace tegula;

static bool isOwn(const struct stat &status) {
  return status.st_uid == ::geteuid() && !(status.st_mode & 022);
}

bool CacheFile::open(const std::string &path) {
  descriptor = Descriptor(::open(
      path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  return descriptor && ::fstat(descriptor.get(), &status) == 0 &&
         S_ISREG(status.st_mode);
}

bool CacheFile::isTrusted() const { return isOwn(status); }

std::string CacheFile::read() const {
  std::string bytes(status.st_size, '\0');
  if (!readAll(descriptor.get(), bytes.data(), bytes.size(), 0))
    bytes.clear();
  return bytes;
}

bool tegula::isTrustedFolder(const std::string &folder) {
  struct stat status;
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         isOwn(status);
}

bool tegula::makeFolders(const std::string &folder) {
  if (::mkdir(folder.c_str(), 0700) == 0)
    return true;
  if (errno == EEXIST) {
    errno = ENOTDIR;
    struct stat status;
    return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  }
  size_t slash = folder.find_last_not_of('/');
  slash = slash == std::string::npos ? slash : folder.rfind('/', slash);
  if (errno != ENOENT || slash == std::string::npos || slash == 0)
    return false;
  return makeFolders(folder.substr(0, slash)) &&
         (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST);
}

FolderLock::FolderLock(const std::string &folder)
    : descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  constexpr unsigned maxTries = 200;
  constexpr useconds_t pause = 1000;
  for (unsigned count = 0; descriptor && count < maxTries; ++count) {
    if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) == 0 ||
        errno != EWOULDBLOCK)
      return;
    ::usleep(pause);
  }
}

namespace {

/// While this lives, a file that may grow no more is an error like any other
/// and does not end the process.
class WithoutSizeSignal {
public:
  WithoutSizeSignal() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~WithoutSizeSignal() {
    int error = errno;
    timespec now = {};
    if (!sigismember(&before, SIGXFSZ))
      sigtimedwait(&signals, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
  }

private:
  sigset_t signals, before;
};

} // namespace

Descriptor tegula::writeWhole(const std::string &folder,
                              const std::string &name, std::string_view bytes) {
  static std::atomic<unsigned> count = 0;
  timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  // Processes of several machines or containers may have one number.
  std::string temporary =
      folder + "/" + temporaryPrefix + std::to_string(::getpid()) + "-" +
      std::to_string(count++) + "-" + std::to_string(now.tv_nsec);
  Descriptor file(::open(temporary.c_str(),
                         O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                         0600));
  if (!file)
    return {};
  WithoutSizeSignal quiet;
  if (writeAll(file.get(), bytes) &&
      ::rename(temporary.c_str(), (folder + "/" + name).c_str()) == 0)
    return file;
  int error = errno;
  ::unlink(temporary.c_str());
  errno = error;
  return {};
}
