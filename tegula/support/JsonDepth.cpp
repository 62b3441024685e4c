// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/JsonDepth.h"

using llvm::StringRef;

bool tegula::isDeep(StringRef text) {
  constexpr int maxDepth = 64;
  bool isString = false;
  int depth = 0;
  for (size_t at = 0; at < text.size() && depth <= maxDepth; ++at) {
    char character = text[at];
    if (isString && character == '\\')
      ++at;
    else if (character == '"')
      isString = !isString;
    else if (!isString && (character == '[' || character == '{'))
      ++depth;
    else if (!isString && (character == ']' || character == '}'))
      --depth;
  }
  return depth > maxDepth;
}
