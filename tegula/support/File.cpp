// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
namespace fs = llvm::sys::fs;

/// Reads to the end. Pipes and devices do not say beforehand how much comes.
static Expected<std::string> readUpTo(fs::file_t file, llvm::StringRef path,
                                      uint64_t maxBytes) {
  std::string bytes;
  constexpr size_t chunk = 1 << 20;
  for (;;) {
    size_t used = bytes.size();
    bytes.resize(used + chunk);
    Expected<size_t> count = fs::readNativeFile(file, {&bytes[used], chunk});
    if (!count)
      return makeError("cannot read '{0}': {1}", path,
                       llvm::toString(count.takeError()));
    bytes.resize(used + *count);
    if (*count == 0)
      return bytes;
    if (bytes.size() > maxBytes)
      return makeError("cannot read '{0}': it has more than {1} bytes, the "
                       "limit",
                       path, maxBytes);
  }
}

Expected<std::string> tegula::readFile(llvm::StringRef path,
                                       uint64_t maxBytes) {
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return makeError("cannot read '{0}': {1}", path, code.message());
  if (fs::is_directory(status))
    return makeError("cannot read '{0}': it is a directory", path);
  if (status.getSize() > maxBytes)
    return makeError("cannot read '{0}': it has {1} bytes, the limit is {2}",
                     path, status.getSize(), maxBytes);
  Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return makeError("cannot read '{0}': {1}", path,
                     llvm::toString(file.takeError()));
  Expected<std::string> text = readUpTo(*file, path, maxBytes);
  // A file that was only read loses nothing if closing it fails.
  [[maybe_unused]] std::error_code closed = fs::closeFile(*file);
  return text;
}

/// Where to write for `path`: a link stays one, its target is replaced. What
/// is no file, such as a device, must not be replaced by one.
static Expected<std::string> findPlace(const std::string &path) {
  fs::file_status status;
  if (fs::status(path, status))
    return path;
  if (fs::is_directory(status))
    return makeError("cannot write '{0}': it is a directory", path);
  if (!fs::is_regular_file(status))
    return makeError("cannot write '{0}': it is not a regular file", path);
  if (std::error_code code = fs::access(path, fs::AccessMode::Write))
    return makeError("cannot write '{0}': {1}", path, code.message());
  llvm::SmallString<128> place;
  if (std::error_code code = fs::real_path(path, place))
    return makeError("cannot write '{0}': {1}", path, code.message());
  return place.str().str();
}

/// Creates the temporary file that becomes `file` at `place`, complete.
static Expected<fs::TempFile> stage(const FileContent &file,
                                    const std::string &place) {
  Expected<fs::TempFile> temporary =
      fs::TempFile::create(place + ".%%%%%%%%.tmp");
  if (!temporary)
    return makeError("cannot write '{0}': {1}", file.path,
                     llvm::toString(temporary.takeError()));
  llvm::raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
  stream << file.bytes;
  stream.flush();
  if (std::error_code code = stream.error()) {
    stream.clear_error();
    llvm::consumeError(temporary->discard());
    return makeError("cannot write '{0}': {1}", file.path, code.message());
  }
  return temporary;
}

Error tegula::writeFilesAtomically(llvm::ArrayRef<FileContent> files) {
  llvm::SmallVector<std::string> places;
  for (const FileContent &file : files) {
    Expected<std::string> place = findPlace(file.path);
    if (!place)
      return place.takeError();
    places.push_back(std::move(*place));
  }
  llvm::SmallVector<fs::TempFile> staged;
  Error failure = Error::success();
  for (auto [file, place] : llvm::zip(files, places)) {
    Expected<fs::TempFile> temporary = stage(file, place);
    if (!temporary) {
      failure = temporary.takeError();
      break;
    }
    staged.push_back(std::move(*temporary));
  }
  for (auto [index, temporary] : llvm::enumerate(staged)) {
    if (failure) {
      llvm::consumeError(temporary.discard());
      continue;
    }
    if (Error error = temporary.keep(places[index]))
      failure = makeError("cannot write '{0}': {1}", files[index].path,
                          llvm::toString(std::move(error)));
  }
  return failure;
}
