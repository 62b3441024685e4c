// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that this library itself compiles, from files or programs.

#ifndef TEGULA_RUNTIME_SOURCEORIGIN_H
#define TEGULA_RUNTIME_SOURCEORIGIN_H

#include "tegula/launch/call/Dispatcher.h"
#include "tegula/runtime/Compiler.h"

namespace tegula {

/// A source with its text.
class SourceOrigin : public KernelOrigin {
public:
  explicit SourceOrigin(KernelSource source) : source(std::move(source)) {}

  std::string getKey() const override;
  Problem describe(Signature &declared) override;
  Problem compile(llvm::ArrayRef<Argument> arguments,
                  KernelImage &image) override;
  std::vector<FileUse> listFiles() const override;

private:
  KernelSource source;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_SOURCEORIGIN_H
