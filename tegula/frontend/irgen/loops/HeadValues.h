// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that name what goes around in their head, and `pl.yield_`. The values
/// go around in slots of their own: the body may give the author's names any
/// other meaning, and what `pl.yield_` binds may be called alike.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_HEADVALUES_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_HEADVALUES_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"
#include <map>

namespace tegula {

class Assignments;

/// Values that loops name in their heads.
class HeadValues : FunctionPart {
public:
  HeadValues(FunctionState &state, Assignments &assignments)
      : FunctionPart(state), assignments(assignments) {}

  /// Reads the target of a `for`: its variable, and the names of what goes
  /// around. False after a mistake.
  bool read(const ast::For &node, Construct construct,
            const std::optional<CallArgument> &initial, LoopBody &body);
  /// At the start of an iteration the author's names stand for what came
  /// around.
  void enterIteration(const LoopBody &body);
  /// After the loop the names that `pl.yield_` binds stand for what came out.
  void bindResults(const LoopBody &body, mlir::Location loc);
  /// Branches end with `pl.yield_` all together, or none of them does.
  bool checkYields(const ast::If &node);
  Object callYield(const ast::Expr &expr, const ast::Call &node,
                   const CallArguments &arguments);

private:
  const ast::Call *findYield(const ast::Stmt &stmt) const;
  bool readCarries(const ast::Expr &target, const CallArgument &initial,
                   LoopBody &body);
  bool checkLast(const ast::Stmt &last, const ast::Call &yield, size_t count);

  /// A `pl.yield_` that has its place.
  struct Yield {
    /// What goes around the loop; nothing at the end of a branch.
    std::vector<Slot> slots;
    /// True for `(a,) = pl.yield_(v)`, which takes one value out of a tuple.
    bool isTuple;
  };

  Assignments &assignments;
  std::map<const ast::Call *, Yield> yields;
  /// How many slots have been taken.
  unsigned numCarries = 0;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_HEADVALUES_H
