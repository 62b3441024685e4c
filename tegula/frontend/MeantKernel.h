// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which kernel of a file is meant where none is named.

#ifndef TEGULA_FRONTEND_MEANTKERNEL_H
#define TEGULA_FRONTEND_MEANTKERNEL_H

#include "tegula/frontend/Frontend.h"

namespace tegula {

/// The only kernel of a file, or the only one that all ranks run together: the
/// others are what it runs. Empty if there are several, none, or mistakes.
std::string meantKernel(mlir::MLIRContext &context, llvm::StringRef text,
                        llvm::StringRef path, SourceFiles *files);

} // namespace tegula

#endif // TEGULA_FRONTEND_MEANTKERNEL_H
