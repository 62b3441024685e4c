// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel at a stage of its compilation, line by line, and where in the
/// source each line comes from.

#ifndef TEGULA_RUNTIME_STAGETEXT_H
#define TEGULA_RUNTIME_STAGETEXT_H

#include "tegula/runtime/Compiler.h"

namespace tegula {

/// Text whose lines know their locations.
struct StageText {
  std::string text;
  /// One per line; its line is 0 where nothing is known. Empty for stages that
  /// know no locations.
  std::vector<SourceLocation> locations;
};

/// The kernel at a stage, as printStage has it.
[[nodiscard]] Expected<StageText>
printStageText(const KernelSource &source, llvm::StringRef stage,
               llvm::ArrayRef<Argument> arguments);

/// Whether that text knows its locations.
bool knowsLocations(llvm::StringRef stage);

} // namespace tegula

#endif // TEGULA_RUNTIME_STAGETEXT_H
