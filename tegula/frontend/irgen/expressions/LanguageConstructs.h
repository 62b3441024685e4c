// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names of the language that are more than functions: constructs of loops,
/// of regions, of annotations, and calls that depend on where they stand. This
/// is the one place that knows how they are spelled.

#ifndef TEGULA_FRONTEND_IRGEN_EXPRESSIONS_LANGUAGECONSTRUCTS_H
#define TEGULA_FRONTEND_IRGEN_EXPRESSIONS_LANGUAGECONSTRUCTS_H

#include "llvm/ADT/StringRef.h"

namespace tegula {

/// A name of the language that the generator itself understands.
enum class Construct {
  /// Any other name.
  None,
  // What a `for` runs over.
  Range,
  Parallel,
  Unroll,
  Pipeline,
  While,
  Lanes,
  // What a `for` runs over, and what a `with` takes.
  Grid,
  // What a `with` takes.
  At,
  Scope,
  AutoScope,
  ManualScope,
  Cluster,
  // Calls that stand for a statement.
  Yield,
  Condition,
  Assume,
  Print,
  StaticPrint,
  StaticAssert,
  FunctionAttributes,
  // Calls that depend on the grid around them.
  BlockIndex,
  NumBlocks,
  LaneIndex,
  Shard,
  Gather,
  Submit,
  SubmitGrid,
  WaitForBlocks,
  WaitForLanes,
  // Annotations.
  Tensor,
  Tile,
  Scalar
};

/// The construct behind `pl.<path>`.
Construct constructOf(llvm::StringRef path);

/// True for what a `for` runs over.
bool isIterator(Construct construct);

/// True for what a `with` takes.
bool isRegion(Construct construct);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_EXPRESSIONS_LANGUAGECONSTRUCTS_H
