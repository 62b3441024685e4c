// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is wrong with the kernels of a file, without running them. Internal to
/// the runtime.

#ifndef TEGULA_RUNTIME_CHECK_KERNELCHECKER_H
#define TEGULA_RUNTIME_CHECK_KERNELCHECKER_H

#include "tegula/runtime/Compilation.h"

namespace tegula {

/// Checks the kernels of a file one after the other, in one compilation.
class KernelChecker {
public:
  KernelChecker(Compilation &compilation, Explain explain)
      : compilation(compilation), explain(explain) {}

  /// What is wrong with the kernels of the file, as far as the tiles.
  std::vector<Diagnostic> checkAll();

private:
  std::vector<Diagnostic> checkKernel(const Signature &kernel);
  /// What is wrong if calls bring `specs`.
  std::vector<Diagnostic> checkWith(llvm::ArrayRef<ArgumentSpec> specs);

  Compilation &compilation;
  Explain explain;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_CHECK_KERNELCHECKER_H
