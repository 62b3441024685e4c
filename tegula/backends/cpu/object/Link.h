// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From object files to a shared library, by lld within this process.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_LINK_H
#define TEGULA_BACKENDS_CPU_OBJECT_LINK_H

#include "tegula/backends/cpu/object/ObjectFile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tegula {

/// What is called of one shared library. Naming it to the linker is much faster
/// than letting it read the library.
struct Import {
  /// The name by which the library is loaded. Where it lies is not said, so
  /// that what is linked here can be used by any installation.
  std::string library;
  std::vector<std::string> functions;
};

/// What goes into a shared library.
struct LinkInput {
  /// Contents of object files.
  llvm::ArrayRef<llvm::StringRef> objects;
  /// What they call that none of them has.
  llvm::ArrayRef<Import> imports = {};
  /// Paths of archives, whose symbols stay inside, and of shared libraries, of
  /// which one that defines nothing that is called is left out.
  llvm::ArrayRef<std::string> libraries = {};
  /// More words for lld.
  llvm::ArrayRef<std::string> options = {};
};

/// The bytes of the shared library. Threads that link at once wait for each
/// other.
llvm::Expected<FileBytes> linkSharedLibrary(const LinkInput &input);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_LINK_H
