// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fuzzer of what TEGULA_FUZZ_INPUT is. Half of the changes are libFuzzer's,
// byte by byte; the other half go word by word.

#include "test/fuzz/Inputs.h"
#include "test/fuzz/TokenMutator.h"

#include <cstring>

using namespace tegula;

// The names are libFuzzer's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::TEGULA_FUZZ_INPUT.read({reinterpret_cast<const char *>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 2 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  static const std::vector<std::string> words =
      fuzz::TEGULA_FUZZ_INPUT.listTokens();
  std::string text = fuzz::mutateTokens(
      {reinterpret_cast<const char *>(data), size}, words, seed);
  size_t length = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), length);
  return length;
}
// NOLINTEND(readability-identifier-naming)
