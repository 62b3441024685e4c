// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Variables that go around loops. What type they need is known only after the
/// body has been generated: LoopTypes.h says how it is found.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_CARRIEDVARIABLES_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_CARRIEDVARIABLES_H

#include "tegula/frontend/irgen/FunctionPart.h"
#include "tegula/frontend/irgen/loops/LoopBody.h"

namespace tegula {

/// How a loop is built around its body.
struct LoopShape {
  /// Builds the loop with these values going in, leaves the builder in its
  /// body, and gives the values as the body sees them.
  llvm::function_ref<mlir::Operation *(mlir::ValueRange initial,
                                       llvm::SmallVectorImpl<mlir::Value> &)>
      open;
  /// Generates the body.
  llvm::function_ref<void()> emitBody;
  /// Ends the body with what goes to the next iteration.
  llvm::function_ref<void(mlir::ValueRange values)> close;
  /// How many results of the loop come before the carried ones.
  unsigned numOwnResults = 0;
  /// Requires, in front of the loop, that it runs; none if it never does, or if
  /// that cannot be said.
  llvm::function_ref<void()> requireIteration = nullptr;
};

/// Builds loops around their bodies, with what goes around.
class CarriedVariables : FunctionPart {
public:
  explicit CarriedVariables(FunctionState &state) : FunctionPart(state) {}

  void emit(const LoopBody &body, mlir::Location loc, const LoopShape &shape);

private:
  /// A variable that a loop assigns and that has a value before it.
  struct Carried {
    Slot slot;
    Variable initial;
    /// How the author calls it.
    llvm::StringRef shown;
    /// What is known of it, from this round and those before.
    LoopVariable &known;

    bool goesAround() const { return known.isCarried && !known.blocked; }
  };
  /// The values that the variables of a loop consist of, and whose they are.
  struct CarriedValues {
    llvm::SmallVector<mlir::Value> values;
    /// The variable of each value, and which of its values it is.
    std::vector<std::pair<LoopVariable *, unsigned>> owners;
    /// False after a mistake, when something is missing.
    bool isWhole = true;
  };

  std::vector<Carried> findCarried(const LoopBody &body, LoopTypes &types,
                                   const LoopShape &shape, mlir::Location loc);
  bool widenCarried(llvm::ArrayRef<Carried> carried);
  bool widen(const Carried &variable, const Variable &end);
  std::vector<CrossingExtent> assumeExtents(const CarriedValues &initial,
                                            mlir::Location loc);
  bool findChanging(llvm::ArrayRef<CrossingExtent> extents,
                    const CarriedValues &next, mlir::Location loc);
  CarriedValues flattenCarried(llvm::ArrayRef<Carried> carried, bool isInitial,
                               mlir::Location loc);
  void enterCarried(llvm::ArrayRef<Carried> carried,
                    llvm::ArrayRef<mlir::Value> inside);
  void bindCarried(llvm::ArrayRef<Carried> carried,
                   llvm::ArrayRef<mlir::Value> results, const Scope &before,
                   mlir::Location loc);
  llvm::SmallVector<mlir::Value>
  lastExtents(llvm::ArrayRef<CrossingExtent> extents, const CarriedValues &next,
              mlir::Location loc);
  void settleLast(std::vector<CrossingExtent> &extents,
                  llvm::ArrayRef<mlir::Value> last,
                  llvm::SmallVectorImpl<mlir::Value> &further);
  bool emitLoop(llvm::ArrayRef<Carried> carried, const LoopBody &body,
                Scope &before, mlir::Location loc, const LoopShape &shape,
                LoopTypes &types);
  void bindUnknown(std::vector<Carried> carried, LoopTypes &types,
                   const Scope &before, mlir::Location loc);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_CARRIEDVARIABLES_H
