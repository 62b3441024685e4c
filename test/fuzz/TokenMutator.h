// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Changes texts word by word and line by line, so that more of what comes out
/// gets past the parser than after a change of bytes.

#ifndef TEGULA_TEST_FUZZ_TOKENMUTATOR_H
#define TEGULA_TEST_FUZZ_TOKENMUTATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace tegula::fuzz {

/// `text` with a few words or lines left out, doubled, exchanged, or replaced
/// by one of `words`. The seed decides.
std::string mutateTokens(llvm::StringRef text,
                         llvm::ArrayRef<std::string> words, uint64_t seed);

/// The names, numbers, runs of spaces and single signs of a text, in order:
/// together they are the text.
std::vector<llvm::StringRef> splitTokens(llvm::StringRef text);

} // namespace tegula::fuzz

#endif // TEGULA_TEST_FUZZ_TOKENMUTATOR_H
