// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elementwise ops: one element type, one shape, and types the op accepts.

#ifndef TEGULA_FRONTEND_EMIT_ELEMENTWISEEMITTER_H
#define TEGULA_FRONTEND_EMIT_ELEMENTWISEEMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

class ElementwiseEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// The elementwise op `pl.<mnemonic>`, its operands promoted to one element
  /// type and broadcast to one shape. Errors call it `name`, if there is one.
  Object build(mlir::Location loc, llvm::StringRef mnemonic,
               llvm::ArrayRef<Object> operands, llvm::StringRef name = "");
  Object comparison(mlir::Location loc, pl::Comparison comparison,
                    const Object &lhs, const Object &rhs);
  Object select(mlir::Location loc, const Object &mask, const Object &lhs,
                const Object &rhs);
  Object cast(mlir::Location loc, const Object &operand, mlir::Type element,
              pl::Rounding rounding);
  /// How many operands `pl.<mnemonic>` takes if it is an elementwise op without
  /// attributes, otherwise 0.
  unsigned arityOf(llvm::StringRef mnemonic);

private:
  mlir::Type commonElement(mlir::Location loc, llvm::ArrayRef<Object> operands);
  bool unify(mlir::Location loc, llvm::StringRef name,
             llvm::ArrayRef<Object> operands,
             llvm::SmallVectorImpl<mlir::Value> &values);
  bool broadcastOperands(mlir::Location loc,
                         llvm::MutableArrayRef<mlir::Value> values);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_ELEMENTWISEEMITTER_H
