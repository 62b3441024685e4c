// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an editor wants to know of a file while it is written: mistakes, facts,
/// and what each name stands for.

#ifndef TEGULA_RUNTIME_SURVEY_H
#define TEGULA_RUNTIME_SURVEY_H

#include "tegula/runtime/Compiler.h"
#include <string>
#include <vector>

namespace tegula {

/// A name at a location, and what it means there.
struct NamedLocation {
  SourceLocation location;
  std::string name;
  /// "tile [upto 8, N] FP32".
  std::string what;
  /// True if the name is given this meaning here.
  bool isBound = false;
};

/// What is known of a file.
struct Survey {
  /// Mistakes, warnings, and as remarks what is proved and checked.
  std::vector<Diagnostic> diagnostics;
  /// The names in the kernels that could be generated, by location.
  std::vector<NamedLocation> names;
};

/// Looks at all kernels of a source that has its text. Nothing is run.
Survey surveySource(const KernelSource &source);

} // namespace tegula

#endif // TEGULA_RUNTIME_SURVEY_H
