// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elements of 16 bits as they are in memory: as integers, two in a word of 32
/// bits.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_NARROWWORDS_H
#define TEGULA_BACKENDS_CUDA_ROWS_NARROWWORDS_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class NarrowWords : RowPart {
public:
  explicit NarrowWords(RowState &state) : RowPart(state) {}

  /// Narrow floats are in memory as integers: what has them is lowered later.
  Type wordOf(Type element);
  Value fromWord(Value word, Type element);
  Value toWord(Value value) { return fromWord(value, wordOf(value.getType())); }

  /// Half a word as an element.
  Value halfOf(Value word, Type element, bool isHigh);
  /// BF16 -> FP32 of half a word, in one instruction; LLVM needs two. Null if
  /// the element is no such half.
  Value widen(Value element);
  /// Two elements of 16 bits as a word; what is rounded to them is rounded at
  /// once.
  Value packPair(Value low, Value high);
  /// The elements of a vector.
  llvm::SmallVector<Value> partsOf(Value vector);

private:
  /// Where an element of 16 bits was read.
  struct Half {
    Value word;
    bool isHigh;
  };

  llvm::DenseMap<Value, Half> halves;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_NARROWWORDS_H
