// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes the body of one function as kernel source.

#ifndef TEGULA_FRONTEND_UNPARSE_SOURCESTATEMENTS_H
#define TEGULA_FRONTEND_UNPARSE_SOURCESTATEMENTS_H

#include "tegula/frontend/unparse/SourcePlan.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace tegula {

/// Writes statements, one per line.
class StatementWriter {
public:
  /// `fixedNames` holds the names of parameters and symbols.
  StatementWriter(SourceStyle style, const SourcePlan &plan,
                  const llvm::DenseMap<mlir::Value, std::string> &fixedNames,
                  llvm::raw_ostream &os)
      : style(style), plan(plan), fixedNames(fixedNames), os(os) {}

  /// The statements of a block, or `pass`; failure, with an error, if there is
  /// one that cannot be written.
  llvm::LogicalResult block(mlir::Block &block, unsigned depth);

private:
  std::string write(mlir::Value value, Wanted wanted, Strength strength);
  std::string iterator(mlir::Operation *op);
  std::string range(llvm::ArrayRef<mlir::Value> bounds);
  void line(unsigned depth, const llvm::Twine &text);
  llvm::LogicalResult operation(mlir::Operation *op, unsigned depth);
  llvm::LogicalResult region(mlir::Operation *op, unsigned depth);
  llvm::LogicalResult branch(mlir::scf::IfOp op, unsigned depth);
  llvm::LogicalResult loop(mlir::scf::WhileOp op, unsigned depth);
  void call(mlir::func::CallOp op, unsigned depth, mlir::Value device = {});
  void setVariables(llvm::ArrayRef<Phi> phis, unsigned depth,
                    llvm::function_ref<mlir::Value(const Phi &)> valueOf);
  ExpressionWriter expressions() { return ExpressionWriter(style, writeValue); }

  SourceStyle style;
  const SourcePlan &plan;
  const llvm::DenseMap<mlir::Value, std::string> &fixedNames;
  llvm::raw_ostream &os;
  std::function<std::string(mlir::Value, Wanted, Strength)> writeValue =
      [this](mlir::Value value, Wanted wanted, Strength strength) {
        return write(value, wanted, strength);
      };
  bool hasFailed = false;
  unsigned numLines = 0;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_UNPARSE_SOURCESTATEMENTS_H
