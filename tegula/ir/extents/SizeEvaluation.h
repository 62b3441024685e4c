// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What index values come to in a call that brings given sizes and numbers,
/// computed by the rules of the interpreter. What the prover found is put to
/// this test before anyone is told.

#ifndef TEGULA_IR_EXTENTS_SIZEEVALUATION_H
#define TEGULA_IR_EXTENTS_SIZEEVALUATION_H

#include "tegula/ir/Scalar.h"
#include "tegula/ir/extents/ExtentTerms.h"

#include "mlir/IR/Block.h"

namespace tegula::pl {

/// What a call brings, and the variables of loops: an index value, or else the
/// extent of a parameter along an axis.
struct SizeInput {
  mlir::Value value;
  std::optional<unsigned> axis;

  bool operator==(const SizeInput &other) const {
    return value == other.value && axis == other.axis;
  }
  bool operator<(const SizeInput &other) const;
};

/// The values of one call. What is not given is 0.
class SizeEvaluation {
public:
  SizeEvaluation(const ExtentTerms &terms,
                 const std::map<unsigned, int64_t> &sample);
  explicit SizeEvaluation(std::map<SizeInput, int64_t> given)
      : given(std::move(given)) {}

  /// Changes what is given.
  void set(const SizeInput &input, int64_t size) { given[input] = size; }

  /// What an index or a boolean comes to; nothing if it depends on more than
  /// what is given, or has no answer.
  std::optional<int64_t> evaluate(mlir::Value value);
  std::optional<int64_t> evaluateExtent(mlir::Value shaped, unsigned axis);

  /// What was looked at since the last call of this.
  std::vector<SizeInput> takeInputs();

private:
  std::optional<Scalar> compute(mlir::Value value);
  std::optional<Scalar> read(mlir::Value value);

  /// Longer computations are given up.
  static constexpr unsigned maxDepth = 200;

  std::map<SizeInput, int64_t> given;
  std::vector<SizeInput> inputs;
  /// Where shape functions put what they build.
  mlir::Block scratch;
  unsigned depth = 0;
};

/// "M = 5, n = 3": those of the inputs that have a name, and what they are.
std::string describe(std::vector<SizeInput> inputs, SizeEvaluation &evaluation);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_SIZEEVALUATION_H
