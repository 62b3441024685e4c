// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arrays of ml_dtypes' int4 and uint4, which have a byte for each element:
/// kernels get a packed copy, and what they wrote is copied back.

#ifndef TEGULA_PYTHON_HALFBYTECOPIES_H
#define TEGULA_PYTHON_HALFBYTECOPIES_H

#include "tegula/launch/Problem.h"
#include "tegula/support/TensorView.h"

#include <memory>
#include <vector>

namespace tegula {

/// The packed copies of one call's arguments.
class HalfByteCopies {
public:
  /// Packs argument `index`, whose elements have a byte each. The copy is
  /// row-major.
  Problem add(size_t index, const TensorView &array, TensorView &packed);

  /// True if an array that `isWritten` says is written shares memory with
  /// another one; sets their arguments. What shares bytes with other arguments
  /// is not looked for: the kernel does not see those bytes.
  template <typename IsWritten>
  bool findOverlap(IsWritten isWritten, size_t &written, size_t &other) const {
    for (const Copy &copy : copies)
      if (isWritten(copy.index) && findOther(copy, other)) {
        written = copy.index;
        return true;
      }
    return false;
  }

  /// Copies what the kernel wrote back.
  template <typename IsWritten> void finish(IsWritten isWritten) const {
    for (const Copy &copy : copies)
      if (isWritten(copy.index))
        unpack(copy);
  }

  bool isEmpty() const { return copies.empty(); }

private:
  struct Copy {
    size_t index;
    /// As bytes, and as the kernel sees it.
    TensorView array, packed;
    std::unique_ptr<char[]> memory;
  };

  bool findOther(const Copy &copy, size_t &other) const;
  static void unpack(const Copy &copy);

  std::vector<Copy> copies;
};

} // namespace tegula

#endif // TEGULA_PYTHON_HALFBYTECOPIES_H
