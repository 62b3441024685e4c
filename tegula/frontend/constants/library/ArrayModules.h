// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a kernel file can take from NumPy, PyTorch and ml_dtypes without
/// running them: numbers, dtypes and functions of numbers. Arrays are not here;
/// kernels get them as arguments.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_ARRAYMODULES_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_ARRAYMODULES_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// The module of that name; nothing if it is not one of these. `numpy.pi` is a
/// number, `numpy.newaxis` is None, `numpy.float32` a dtype; functions are
/// builtins called `numpy.sqrt`, for constants only; everything else is an
/// UnusableObject.
std::optional<Object> arrayModule(mlir::MLIRContext &context,
                                  llvm::StringRef name);

/// True for the names of such functions.
bool isArrayFunction(llvm::StringRef name);

/// The result of such a function; nothing if it is not known for these
/// arguments.
std::optional<Object> foldArrayCall(llvm::StringRef name,
                                    llvm::ArrayRef<Object> arguments);

/// `numpy.int32(8)`: the number, if the dtype computes as Python's numbers do,
/// which narrow ones do not; nothing if it does not, or if the number does not
/// fit.
std::optional<Object> foldDtypeCall(mlir::Type dtype, const Object &number);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_ARRAYMODULES_H
