// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What instructions of chips since sm_80 do for matmuls in tiles.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_TILEACTIONS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_TILEACTIONS_H

#include "tegula/backends/cuda/emulator/PtxMachine.h"

namespace tegula::emulator {

/// `cp.async`, `cp.async.commit_group` and `cp.async.wait_group`.
void copyAsync(PtxCall &call, const PtxInstruction &instruction);
void commitAsyncGroup(PtxCall &call, const PtxInstruction &instruction);
void waitAsyncGroup(PtxCall &call, const PtxInstruction &instruction);

/// `ldmatrix`: four matrices of eight rows of 16 bytes.
void loadMatrices(PtxCall &call, const PtxInstruction &instruction);

/// `mma.sync`: 16 rows and 8 columns, 32 bytes of each summed up.
void multiplyTile(PtxCall &call, const PtxInstruction &instruction);

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_TILEACTIONS_H
