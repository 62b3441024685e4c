// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The dialects and extensions every part of the system works with, from the
/// front end's output to bounded tiles. Back ends add their own.

#ifndef TEGULA_IR_REGISTER_H
#define TEGULA_IR_REGISTER_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace tegula {

/// Adds pl, arith, func, math and scf with the interfaces the passes ask for.
void registerDialects(mlir::DialectRegistry &registry);

/// The same for a context, with the dialects loaded.
void loadDialects(mlir::MLIRContext &context);

} // namespace tegula

#endif // TEGULA_IR_REGISTER_H
