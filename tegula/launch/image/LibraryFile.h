// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether bytes are a shared library that the loader can take. The loader maps
/// what a file says it holds, and a file that ends before that ends the
/// process, so files that anyone may have written are looked at first.

#ifndef TEGULA_LAUNCH_IMAGE_LIBRARYFILE_H
#define TEGULA_LAUNCH_IMAGE_LIBRARYFILE_H

#include "tegula/launch/Problem.h"

#include <string_view>

namespace tegula {

/// A problem if `bytes` are no shared library, one for other processors, or
/// not all of one.
Problem checkLibraryFile(std::string_view bytes);

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_LIBRARYFILE_H
