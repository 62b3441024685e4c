// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The passes from the front end's output to the last dialect of a target. One
/// can stop after each of them.

#ifndef TEGULA_BACKENDS_PASSSTOPS_H
#define TEGULA_BACKENDS_PASSSTOPS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tegula {

class PipelineBuilder;
class Target;
struct InferOptions;

/// A pass that one can stop after.
struct PassStop {
  /// `cpu-vectorize`; the second one called so is `simplify.2`, and one of a
  /// branch `host/cuda-math`.
  std::string name;
  std::string summary;
  /// Empty for what all parts of an image share.
  llvm::StringRef branch;
  /// So many passes run.
  size_t numPasses;
};

/// Adds the passes to the end of a branch, or of what all branches share if it
/// is empty.
void buildBranch(PipelineBuilder &pm, const Target &target,
                 const InferOptions &options, llvm::StringRef branch);

/// All of them, in order: what branches share, then one branch after the other.
std::vector<PassStop> listPassStops(const Target &target,
                                    const InferOptions &options);

} // namespace tegula

#endif // TEGULA_BACKENDS_PASSSTOPS_H
