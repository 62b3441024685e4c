// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading and writing whole files. Nothing is ever left half-written.

#ifndef TEGULA_SUPPORT_FILE_H
#define TEGULA_SUPPORT_FILE_H

#include "tegula/support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace tegula {

/// The text of the file at `path`, which may be a pipe. Directories and files
/// of more than `maxBytes`, or than there is memory, are refused. Of a file
/// that does not begin with `start` no more than its beginning is read.
[[nodiscard]] Expected<std::string>
readFile(llvm::StringRef path, uint64_t maxBytes, llvm::StringRef start = "");

/// A file to write: where, and what.
struct FileContent {
  std::string path;
  std::string bytes;
};

/// Writes all `files` or none: each goes to a temporary file next to its place,
/// and only when all are complete are they renamed. What exists and is not a
/// regular file is refused; links are followed.
[[nodiscard]] Error writeFilesAtomically(llvm::ArrayRef<FileContent> files);

/// Whether `path` could be written now: says so before much work is done for
/// it.
[[nodiscard]] Error checkWritable(llvm::StringRef path);

/// Removes the temporary files of writes that are going on. For the handler of
/// a signal that ends the process: no other function of this file may follow.
void discardUnfinishedFiles();

} // namespace tegula

#endif // TEGULA_SUPPORT_FILE_H
