// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What passes may ask about the machine that they prepare a program for, as
/// plain data. Back ends fill it in; no pass asks which one it was.

#ifndef TEGULA_TRANSFORMS_MACHINEMODEL_H
#define TEGULA_TRANSFORMS_MACHINEMODEL_H

#include "tegula/ir/PlDialect.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tegula {

/// What whole-array expressions are cut to, in elements. Tiles that an author
/// wrote stay as they are, unless they are too large.
struct TileSizes {
  /// Along every unbounded axis but the last.
  int64_t rows;
  /// Along the last axis, and the steps of reductions.
  int64_t columns;
  /// Along the only axis.
  int64_t elements;
  /// Of a window of a matrix product.
  int64_t matmulRows;
  int64_t matmulColumns;
  /// The steps in which a product sums.
  int64_t depth;
  /// What is larger is cut, even if its extents are numbers.
  int64_t largest;
};

/// A memory that tiles can live in.
struct MachineMemory {
  std::string name;
  /// How much of it one core has; 0 if it is as large as memory is.
  int64_t bytes = 0;
  /// What the address of every tile is a multiple of.
  int64_t alignment = 1;
};

/// A machine.
struct MachineModel {
  TileSizes tiles;
  /// The nearest to the arithmetic first.
  std::vector<MachineMemory> memories;
  /// The kinds of functions that it runs as such. The others become a part of
  /// those that call them.
  std::vector<pl::FunctionKind> functions = {};
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MACHINEMODEL_H
