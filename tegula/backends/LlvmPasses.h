// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What passes of LLVM need to run: the analyses they ask, for one machine.

#ifndef TEGULA_BACKENDS_LLVMPASSES_H
#define TEGULA_BACKENDS_LLVMPASSES_H

#include "llvm/Passes/PassBuilder.h"

namespace tegula {

class LlvmPasses {
public:
  explicit LlvmPasses(llvm::TargetMachine &machine);
  LlvmPasses(const LlvmPasses &) = delete;

  /// Makes pipelines.
  llvm::PassBuilder &getBuilder() { return builder; }
  /// What is told of each pass.
  llvm::PassInstrumentationCallbacks &getCallbacks() { return callbacks; }
  void run(llvm::ModulePassManager &pipeline, llvm::Module &module) {
    pipeline.run(module, modules);
  }

private:
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::PassBuilder builder;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_LLVMPASSES_H
