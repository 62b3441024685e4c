// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `if` at run time, and regions that run once. What the paths left in a
/// variable is joined into one value where they join.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_BRANCHES_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_BRANCHES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/statements/Flow.h"
#include "tegula/frontend/irgen/statements/Join.h"

namespace tegula {

struct TaskOptions;

/// Where the author wants something to run.
struct RegionPlacement {
  pl::Level level;
  /// What is said of it as a task; may be null.
  mlir::DictionaryAttr task;
};

/// Generates branches and regions around what others generate.
class Branches : FunctionPart {
public:
  explicit Branches(FunctionState &state) : FunctionPart(state) {}

  /// Generates both branches. `inside` counts the names in the statement: a
  /// variable that appears nowhere else need not be joined.
  Flow emitIf(mlir::Value condition, llvm::function_ref<Flow()> emitThen,
              llvm::function_ref<Flow()> emitElse, mlir::Location loc,
              const NameCounts &inside);
  /// What one of two expressions is worth, each evaluated where it is chosen.
  /// An object that is unusable if they are not alike.
  Object choose(mlir::Value condition, llvm::function_ref<Variable()> thenValue,
                llvm::function_ref<Variable()> elseValue, mlir::Location loc);
  /// Runs what `emit` generates only if the predicate of a task holds, and
  /// otherwise what `skip` generates.
  Flow emitGuarded(const TaskOptions &options, llvm::function_ref<Flow()> emit,
                   llvm::function_ref<Flow()> skip, const ast::Stmt &stmt);
  /// Generates a region that runs where the author wants it.
  Flow emitRegion(const RegionPlacement &placement,
                  llvm::function_ref<Flow()> emit, const NameCounts &inside,
                  mlir::Location loc);

private:
  /// A variable that gets its value from several paths.
  struct Merged {
    Slot slot;
    Join join;
    mlir::Location loc;
  };

  std::vector<Merged> mergeScopes(const Scope &thenScope,
                                  const Scope &elseScope,
                                  const NameCounts &inside);
  void closeIf(mlir::scf::IfOp old, llvm::ArrayRef<Merged> merged,
               const Scope &thenScope, const Scope &elseScope);
  bool endBranch(mlir::Block *block, llvm::ArrayRef<Merged> merged,
                 const Scope &from, llvm::SmallVectorImpl<mlir::Value> &values);
  void findEqualExtents(mlir::Block *outer, mlir::scf::IfOp op,
                        llvm::ArrayRef<mlir::Value> first,
                        llvm::ArrayRef<mlir::Value> second,
                        std::vector<CrossingExtent> &extents);
  std::vector<Merged> leavingRegion(mlir::Region &region,
                                    const NameCounts &inside);
  void rebindMerged(llvm::ArrayRef<Merged> merged,
                    llvm::ArrayRef<mlir::Value> values);
  bool isUsedOutside(const Slot &slot, const NameCounts &inside);

  /// The names in the whole function, counted when first asked for.
  std::optional<NameCounts> allNames;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_BRANCHES_H
