// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compiled code in this process. All code comes as a shared library, whether
/// it was just compiled or lay on a disk, and is loaded the same way.

#ifndef TEGULA_LAUNCH_IMAGE_CODELIBRARY_H
#define TEGULA_LAUNCH_IMAGE_CODELIBRARY_H

#include "tegula/launch/image/MemoryFile.h"

#include <memory>

namespace tegula {

/// A loaded shared library. Destroying it unloads the code.
class CodeLibrary {
public:
  /// Loads the shared library in `file`, which may be closed afterwards. What
  /// was opened is loaded, even if its path leads elsewhere by now.
  static Problem load(const Descriptor &file,
                      std::shared_ptr<CodeLibrary> &library);
  /// Loads the shared library with these bytes.
  static Problem load(std::string_view bytes,
                      std::shared_ptr<CodeLibrary> &library);

  ~CodeLibrary();

  /// The function or variable of that name, or null.
  void *find(const char *name) const;

private:
  explicit CodeLibrary(void *handle) : handle(handle) {}

  void *handle;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_CODELIBRARY_H
