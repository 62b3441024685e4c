// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Decides whether something about sizes holds in every call, and finds sizes
/// for which it does not. Linear constraints with quotients are decided
/// exactly, by MLIR's Presburger library; products of unknowns are
/// approximated.

#ifndef TEGULA_IR_EXTENTPROVER_H
#define TEGULA_IR_EXTENTPROVER_H

#include "tegula/ir/Constraints.h"

#include "mlir/IR/Operation.h"

namespace tegula::pl {

class RequireOp;
class SliceOp;

/// Sizes: what each unknown of a query is.
using Sample = std::map<unsigned, int64_t>;

/// Knows what holds at one place of a function: what is required before it, the
/// ranges of the loops and the conditions of the branches around it.
class ExtentProver {
public:
  /// Everything that holds when `op` runs.
  explicit ExtentProver(mlir::Operation *op);
  /// Everything that holds at the end of what is in `block` so far.
  explicit ExtentProver(mlir::Block *block);

  ExtentTerms &getTerms() { return terms; }
  /// True if something is required before this place.
  bool hasRequirements() const { return isRequired; }
  /// Adds something that holds.
  void assume(Alternatives fact);

  /// True if the constraints cannot hold together.
  bool isImpossible(const Constraints &constraints);
  bool isEqual(const Polynomial &lhs, const Polynomial &rhs);
  bool isAtMost(const Polynomial &lhs, const Polynomial &rhs);
  /// True if the condition always holds.
  bool isAlways(mlir::Value condition);

  /// Sizes for which the constraints hold, checked by computing them; nothing
  /// if there are none or none is found. Small ones are preferred.
  std::optional<Sample> findSample(const Constraints &constraints);
  /// What a polynomial comes to at these sizes; nothing if it does not fit.
  std::optional<int64_t> evaluate(const Sample &sample,
                                  const Polynomial &polynomial) const;
  /// "M = 5, N = 3": the symbols and numbers given to the kernel.
  std::string describe(const Sample &sample) const;

private:
  void learnBlock(mlir::Block *block, mlir::Operation *end);
  void learnParents(mlir::Block *block);
  void learnLoop(mlir::Value variable, mlir::Value lower, mlir::Value upper,
                 mlir::Value step);

  ExtentTerms terms;
  std::vector<Alternatives> facts;
  bool isRequired = false;
};

/// True if the products of the two lists of extents are equal in every run. The
/// question a reshape asks.
bool areEqualProducts(mlir::ValueRange lhs, mlir::ValueRange rhs,
                      mlir::Block *where);

/// True if along an axis of its result the slice has just the extent that its
/// type says, in every run.
bool isProvedExact(SliceOp slice, unsigned axis);

/// True if `divisor` divides `dividend` in every run (0 divides only 0).
bool divides(mlir::Value divisor, mlir::Value dividend, mlir::Block *where);

/// Sizes for which the products differ, such as "M = 5, N = 3"; empty if none
/// is found.
std::string describeUnequalProducts(mlir::ValueRange lhs, mlir::ValueRange rhs,
                                    mlir::Block *where);

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTPROVER_H
