// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks that a command runs a host program on.

#ifndef TEGULA_TOOLS_TEGULA_RUNRANKS_H
#define TEGULA_TOOLS_TEGULA_RUNRANKS_H

#include "tegula/dist/control/RankSession.h"
#include "tegula/runtime/Compiler.h"
#include "tools/tegula/CommandLine.h"

namespace tegula {

std::vector<OptionSpec> getRankOptions();

/// Makes `--ranks` and `--order` those of the target, if it runs ranks in turn.
Error chooseInterpretedRanks(const CommandLine &line);

/// As many ranks as `--ranks` says, or those that mpirun started; null if there
/// are neither, or they are interpreted.
Expected<std::unique_ptr<RankSession>> openRanks(const CommandLine &line);

/// Runs the kernel once more and writes down what its ranks did, if the options
/// ask for it: a table, and the files that they name.
Error reportRanks(const CommandLine &line, const Kernel &kernel,
                  llvm::ArrayRef<Argument> arguments, RankSession *session);

/// True unless another process prints what all ranks find.
bool isSpeaker(const RankSession *session);

} // namespace tegula

#endif // TEGULA_TOOLS_TEGULA_RUNRANKS_H
