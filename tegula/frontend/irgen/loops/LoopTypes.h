// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What goes around the loops of a function, found by a fixpoint over all of
/// them together. A function is generated assuming that what goes around keeps
/// its type and its extents; what the bodies end with says where that is wrong.
/// It is then generated again with what has been learnt, until nothing new is:
/// a few rounds, however deep loops are nested.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_LOOPTYPES_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_LOOPTYPES_H

#include "tegula/frontend/irgen/Scope.h"
#include "tegula/frontend/irgen/statements/Join.h"
#include "tegula/frontend/syntax/AstWalk.h"
#include <map>
#include <set>

namespace tegula {

/// What is known of one variable that a loop assigns.
struct LoopVariable {
  /// The types of its values.
  Join join;
  /// False if every iteration finds what was there before the loop.
  bool isCarried;
  /// True if only the body binds it, and what the last iteration leaves in it
  /// is read after the loop.
  bool isLast = false;
  /// True if it was found to be carried after all.
  bool mustBeCarried = false;
  /// What the name stands for in the body if its value cannot go around.
  std::optional<Object> blocked = std::nullopt;
  /// The axes, by the value of the variable, whose extents differ from one
  /// iteration to the next.
  std::set<std::pair<unsigned, unsigned>> changing = {};
  /// How often the join had to be widened.
  unsigned numWidened = 0;
};

/// What is known of one loop.
struct LoopTypes {
  std::map<Slot, LoopVariable> variables;
  /// Why the iterations of a parallel loop run in order; empty if they do not.
  std::string runsInOrder;
};

/// What is known of all loops of a function. A loop that stands in several
/// places of the generated code, because it is unrolled or belongs to several
/// paths, is known once for each.
class LoopTypeTable {
public:
  /// Begins to generate the function, for the first time or again.
  void startRound();
  /// The loop with this body, at the next place where it stands.
  LoopTypes &at(Stmts body);
  /// Says that something new was learnt.
  void setChanged() { changed = true; }
  /// True if something new was learnt in this round: what it generated is not
  /// right.
  bool hasChanged() const { return changed; }

private:
  std::map<std::pair<const void *, unsigned>, LoopTypes> loops;
  /// How often each body was generated in this round.
  std::map<const void *, unsigned> positions;
  bool changed = false;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_LOOPTYPES_H
