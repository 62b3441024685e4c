// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The walk behind findDifference. Ops that only give a value are compared
/// where they are used; all others in their order, block by block.

#ifndef TEGULA_IR_PROGRAMWALK_H
#define TEGULA_IR_PROGRAMWALK_H

#include "tegula/ir/StructuralEquality.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula::pl {

/// Walks the ops of two functions at once. What is found equal is remembered;
/// the first difference ends the walk.
class ProgramWalk {
public:
  bool compareFunctions(mlir::func::FuncOp first, mlir::func::FuncOp second,
                        bool isEntry);

  std::optional<Difference> difference;

private:
  using Pair = std::pair<mlir::Value, mlir::Value>;

  bool differ(const llvm::Twine &message, mlir::Location first,
              mlir::Location second) {
    if (!difference)
      difference = Difference{message.str(), first, second};
    return false;
  }
  /// The same about one thing that is `left` here and `right` there.
  bool differ(llvm::StringRef what, llvm::StringRef left, llvm::StringRef right,
              mlir::Location first, mlir::Location second) {
    return differ(what + (what.empty() ? "" : " is ") + left +
                      " in the first, " + right + " in the second",
                  first, second);
  }
  void mark(mlir::ValueRange first, mlir::ValueRange second) {
    for (auto [left, right] : llvm::zip(first, second))
      equal.insert({left, right});
  }

  bool compareParameters(mlir::func::FuncOp first, mlir::func::FuncOp second);
  bool compareBodies(mlir::Block &first, mlir::Block &second);
  bool compareStatements(mlir::Operation *first, mlir::Operation *second);
  bool compareOperands(mlir::Operation *first, mlir::Operation *second);
  bool compareSelf(mlir::Operation *first, mlir::Operation *second);
  bool compareAttributes(mlir::Operation *first, mlir::Operation *second);
  bool compareLocations(mlir::Operation *first, mlir::Operation *second);
  bool compareCallees(mlir::func::CallOp first, mlir::func::CallOp second);
  bool compareRegions(mlir::Operation *first, mlir::Operation *second);
  bool compareCarried(mlir::Operation *first, mlir::Operation *second,
                      mlir::OperandRange firstInits,
                      mlir::OperandRange secondInits);
  bool compareFor(mlir::scf::ForOp first, mlir::scf::ForOp second,
                  llvm::ArrayRef<unsigned> order);
  bool compareWhile(mlir::scf::WhileOp first, mlir::scf::WhileOp second,
                    llvm::ArrayRef<unsigned> order);
  bool compareInOrder(mlir::ValueRange first, mlir::ValueRange second,
                      llvm::ArrayRef<unsigned> order,
                      mlir::Operation *firstUser, mlir::Operation *secondUser);
  bool matchOrder(llvm::ArrayRef<mlir::ValueRange> first,
                  llvm::ArrayRef<mlir::ValueRange> second,
                  llvm::SmallVectorImpl<unsigned> &order,
                  mlir::Operation *firstUser, mlir::Operation *secondUser);
  bool compareValues(mlir::Value first, mlir::Value second,
                     mlir::Operation *firstUser, mlir::Operation *secondUser);
  bool isEqual(mlir::Value first, mlir::Value second);

  llvm::DenseSet<Pair> equal;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
  /// How many ops that write stand before an op of its block.
  llvm::DenseMap<mlir::Operation *, unsigned> epochs;
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> functions;
};

} // namespace tegula::pl

#endif // TEGULA_IR_PROGRAMWALK_H
