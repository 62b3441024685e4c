// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One pass over the rows of an array: read it, work on it, write it or not.
/// Softmax and LayerNorm are such passes, each a kernel of its own.

#ifndef TEGULA_SIM_PROGRAMS_ROWPASS_H
#define TEGULA_SIM_PROGRAMS_ROWPASS_H

#include "tegula/sim/programs/Program.h"

namespace tegula::sim {

/// What a pass does.
struct RowPassShape {
  int64_t rows;
  int64_t columns;
  int64_t elementBytes = 4;
  /// Whether the whole array is written; a number per row always is, otherwise.
  bool writes = false;
  TegulaTraceFormula formula{};
  /// Rows of a work item.
  int64_t tileRows = 8;
  /// Buffers.
  int64_t depth = 2;
};

/// See the file comment.
class RowPass : public Program {
public:
  explicit RowPass(const RowPassShape &shape);

  int64_t countItems() const override;
  bool next(int64_t item, TegulaTraceCursor &cursor,
            TegulaTraceOp &op) const override;

private:
  RowPassShape shape;
  std::vector<TegulaTraceRange> inputs;
  std::vector<TegulaTraceRange> outputs;
  int64_t outputBase;
  int32_t inputTensor, outputTensor;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PROGRAMS_ROWPASS_H
