// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The texts of kernel files, and of variables of the environment, whose paths
/// are `$NAME`. Each is read once and then stays what it was, so that a kernel
/// that is compiled again later is still the same program.

#ifndef TEGULA_SUPPORT_SOURCEFILES_H
#define TEGULA_SUPPORT_SOURCEFILES_H

#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace tegula {

/// Texts by path. May be asked by several threads at once.
class SourceFiles {
public:
  virtual ~SourceFiles() = default;

  /// Makes `text` the text of `path`, whatever stands on the disk.
  void add(llvm::StringRef path, llvm::StringRef text);

  /// The text of `path`; null if there is no such file. Valid as long as this
  /// lives.
  [[nodiscard]] Expected<const std::string *> find(llvm::StringRef path);

  /// What was asked for so far, by path; nothing where there was no file.
  std::map<std::string, std::optional<std::string>, std::less<>> list();

protected:
  /// Looks for a file that is not known yet. Here there is none.
  [[nodiscard]] virtual Expected<std::optional<std::string>>
  load(llvm::StringRef path);

private:
  std::mutex mutex;
  std::map<std::string, std::optional<std::string>, std::less<>> texts;
};

/// The files of the disk, and the environment of the process.
class DiskFiles : public SourceFiles {
public:
  /// Larger files are not kernels.
  static constexpr uint64_t maxBytes = 4 << 20;

protected:
  [[nodiscard]] Expected<std::optional<std::string>>
  load(llvm::StringRef path) override;
};

} // namespace tegula

#endif // TEGULA_SUPPORT_SOURCEFILES_H
