// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// NumPy's .npy files, versions 1 to 3. Little-endian numbers and booleans
/// only. NumPy knows no BF16 and nothing narrower than a byte: what ml_dtypes
/// writes for those (`<V2`, `<V1`, `<f1`) says less than their type.

#ifndef TEGULA_SUPPORT_NPY_H
#define TEGULA_SUPPORT_NPY_H

#include "tegula/support/Array.h"
#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tegula {

/// The array in the file at `path`. Column-major files give column-major
/// arrays. The message of an error names the file. Elements of one byte are of
/// type `wanted` if that is an 8-bit float. If it is a 4-bit integer, each byte
/// without a type is one, and integers of 8 bits hold two, so that the last
/// axis becomes twice as long.
[[nodiscard]] Expected<Array>
readNpy(llvm::StringRef path, std::optional<DType> wanted = std::nullopt);

/// The array in `bytes`, the content of a .npy file.
[[nodiscard]] Expected<Array>
parseNpy(llvm::StringRef bytes, std::optional<DType> wanted = std::nullopt);

/// The content of a .npy file with the elements in row-major order.
std::string formatNpy(const TensorView &elements);

/// The descr field of a .npy header, e.g. "<f4". 4-bit integers are written as
/// bytes that hold two each, 8-bit floats as bytes without a type.
llvm::StringRef getNpyDescr(DType dtype);

} // namespace tegula

#endif // TEGULA_SUPPORT_NPY_H
