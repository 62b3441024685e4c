// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/File.h"

#include "tegula/support/Recovery.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace tegula;
namespace fs = llvm::sys::fs;

/// Reads to the end. Pipes and devices do not say beforehand how much comes.
static Expected<std::string> readUpTo(fs::file_t file, llvm::StringRef path,
                                      uint64_t maxBytes,
                                      llvm::StringRef start) {
  std::string bytes;
  constexpr size_t chunk = 1 << 20;
  for (;;) {
    size_t used = bytes.size();
    if (Error error = runRecovering([&] { bytes.resize(used + chunk); })) {
      llvm::consumeError(std::move(error));
      return makeSystemError(ENOMEM,
                             "cannot read '{0}': there is no memory for more "
                             "than {1} bytes of it",
                             path, used);
    }
    Expected<size_t> count = fs::readNativeFile(file, {&bytes[used], chunk});
    if (!count)
      return makeError("cannot read '{0}': {1}", path,
                       llvm::toString(count.takeError()));
    bytes.resize(used + *count);
    bool isOther = bytes.size() >= start.size() &&
                   llvm::StringRef(bytes).take_front(start.size()) != start;
    if (*count == 0 || isOther)
      return bytes;
    if (bytes.size() > maxBytes)
      return makeError("cannot read '{0}': it has more than {1} bytes, the "
                       "limit",
                       path, maxBytes);
  }
}

Expected<std::string> tegula::readFile(llvm::StringRef path, uint64_t maxBytes,
                                       llvm::StringRef start) {
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return makeSystemError(code.value(), "cannot read '{0}': {1}", path,
                           code.message());
  if (fs::is_directory(status))
    return makeSystemError(EISDIR, "cannot read '{0}': it is a directory",
                           path);
  if (status.getSize() > maxBytes)
    return makeError("cannot read '{0}': it has {1} bytes, the limit is {2}",
                     path, status.getSize(), maxBytes);
  Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return makeError("cannot read '{0}': {1}", path,
                     llvm::toString(file.takeError()));
  Expected<std::string> text = readUpTo(*file, path, maxBytes, start);
  // A file that was only read loses nothing if closing it fails.
  [[maybe_unused]] std::error_code closed = fs::closeFile(*file);
  return text;
}

static Error makeWriteError(const std::string &path, int code) {
  return makeSystemError(code, "cannot write '{0}': {1}", path,
                         std::generic_category().message(code));
}

/// Where to write for `path`: a link stays one, its target is replaced. What
/// is no file, such as a device, must not be replaced by one.
static Expected<std::string> resolveLink(const std::string &path) {
  fs::file_status status;
  if (fs::status(path, status))
    return path;
  if (fs::is_directory(status))
    return makeSystemError(EISDIR, "cannot write '{0}': it is a directory",
                           path);
  if (!fs::is_regular_file(status))
    return makeSystemError(
        EINVAL, "cannot write '{0}': it is not a regular file", path);
  if (std::error_code code = fs::access(path, fs::AccessMode::Write))
    return makeWriteError(path, code.value());
  llvm::SmallString<128> resolved;
  if (std::error_code code = fs::real_path(path, resolved))
    return makeWriteError(path, code.value());
  return resolved.str().str();
}

Error tegula::checkWritable(llvm::StringRef path) {
  Expected<std::string> resolved = resolveLink(path.str());
  if (!resolved)
    return resolved.takeError();
  llvm::StringRef folder = llvm::sys::path::parent_path(*resolved);
  if (folder.empty())
    folder = ".";
  if (::access(folder.str().c_str(), W_OK | X_OK) != 0)
    return makeWriteError(path.str(), errno);
  return Error::success();
}

namespace {

/// The name of a temporary file, where a handler of signals finds it.
struct UnfinishedName {
  /// Set while `path` is of a file.
  std::atomic<bool> isUsed = false;
  std::atomic<bool> isSet = false;
  char path[4096];
};

/// A file under a temporary name next to its place.
class StagedFile {
public:
  StagedFile() = default;
  StagedFile(StagedFile &&other)
      : temporary(std::move(other.temporary)),
        name(std::exchange(other.name, nullptr)) {
    other.temporary.clear();
  }
  ~StagedFile() {
    if (!temporary.empty())
      ::unlink(temporary.c_str());
    release();
  }

  /// Writes `file`, complete, next to `resolved`.
  Error write(const FileContent &file, const std::string &resolved);
  /// Gives the file its name.
  Error keep(const std::string &path, const std::string &resolved);

private:
  void announce();
  void release();

  std::string temporary;
  UnfinishedName *name = nullptr;
};

} // namespace

static UnfinishedName unfinishedNames[16];

void tegula::discardUnfinishedFiles() {
  for (UnfinishedName &name : unfinishedNames)
    if (name.isSet)
      ::unlink(name.path);
}

/// With more files than there are places, some are not found by the handler.
void StagedFile::announce() {
  for (UnfinishedName &free : unfinishedNames) {
    if (temporary.size() >= sizeof(free.path) || free.isUsed.exchange(true))
      continue;
    name = &free;
    std::strcpy(free.path, temporary.c_str());
    free.isSet = true;
    return;
  }
}

void StagedFile::release() {
  if (!name)
    return;
  name->isSet = false;
  name->isUsed = false;
  name = nullptr;
}

Error StagedFile::write(const FileContent &file, const std::string &resolved) {
  llvm::SmallString<128> path;
  int descriptor = -1;
  if (std::error_code code =
          fs::createUniqueFile(resolved + ".%%%%%%%%.tmp", descriptor, path))
    return makeWriteError(file.path, code.value());
  temporary = path.str().str();
  announce();
  int code = 0;
  const char *next = file.bytes.data();
  for (size_t left = file.bytes.size(); code == 0 && left > 0;) {
    ssize_t count = ::write(descriptor, next, left);
    if (count < 0 && errno != EINTR)
      code = errno;
    next += std::max<ssize_t>(count, 0);
    left -= std::max<ssize_t>(count, 0);
  }
  if (::close(descriptor) != 0 && code == 0)
    code = errno;
  return code == 0 ? Error::success() : makeWriteError(file.path, code);
}

Error StagedFile::keep(const std::string &path, const std::string &resolved) {
  if (::rename(temporary.c_str(), resolved.c_str()) != 0)
    return makeWriteError(path, errno);
  temporary.clear();
  return Error::success();
}

Error tegula::writeFilesAtomically(llvm::ArrayRef<FileContent> files) {
  llvm::SmallVector<std::string> resolvedPaths;
  for (const FileContent &file : files) {
    Expected<std::string> resolved = resolveLink(file.path);
    if (!resolved)
      return resolved.takeError();
    resolvedPaths.push_back(std::move(*resolved));
  }
  std::vector<StagedFile> staged(files.size());
  for (auto [file, resolved, stage] : llvm::zip(files, resolvedPaths, staged))
    if (Error error = stage.write(file, resolved))
      return error;
  for (auto [file, resolved, stage] : llvm::zip(files, resolvedPaths, staged))
    if (Error error = stage.keep(file.path, resolved))
      return error;
  return Error::success();
}
