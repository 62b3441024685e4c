// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The dtypes of the language: their names, their types in the IR, and which
/// one two of them become when they meet.

#ifndef TEGULA_FRONTEND_CONSTANTS_DTYPES_H
#define TEGULA_FRONTEND_CONSTANTS_DTYPES_H

#include "mlir/IR/Types.h"
#include "tegula/support/DType.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tegula {

/// The type of a dtype in the IR; INDEX is `index`.
mlir::Type toType(mlir::MLIRContext *context, DType dtype);

/// The dtype of a scalar or element type of the IR.
DType toDType(mlir::Type type);

/// The name of a scalar or element type: "FP32".
std::string dtypeName(mlir::Type type);

/// Why the dtype of that name is refused although the language knows it; empty
/// if it is not such a name.
llvm::StringRef whyDtypeIsRefused(llvm::StringRef name);

/// The element type two elements are brought to before they are combined:
/// floats win over integers, integers over booleans, then the wider one; a
/// signed and an unsigned integer of one width become signed. Two different
/// floats of one width become FP32. INDEX wins over integers and loses to
/// floats.
mlir::Type promote(mlir::Type lhs, mlir::Type rhs);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_DTYPES_H
