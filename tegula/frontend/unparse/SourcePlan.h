// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Decides, before a function is written, which ops become statements and which
/// parts of expressions, and which values share a variable.

#ifndef TEGULA_FRONTEND_UNPARSE_SOURCEPLAN_H
#define TEGULA_FRONTEND_UNPARSE_SOURCEPLAN_H

#include "tegula/frontend/unparse/SourceExpressions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include <set>
#include <string>

namespace tegula {

/// True for ops that do nothing but give a value.
bool isExpression(mlir::Operation *op);

/// A value that a loop carries, or that a branch or region hands out: its
/// variable is assigned from `initial` before the op and from `yielded` at the
/// ends of its regions.
struct Phi {
  mlir::Operation *op;
  /// The values that are one variable: results and block arguments.
  llvm::SmallVector<mlir::Value, 3> variables;
  /// Null for branches and regions.
  mlir::Value initial;
  /// One for each region that ends with it, and the ops that end them.
  llvm::SmallVector<mlir::Value, 2> yielded;
  llvm::SmallVector<mlir::Operation *, 2> ends;
};

/// The phis of an op.
llvm::SmallVector<Phi> phisOf(mlir::Operation *op);

/// How a `while` is left by `break`: a flag that goes around with its values
/// says whether to go on.
struct EarlyExit {
  /// Which of the values the flag is.
  unsigned flag;
  /// The branch that tests the condition only if the flag is set.
  mlir::scf::IfOp test;
  /// The condition of the loop, and that of the `break` at the end of its body.
  mlir::Value condition, stop;
};

/// The early exit of a loop, if it has one.
std::optional<EarlyExit> earlyExitOf(mlir::scf::WhileOp loop);

/// The branch that is always taken; null if that is not known.
mlir::Block *takenBranch(mlir::scf::IfOp op);

/// The call that a branch dispatches to a device; null for other ops.
mlir::func::CallOp dispatchedCall(mlir::Operation *op);

/// The plan of one function.
class SourcePlan {
public:
  SourcePlan(mlir::func::FuncOp func, SourceStyle style)
      : func(func), style(style) {}

  /// Makes the plan; failure, with an error, if something has no source form.
  /// No variable gets a name in `reserved`.
  llvm::LogicalResult make(const std::set<std::string> &reserved);

  /// True if `op` is written where its value is used.
  bool isFolded(mlir::Operation *op) const { return folded.contains(op); }
  /// True if `op` has an effect, or something that is written needs it.
  bool isNeeded(mlir::Operation *op) const { return demanded.contains(op); }
  /// The phis of an op that something reads.
  llvm::SmallVector<Phi> livePhis(mlir::Operation *op) const;
  /// The variable of a value; empty if it has none.
  llvm::StringRef nameOf(mlir::Value value) const;

private:
  /// Where a value is mentioned.
  struct Use {
    mlir::Operation *user;
    /// True if it is read after the carried variables have been set.
    bool isInside;
    /// True if it is what a variable is set to.
    bool isPhi;
  };
  /// A point in the program: before or after an op.
  struct Point {
    mlir::Operation *op;
    bool isBefore;
  };

  // What is mentioned and what is folded: SourcePlan.cpp.
  llvm::LogicalResult demandBlock(mlir::Block &block);
  llvm::LogicalResult demand(mlir::Operation *op);
  llvm::LogicalResult demandMentions(mlir::Operation *op, bool isPart);
  llvm::LogicalResult demandRegions(mlir::Operation *op);
  llvm::LogicalResult demandValue(mlir::Value value, Use use);
  llvm::LogicalResult demandVariable(mlir::Value variable);
  llvm::LogicalResult demandPhi(const Phi &phi);
  void chooseFolded();
  bool mayFold(mlir::Operation *op);
  bool isInCondition(mlir::Operation *op);
  mlir::Operation *emissionOf(mlir::Operation *op) const;

  // Variables: SourceVariables.cpp.
  void collectVariables();
  void joinVariables();
  bool join(mlir::Value first, mlir::Value second);
  mlir::Value rootOf(mlir::Value value) const;
  Point definitionOf(mlir::Value value) const;
  bool isLiveAt(mlir::Value value, Point point) const;
  bool isReachable(const Use &use, mlir::Value value, Point from) const;
  bool interferes(mlir::Value first, mlir::Value second) const;
  void chooseNames(const std::set<std::string> &reserved);
  bool mayShare(mlir::Value first, mlir::Value second) const;

  mlir::func::FuncOp func;
  SourceStyle style;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Use, 2>> uses;
  llvm::DenseSet<mlir::Operation *> demanded;
  llvm::DenseSet<mlir::Operation *> folded;
  /// The first variable of each phi that is written.
  llvm::DenseSet<mlir::Value> demandedPhis;
  /// Values with a variable, in program order.
  llvm::SmallVector<mlir::Value> variables;
  llvm::DenseMap<mlir::Value, mlir::Value> parents;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> members;
  llvm::DenseMap<mlir::Value, std::string> names;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_UNPARSE_SOURCEPLAN_H
