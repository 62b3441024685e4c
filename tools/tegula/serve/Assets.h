// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files of the playground's page and the examples it offers, which are
/// part of the program.

#ifndef TEGULA_TOOLS_SERVE_ASSETS_H
#define TEGULA_TOOLS_SERVE_ASSETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

struct Asset {
  llvm::StringRef name, contentType, bytes;
};
llvm::ArrayRef<Asset> listAssets();

struct Example {
  llvm::StringRef name, source;
  /// Sizes and numbers to begin with: `M=100 N=33`.
  llvm::StringRef sizes, scalars;
};
llvm::ArrayRef<Example> listExamples();

} // namespace tegula

#endif // TEGULA_TOOLS_SERVE_ASSETS_H
