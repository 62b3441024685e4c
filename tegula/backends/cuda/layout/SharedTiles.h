// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The swizzled layout of a tile in shared memory: row-major, in chunks of 16
/// bytes. Chunks of a row are swizzled by the row's number, so that rows below
/// each other are in different banks:
///
///   chunk c of row r is where chunk c ^ (r % 8) would be, for rows of 128
///   bytes
///
/// Where an element is follows from the bits of its coordinate one by one.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_SHAREDTILES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_SHAREDTILES_H

#include "tegula/backends/cuda/layout/ElementMap.h"

namespace tegula {

/// One tile in shared memory.
class SharedTile {
public:
  SharedTile(llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

  int64_t getBytes() const { return bytes; }
  /// Where an element is; of several steps it is the exclusive or.
  int64_t getOffset(llvm::ArrayRef<int64_t> coordinate) const;
  /// Elements of a chunk.
  int64_t getChunk() const { return chunk; }
  /// Lengths of axes: powers of two.
  llvm::ArrayRef<int64_t> getSizes() const { return sizes; }
  int64_t getRowBytes() const { return sizes.back() * elementBytes; }
  /// So many rows have their chunks in the same order.
  int64_t getEqualRows() const;
  /// So many chunks swap with each other.
  int64_t getSwappedChunks() const;

private:
  llvm::SmallVector<int64_t, 3> sizes;
  int64_t elementBytes, bytes, chunk;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_SHAREDTILES_H
