// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The registers of a tile as instructions of tensor cores want them.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_MATMULREGISTERS_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_MATMULREGISTERS_H

#include "tegula/backends/cuda/layout/RegisterWords.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"

namespace tegula {

/// Those of one tile, by coordinates from where a thread begins.
class MatmulRegisters {
public:
  MatmulRegisters(TileDistributor &distributor, const RegisterTile &tile,
                  mlir::Type element)
      : builder(distributor.builder), loc(distributor.loc), tile(tile),
        element(element) {}

  /// Where the instructions of a thread begin along an axis: the offsets of
  /// its registers that are multiples of the instruction's size.
  static llvm::SmallVector<int64_t> listOffsets(const ElementMap &map,
                                                unsigned axis, int64_t size);
  /// A register, where the tile wraps around at its bounds.
  static int64_t find(const ElementMap &map, int64_t row, int64_t column);

  /// Zero beyond a tile: there is nothing to add.
  mlir::Value take(int64_t row, int64_t column) const;
  /// Two elements next to each other, in a word.
  mlir::Value takePair(int64_t row, int64_t column, bool isAlongRow) const;
  /// The words of 16 x 16 elements of a lhs.
  llvm::SmallVector<mlir::Value> takeLhs(int64_t row, int64_t inner) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const RegisterTile &tile;
  mlir::Type element;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_MATMULREGISTERS_H
