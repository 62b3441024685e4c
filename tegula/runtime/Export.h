// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels compiled ahead of time: a shared library with one C function per
/// kernel, and the header for it. Where it runs no compiler is needed.

#ifndef TEGULA_RUNTIME_EXPORT_H
#define TEGULA_RUNTIME_EXPORT_H

#include "tegula/runtime/Compiler.h"

namespace tegula {

/// A kernel to put into a library.
struct ExportedKernel {
  KernelSource source;
  /// What its open parameters are specialised on; nothing if it has none.
  std::vector<Argument> arguments = {};
  /// Parameters whose arguments become part of the library.
  std::vector<std::string> bound = {};
};

/// What to write, and for which machine.
struct ExportOptions {
  /// The path of the library.
  std::string library;
  /// The path of the C header; empty for none.
  std::string header;
  /// What the names of the C functions begin with, before the kernels' names.
  std::string prefix;
  /// What to compile for, such as "cpu:x86-64-v3"; empty for this processor.
  /// Unless it says `no-threads` the library starts threads of its own.
  std::string target;
};

/// Writes both files or none. The result is what the compiler has to say of the
/// kernels.
[[nodiscard]] Expected<std::vector<KernelWarning>>
exportKernels(llvm::ArrayRef<ExportedKernel> kernels,
              const ExportOptions &options);

} // namespace tegula

#endif // TEGULA_RUNTIME_EXPORT_H
