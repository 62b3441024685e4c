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
#include "llvm/ADT/DenseSet.h"

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

  /// Changes what is given. What does not depend on it stays known.
  void set(const SizeInput &input, int64_t size);

  /// What an index or a boolean comes to; nothing if it depends on more than
  /// what is given, or has no answer.
  std::optional<int64_t> evaluate(mlir::Value value);
  std::optional<int64_t> evaluateExtent(mlir::Value shaped, unsigned axis);

  /// What was looked at since the last call of this.
  std::vector<SizeInput> takeInputs();

private:
  /// What a value came to, and what that depends on.
  struct Known {
    std::optional<Scalar> number;
    std::vector<SizeInput> inputs;
  };

  std::optional<Scalar> find(mlir::Value value);
  std::optional<Scalar> compute(mlir::Value value);
  std::optional<Scalar> read(mlir::Value value);
  mlir::Value reify(mlir::Value shaped, unsigned axis);
  void look(const SizeInput &input);
  bool isTooDeep();

  /// Longer computations are given up.
  static constexpr unsigned maxDepth = 200;

  std::map<SizeInput, int64_t> given;
  std::vector<SizeInput> inputs;
  /// Where shape functions put what they build, which is built once.
  mlir::Block scratch;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> reified;
  llvm::DenseMap<mlir::Value, Known> known;
  /// The values that are known, by each input that they depend on.
  std::map<SizeInput, llvm::DenseSet<mlir::Value>> dependents;
  unsigned depth = 0;
  /// True if something was given up since this was last false.
  bool isGivenUp = false;
};

/// "M = 5, n = 3": those of the inputs that have a name, and what they are.
std::string describe(std::vector<SizeInput> inputs, SizeEvaluation &evaluation);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_SIZEEVALUATION_H
