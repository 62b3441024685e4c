// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What fuzzers feed: any bytes become what they should say, or an error. What
/// else happens ends the process.

#ifndef TEGULA_TEST_FUZZ_INPUTS_H
#define TEGULA_TEST_FUZZ_INPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tegula::fuzz {

/// A kind of bytes that come from outside.
struct Input {
  /// The fuzzer's, and that of the folder of its corpus.
  const char *name;
  void (*read)(llvm::StringRef text);
  /// Words that mean something in it.
  std::vector<std::string> (*listTokens)();
};

/// Kernel source: lexer, parser, IR generation, verifier.
extern const Input source;

/// IR: parser, verifier, printer.
extern const Input ir;

/// Arrays in files of NumPy's.
extern const Input npy;

/// Files of the cache of compiled kernels, with a right checksum and without.
extern const Input cache;

/// Descriptions of NPUs.
extern const Input machine;

/// PTX in kernels, as the emulated GPU reads it.
extern const Input ptx;

/// Models that torch.export.save wrote: archives, or the files in them as text.
extern const Input model;

/// Messages of editors: as they are, or one on each line without its header.
extern const Input lsp;

/// What browsers send to the playground.
extern const Input playground;

/// All of them.
llvm::ArrayRef<const Input *> listInputs();

/// Ends the process unless this holds.
void expect(bool holds, const char *what);

} // namespace tegula::fuzz

#endif // TEGULA_TEST_FUZZ_INPUTS_H
