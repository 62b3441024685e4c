// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which elements of a tile each register of each thread holds. The number of
/// a thread or a register is taken bit by bit: each bit has a step along every
/// axis, and an element is at the sum of the steps of the bits that are set.
/// Steps are powers of two that no two bits share, or nothing: then threads or
/// registers that differ in such a bit hold the same element.
///
/// Of the accumulator of mma.sync, 16 x 8, the bits of registers step (0, 1)
/// and (8, 0), those of lanes (0, 2), (0, 4), (1, 0), (2, 0) and (4, 0).

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_ELEMENTMAP_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_ELEMENTMAP_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallVector.h"

namespace tegula {

/// A coordinate in a tile, or a step: a number for each axis.
using Coordinate = llvm::SmallVector<int64_t, 3>;

/// For one tile shape.
struct ElementMap {
  /// The bounds of the tile, which need not be powers of two.
  llvm::SmallVector<int64_t, 3> shape;
  /// The steps of bits, from the lowest on; five for lanes. A block may have
  /// more warps than have bits: they hold the same.
  llvm::SmallVector<Coordinate> registers, lanes, warps;

  bool operator==(const ElementMap &other) const;

  unsigned getRank() const { return shape.size(); }
  int64_t getNumRegisters() const { return int64_t(1) << registers.size(); }
  /// Where the register of thread 0 is.
  Coordinate getOffset(int64_t number) const;
  /// Where a register of a thread is.
  Coordinate getElement(int64_t thread, int64_t number) const;
  /// True if the register is beyond the tile in every thread.
  bool isUnused(int64_t number) const;
  /// True if no thread has a register that is used beyond the tile along the
  /// axis.
  bool isInside(unsigned axis) const;
  /// The register that is so far from register 0, along axes that wrap around
  /// at the steps there are. Nothing if there is none.
  std::optional<int64_t> findRegister(llvm::ArrayRef<int64_t> offset) const;
  /// True if each thread has its elements where it has them in the other map,
  /// up to the order of its registers, and to how far both tiles go.
  bool hasSameThreads(const ElementMap &other) const;
  /// True if a thread holds neighbours along the first one of two axes.
  bool isAlongColumns() const;
  /// How many registers in a row, from a multiple of that on, hold neighbours
  /// along the last axis: a power of two.
  int64_t countNeighbours() const;
};

/// How threads hold a tile of this shape.
ElementMap makeElementMap(mlir::Attribute layout,
                          llvm::ArrayRef<int64_t> shape);

/// Rows for columns, of a tile with two axes.
ElementMap swapAxes(ElementMap map);

/// What is left of a map without the bits of registers that step nowhere.
ElementMap dropEqualRegisters(ElementMap map);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_ELEMENTMAP_H
