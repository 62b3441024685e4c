// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes that LLVM would run when it makes code, and that take time for
/// nothing here.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_SKIPPEDLLVMPASSES_H
#define TEGULA_BACKENDS_CPU_OBJECT_SKIPPEDLLVMPASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LegacyPassManager.h"

namespace tegula {

/// What LLVM calls them.
llvm::ArrayRef<llvm::StringLiteral> getSkippedLlvmPasses();

/// Takes the passes that make code and gives all but some to another manager.
/// If those were there and skipped, what they ask for would still be found out.
class SkippedLlvmPasses : public llvm::legacy::PassManagerBase {
public:
  /// Both must outlive it.
  SkippedLlvmPasses(llvm::legacy::PassManagerBase &others,
                    llvm::ArrayRef<llvm::StringLiteral> names)
      : others(others), names(names) {}

  void add(llvm::Pass *pass) override;

private:
  llvm::legacy::PassManagerBase &others;
  llvm::ArrayRef<llvm::StringLiteral> names;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_SKIPPEDLLVMPASSES_H
