// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/File.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
namespace fs = llvm::sys::fs;

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
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  if (std::error_code code = buffer.getError())
    return makeError("cannot read '{0}': {1}", path, code.message());
  return (*buffer)->getBuffer().str();
}

/// Creates the temporary file that becomes `file`, complete.
static Expected<fs::TempFile> stage(const FileContent &file) {
  if (fs::is_directory(file.path))
    return makeError("cannot write '{0}': it is a directory", file.path);
  Expected<fs::TempFile> temporary =
      fs::TempFile::create(file.path + ".%%%%%%%%.tmp");
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
  llvm::SmallVector<fs::TempFile> staged;
  Error failure = Error::success();
  for (const FileContent &file : files) {
    Expected<fs::TempFile> temporary = stage(file);
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
    if (Error error = temporary.keep(files[index].path))
      failure = makeError("cannot write '{0}': {1}", files[index].path,
                          llvm::toString(std::move(error)));
  }
  return failure;
}
