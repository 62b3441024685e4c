// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// LLVM's machine of NVIDIA GPUs: from LLVM's code to text for assemblers.

#ifndef TEGULA_BACKENDS_CUDA_ASSEMBLER_PTXMACHINE_H
#define TEGULA_BACKENDS_CUDA_ASSEMBLER_PTXMACHINE_H

#include "tegula/support/Error.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace tegula {

/// For a chip such as `sm_90a`.
Expected<std::unique_ptr<llvm::TargetMachine>>
makePtxMachine(llvm::StringRef chip);

/// True if LLVM makes code for the chip.
bool isChip(llvm::StringRef chip);

void optimizeForPtx(llvm::Module &module, llvm::TargetMachine &machine);

Expected<std::string> printPtx(llvm::Module &module,
                               llvm::TargetMachine &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ASSEMBLER_PTXMACHINE_H
