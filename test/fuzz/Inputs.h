// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What fuzzers feed: any bytes become a module that verifies, or errors. What
/// else happens ends the process.

#ifndef TEGULA_TEST_FUZZ_INPUTS_H
#define TEGULA_TEST_FUZZ_INPUTS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tegula::fuzz {

/// A kind of text that comes from outside.
struct Input {
  void (*read)(llvm::StringRef text);
  /// Words that mean something in it.
  std::vector<std::string> (*listTokens)();
};

/// Kernel source: lexer, parser, IR generation, verifier.
extern const Input source;

/// IR: parser, verifier, printer.
extern const Input ir;

} // namespace tegula::fuzz

#endif // TEGULA_TEST_FUZZ_INPUTS_H
