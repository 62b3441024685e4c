// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiled matmuls: a work item is one output tile, its operands come step by
/// step through rings of buffers. A convolution is the same with several taps
/// per channel, and an attention score a matmul with a batch of heads.

#ifndef TEGULA_SIM_PROGRAMS_GEMM_H
#define TEGULA_SIM_PROGRAMS_GEMM_H

#include "tegula/sim/programs/Program.h"
#include <optional>

namespace tegula::sim {

/// Extents of `batch` matmuls of `m` x `k` and `k` x `n`.
struct GemmShape {
  int64_t m;
  int64_t n;
  int64_t k;
  int64_t batch = 1;
  /// Matmuls with neighbouring rows of one loaded operand: 9 for a
  /// convolution with a 3 x 3 kernel, where `k` counts channels.
  int64_t taps = 1;
  /// Rows of the left operand that are loaded for each row of the output: 4
  /// for a convolution that takes every other pixel.
  int64_t leftRows = 1;
  int64_t elementBytes = 4;
  int64_t outputBytes = 4;
};

/// How a matmul is cut.
struct GemmTile {
  int64_t m;
  int64_t n;
  int64_t k;
  /// Buffers per operand: 2 prefetches one step.
  int64_t depth = 2;
  /// Buffers for output tiles.
  int64_t outputs = 2;
};

/// Vector work around the matmul.
struct GemmVectorWork {
  /// On each element of the left operand after it was loaded.
  std::optional<TegulaTraceFormula> onLeft;
  /// On each element of both operands after they were loaded.
  std::optional<TegulaTraceFormula> onOperands;
  /// On each element of the output before it is stored.
  std::optional<TegulaTraceFormula> onOutput;
  /// Whether work on operands goes through one staging buffer, so that it does
  /// not run under the matmul before.
  bool isStaged = false;
};

/// Bytes of scratchpad that `tile` takes; partial sums of four bytes included.
int64_t getGemmScratchpadBytes(const GemmShape &shape, const GemmTile &tile);

/// See the file comment.
class Gemm : public Program {
public:
  /// Accumulators are in `sums`.
  Gemm(const GemmShape &shape, const GemmTile &tile,
       const GemmVectorWork &work = {},
       TegulaTraceSpace sums = TegulaTraceScratchpad);

  int64_t countItems() const override;
  bool next(int64_t item, TegulaTraceCursor &cursor,
            TegulaTraceOp &op) const override;

private:
  /// The output tile of one item.
  struct OutputTile {
    int64_t batch, row, column, rows, columns;
  };

  OutputTile getOutputTile(int64_t item) const;
  void makeLoadLeft(const OutputTile &at, int64_t k, int64_t slot,
                    TegulaTraceOp &op) const;
  void makeLoadRight(const OutputTile &at, int64_t k, int64_t slot,
                     TegulaTraceOp &op) const;
  void makeMatmul(const OutputTile &at, int64_t k, int64_t slot, int64_t output,
                  TegulaTraceOp &op) const;
  void makeStore(const OutputTile &at, int64_t output, TegulaTraceOp &op) const;
  void makeVector(const TegulaTraceRange &range, int64_t rows, int64_t columns,
                  int64_t bytes, int32_t formula, TegulaTraceOp &op) const;
  void stage(TegulaTraceOp &op) const;
  int32_t getLeftFormula() const;
  void skipIdleSteps(int64_t &state) const;

  GemmShape shape;
  GemmTile tile;
  GemmVectorWork work;
  std::vector<TegulaTraceRange> left;
  std::vector<TegulaTraceRange> right;
  std::vector<TegulaTraceRange> output;
  TegulaTraceRange staging{};
  int64_t rightBase;
  int64_t outputBase;
  int32_t leftTensor, rightTensor, outputTensor;
  int32_t leftFormula = -1, operandFormula = -1, outputFormula = -1;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PROGRAMS_GEMM_H
