// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/Format.h"

#include <cstdio>

using namespace tegula;

std::string tegula::formatShape(llvm::ArrayRef<int64_t> sizes) {
  std::string text = "[";
  for (int64_t size : sizes)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::string tegula::formatNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.10g", value);
  return text;
}
