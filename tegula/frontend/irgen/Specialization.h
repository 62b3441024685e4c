// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generates an entry for a call and finds out what of the call the program
/// needs as a constant. A program is first generated with nothing fixed; if
/// that fails, as little is fixed as makes it right.

#ifndef TEGULA_FRONTEND_IRGEN_SPECIALIZATION_H
#define TEGULA_FRONTEND_IRGEN_SPECIALIZATION_H

#include "tegula/frontend/irgen/ModuleGenerator.h"

namespace tegula {

/// One call of one entry.
class Specialization {
public:
  /// With `isDynamic`, the axes of open parameters are not fixed either unless
  /// they must be.
  Specialization(mlir::MLIRContext &context, const KernelFunction &function,
                 llvm::ArrayRef<ArgumentSpec> specs, const MachineParts &parts,
                 bool isDynamic);

  /// The module; null if there are mistakes, which are reported.
  mlir::OwningOpRef<mlir::ModuleOp> generate(Reporter &reporter);

private:
  void collectNumbers(const std::vector<DeclaredParameter> &parameters);
  void collectAxes(const std::vector<DeclaredParameter> &parameters);
  /// The module with `fixed` fixed.
  mlir::OwningOpRef<mlir::ModuleOp> attempt(const std::vector<Fixed> &fixed,
                                            Reporter &reporter);
  mlir::OwningOpRef<mlir::ModuleOp>
  attemptWith(llvm::ArrayRef<ArgumentSpec> chosen,
              const std::vector<Fixed> &fixed, std::vector<AxisSymbol> cascaded,
              Reporter &reporter);
  mlir::OwningOpRef<mlir::ModuleOp> attemptFirst();
  /// As few of the candidates as make the program right, with the reasons.
  std::vector<Fixed> chooseFixed();

  mlir::MLIRContext &context;
  const KernelFunction &function;
  std::vector<ArgumentSpec> specs;
  MachineParts parts;
  bool isDynamic;
  /// What is fixed whatever the program is.
  std::vector<Fixed> always;
  /// What is fixed if the program needs it.
  std::vector<Fixed> candidates;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SPECIALIZATION_H
