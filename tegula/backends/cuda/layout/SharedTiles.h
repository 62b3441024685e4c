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
///
/// wgmma reads boxes: 128 bytes of each row, then those of the next columns.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_SHAREDTILES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_SHAREDTILES_H

#include "tegula/backends/cuda/layout/ElementMap.h"

namespace tegula {

/// One tile in shared memory.
class SharedTile {
public:
  enum class Kind { Rows, Boxes };

  SharedTile(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
             Kind kind = Kind::Rows);

  int64_t getBytes() const { return bytes; }
  /// Where an element is; of several steps it is the exclusive or.
  int64_t getOffset(llvm::ArrayRef<int64_t> coordinate) const;
  /// Elements of a chunk.
  int64_t getChunk() const { return chunk; }
  /// Lengths of axes: powers of two.
  llvm::ArrayRef<int64_t> getSizes() const { return sizes; }
  int64_t getRowBytes() const { return sizes.back() * elementBytes; }
  /// What lies one after the other of a row.
  int64_t getLineBytes() const;
  bool isInBoxes() const { return kind == Kind::Boxes; }
  /// From one box to the next.
  int64_t getBoxBytes() const {
    return bytes / (getRowBytes() / getLineBytes());
  }
  /// Where it begins is a multiple of that.
  int64_t getAlignment() const;
  /// So many rows have their chunks in the same order.
  int64_t getEqualRows() const;
  /// So many chunks swap with each other.
  int64_t getSwappedChunks() const;

private:
  llvm::SmallVector<int64_t, 3> sizes;
  int64_t elementBytes, bytes, chunk;
  Kind kind;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_SHAREDTILES_H
