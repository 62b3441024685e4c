// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An array that owns its memory: what is read from and written to .npy files
/// and what the command fills with random numbers.

#ifndef TEGULA_SUPPORT_ARRAY_H
#define TEGULA_SUPPORT_ARRAY_H

#include "tegula/support/Error.h"
#include "tegula/support/Format.h"
#include "tegula/support/TensorView.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>

namespace tegula {

/// Bytes of a dense array, in which rows of half bytes start with a byte;
/// nothing if that exceeds 2^62 or an extent is negative.
std::optional<uint64_t> getDenseBytes(llvm::ArrayRef<int64_t> sizes,
                                      DType dtype);

/// Calls `visit` with the address of every element, last axis fastest.
void forEachElement(const TensorView &view,
                    llvm::function_ref<void(char *)> visit);

/// A dense array in row-major or column-major order; half bytes are always
/// row-major.
class Array {
public:
  /// The order of elements in memory.
  enum class Order { RowMajor, ColumnMajor };

  Array() = default;

  /// An array of zeros; the error says how much memory was wanted.
  [[nodiscard]] static Expected<Array> create(llvm::ArrayRef<int64_t> sizes,
                                              DType dtype,
                                              Order order = Order::RowMajor);

  /// The same elements in other memory, in the same order.
  [[nodiscard]] Expected<Array> clone() const;

  /// Leaves the last column out. Only half bytes have room for one that does
  /// not count.
  void dropLastColumn() { --view.sizes[view.rank - 1]; }

  const TensorView &getView() const { return view; }
  DType getDType() const { return view.dtype; }
  llvm::ArrayRef<int64_t> getSizes() const { return view.getSizes(); }
  uint64_t getNumBytes() const { return numBytes; }
  char *getBytes() const { return bytes.get(); }

private:
  struct Release {
    void operator()(char *bytes) const;
  };
  std::unique_ptr<char, Release> bytes;
  uint64_t numBytes = 0;
  TensorView view;
};

} // namespace tegula

#endif // TEGULA_SUPPORT_ARRAY_H
