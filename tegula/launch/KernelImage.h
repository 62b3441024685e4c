// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the compiler makes of a kernel: a shared library and what has to be
/// known to call it. It can be kept in a file and loaded by any process.

#ifndef TEGULA_LAUNCH_KERNELIMAGE_H
#define TEGULA_LAUNCH_KERNELIMAGE_H

#include "tegula/launch/CodeLibrary.h"
#include "tegula/launch/Variant.h"

namespace tegula {

/// A file that was read while compiling.
struct FileUse {
  std::string path;
  /// Digest of what was read, or empty if there was no such file.
  std::string digest;
};

/// All that is known about compiled code but the code itself.
struct KernelFacts {
  /// With the types and shapes it was compiled for.
  Signature signature;
  /// The symbol of the kernel in the library.
  std::string entry;
  /// The texts that TegulaCallState::site stands for.
  std::vector<std::string> sites;
  /// What must not have changed for the code to be that of the source.
  std::vector<FileUse> files = {};
};

/// A compiled kernel.
struct KernelImage {
  KernelFacts facts;
  /// The bytes of the shared library.
  std::string code;
};

/// The facts as bytes.
std::string writeFacts(const KernelFacts &facts);

/// The facts that were written; false if these bytes are not such.
bool readFacts(std::string_view bytes, KernelFacts &facts);

/// Makes a callable variant of loaded code.
Problem makeVariant(KernelFacts facts, std::shared_ptr<CodeLibrary> code,
                    std::unique_ptr<Variant> &variant);

} // namespace tegula

#endif // TEGULA_LAUNCH_KERNELIMAGE_H
