// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// NumPy's .npy files, versions 1 to 3. Little-endian numbers and booleans
/// only. NumPy has no BF16: it writes ml_dtypes.bfloat16 as `<V2`, which is
/// what we write for BF16 and what we read as BF16.

#ifndef TEGULA_SUPPORT_NPY_H
#define TEGULA_SUPPORT_NPY_H

#include "tegula/support/Array.h"
#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tegula {

/// The array in the file at `path`. Column-major files give column-major
/// arrays. The message of an error names the file.
[[nodiscard]] Expected<Array> readNpy(llvm::StringRef path);

/// The array in `bytes`, the content of a .npy file.
[[nodiscard]] Expected<Array> parseNpy(llvm::StringRef bytes);

/// The content of a .npy file with the elements of `view` in row-major order.
std::string formatNpy(const TensorView &view);

/// The descr field of a .npy header, e.g. "<f4".
llvm::StringRef getNpyDescr(DType dtype);

} // namespace tegula

#endif // TEGULA_SUPPORT_NPY_H
