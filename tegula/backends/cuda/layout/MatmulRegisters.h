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

  /// Elements of a word, and those that an instruction sums up.
  int64_t getEach() const;
  int64_t getDepth() const { return wordsOfRow * getEach(); }

  /// Where the instructions of a thread begin along an axis: the offsets of
  /// its registers that are multiples of the instruction's size.
  static llvm::SmallVector<int64_t> listOffsets(const ElementMap &map,
                                                unsigned axis, int64_t size);
  /// A register, where the tile wraps around at its bounds.
  static int64_t find(const ElementMap &map, int64_t row, int64_t column);

  /// Zero beyond a tile: there is nothing to add.
  mlir::Value take(int64_t row, int64_t column) const;
  /// Elements next to each other, in a word; those of FP32 as TF32.
  mlir::Value takeWord(int64_t row, int64_t column, bool isAlongRow) const;
  /// The words of 16 rows of a lhs, and of 8 columns of a rhs.
  llvm::SmallVector<mlir::Value> takeLhs(int64_t row, int64_t inner) const;
  llvm::SmallVector<mlir::Value> takeRhs(int64_t inner, int64_t column) const;

private:
  static constexpr int64_t wordsOfRow = 8;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const RegisterTile &tile;
  mlir::Type element;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_MATMULREGISTERS_H
