// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Decides whether something about sizes holds in every call, and finds sizes
/// for which it does not. Linear constraints with quotients are decided
/// exactly, by MLIR's Presburger library; products of unknowns are
/// approximated.

#ifndef TEGULA_IR_EXTENTS_EXTENTPROVER_H
#define TEGULA_IR_EXTENTS_EXTENTPROVER_H

#include "tegula/ir/extents/Constraints.h"
#include "tegula/ir/extents/SizeEvaluation.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tegula::pl {

class RequireOp;
class SliceOp;

/// Sizes: what each unknown of a query is.
using Sample = std::map<unsigned, int64_t>;

/// Knows what holds at one point of a function: what is required before it, the
/// ranges of the loops and the conditions of the branches around it.
class ExtentProver {
public:
  /// Everything that holds when `op` runs.
  explicit ExtentProver(mlir::Operation *op);
  /// Everything that holds at the end of what is in `block` so far.
  explicit ExtentProver(mlir::Block *block);

  ExtentTerms &getTerms() { return terms; }
  const ExtentTerms &getTerms() const { return terms; }
  /// True if something is required before this point.
  bool hasRequirements() const { return isRequired; }
  /// Adds something that holds.
  void assume(Alternatives fact);

  /// True if the constraints cannot hold together.
  bool isImpossible(const Constraints &constraints);
  bool isEqual(const Polynomial &lhs, const Polynomial &rhs);
  bool isAtMost(const Polynomial &lhs, const Polynomial &rhs);
  /// True if the condition always holds.
  bool isAlways(mlir::Value condition);

  /// Sizes for which the constraints hold, as far as they are polynomials;
  /// nothing if there are none or none is found. Small ones are preferred.
  std::optional<Sample> findSample(const Constraints &constraints);
  /// "M = 5, n = 3": sizes for which the constraints hold and of which `claim`
  /// is true, when everything is computed as the interpreter does. They satisfy
  /// what holds at this op, too. Nothing if none is found.
  std::optional<std::string>
  findExample(const Constraints &constraints,
              llvm::function_ref<bool(SizeEvaluation &)> claim);

private:
  void learnBlock(mlir::Block *block, mlir::Operation *end);
  void learnParents(mlir::Block *block);
  void learnLoop(mlir::Value variable, mlir::Value lower, mlir::Value upper,
                 mlir::Value step);
  bool holds(SizeEvaluation &sizes, std::vector<SizeInput> &inputs) const;

  ExtentTerms terms;
  std::vector<Alternatives> facts;
  /// What makes control reach the point: booleans, and what they are.
  std::vector<std::pair<mlir::Value, bool>> conditions;
  /// The loops around it.
  std::vector<mlir::LoopLikeOpInterface> loops;
  bool isRequired = false;
};

/// True if along an axis of its result the slice has just the extent that its
/// type says, in every run.
bool isProvedExact(SliceOp slice, unsigned axis);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_EXTENTPROVER_H
