// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the annotation of a parameter says: `pl.Out[pl.Tensor[[M, 128],
/// pl.FP32]]` and its simpler forms.

#ifndef TEGULA_FRONTEND_CONSTANTS_ANNOTATIONS_H
#define TEGULA_FRONTEND_CONSTANTS_ANNOTATIONS_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include <optional>
#include <vector>

namespace tegula {

/// One entry of a declared shape.
struct DeclaredDim {
  /// Where it is written.
  mlir::Location loc;
  /// The number, if it is one.
  std::optional<int64_t> extent;
  /// The symbol, if it is one; null otherwise.
  std::shared_ptr<Symbol> symbol;
  /// The name the symbol is written with; empty if it is not a plain name.
  std::string variable = {};
};

/// One parameter as declared.
struct DeclaredParameter {
  enum class Kind { Open, Scalar, Tensor, Tile };

  llvm::StringRef name;
  mlir::Location loc;
  Kind kind = Kind::Open;
  pl::Direction direction = pl::Direction::In;
  /// True if the annotation names a direction.
  bool hasDirection = false;
  /// The element or scalar type; null if it is left open.
  mlir::Type dtype = {};
  /// The shape; nothing if it is left open.
  std::optional<std::vector<DeclaredDim>> dims = std::nullopt;
  /// How much of it there is to see, from the start of each axis; nothing if
  /// that is all of it.
  std::optional<std::vector<DeclaredDim>> valid = std::nullopt;
  /// The default, or nothing.
  std::optional<Object> defaultValue = std::nullopt;

  /// True if it is memory that other ranks write, too.
  bool isWindow = false;
  /// True if its argument must be known while compiling.
  bool isConstexpr = false;

  bool isWritten() const { return direction != pl::Direction::In; }
};

/// The parameters of a function, or nothing if there are mistakes, which have
/// been reported.
std::optional<std::vector<DeclaredParameter>>
readParameters(const KernelFunction &function, Reporter &reporter);

/// What the annotation behind `->` says, one entry for each value returned;
/// nothing if there are mistakes, which have been reported. A list without
/// entries means None.
std::optional<std::vector<DeclaredParameter>>
readResults(const KernelFunction &function, Reporter &reporter);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_ANNOTATIONS_H
