// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One question to the solver: constraints, with everything that defines their
/// unknowns, as an integer polyhedron.

#ifndef TEGULA_IR_EXTENTS_CONSTRAINTSYSTEM_H
#define TEGULA_IR_EXTENTS_CONSTRAINTSYSTEM_H

#include "tegula/ir/extents/Constraints.h"
#include "tegula/ir/extents/ExtentProver.h"

namespace tegula::pl {

/// Searches for values of unknowns that satisfy constraints.
class ConstraintSystem {
public:
  explicit ConstraintSystem(const ExtentTerms &terms) : terms(terms) {}

  /// Adds a constraint and what defines its unknowns.
  void add(const Constraint &constraint);
  /// Adds a choice. Too many choices are left out, which makes the system
  /// weaker: what it says is impossible still is.
  void add(const Alternatives &alternatives);
  /// True if one of the unknowns appears in the system.
  bool mentions(const Constraints &constraints) const;

  /// Values that satisfy everything, none of what is given greater than
  /// `largest`; nothing if there are none.
  std::optional<Sample> solve(std::optional<int64_t> largest = std::nullopt);
  /// True if the sample satisfies the constraints added, the unknowns that are
  /// computed from others being computed.
  bool check(const Sample &sample) const;

private:
  void define(unsigned number);
  void defineQuotient(unsigned number);
  std::optional<Sample> solveFrom(size_t choice, Constraints &chosen,
                                  std::optional<int64_t> largest);
  std::optional<Sample> solveLinear(const Constraints &all,
                                    std::optional<int64_t> largest);
  bool isGiven(unsigned number) const;

  const ExtentTerms &terms;
  Constraints constraints;
  std::vector<Alternatives> choices;
  std::vector<bool> isDefined;
};

} // namespace tegula::pl

#endif // TEGULA_IR_EXTENTS_CONSTRAINTSYSTEM_H
