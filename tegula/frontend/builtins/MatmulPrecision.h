// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a matmul may round its operands, as authors say it.

#ifndef TEGULA_FRONTEND_BUILTINS_MATMULPRECISION_H
#define TEGULA_FRONTEND_BUILTINS_MATMULPRECISION_H

#include "tegula/frontend/builtins/BuiltinCall.h"

namespace tegula {

/// Nothing for `"exact"`, and if it was left out. False, after an error, if
/// there is no such precision.
bool readPrecision(const BuiltinArgument &argument,
                   std::optional<pl::Precision> &precision);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_MATMULPRECISION_H
