// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The C header of a library of kernels. Internal to the runtime.

#ifndef TEGULA_RUNTIME_EXPORTHEADER_H
#define TEGULA_RUNTIME_EXPORTHEADER_H

#include "tegula/launch/call/Signature.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// A C function and the kernel behind it.
struct ExportedFunction {
  std::string name;
  Signature signature;
  /// Parameters that it does not take, because the library has them.
  std::vector<std::string> bound = {};
  /// Whether it takes a stream.
  bool takesStream = false;
};

/// True if `name` can be the name of a function in C and C++.
bool isCName(llvm::StringRef name);

/// The text of the header; `path` is where it will lie.
std::string writeHeader(llvm::ArrayRef<ExportedFunction> functions,
                        llvm::StringRef path);

} // namespace tegula

#endif // TEGULA_RUNTIME_EXPORTHEADER_H
