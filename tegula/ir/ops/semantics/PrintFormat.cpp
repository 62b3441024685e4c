// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/semantics/PrintFormat.h"

#include <cstring>

using namespace tegula;
using llvm::StringRef;

size_t pl::countPlaceholders(StringRef format) {
  size_t placeholders = 0;
  for (size_t i = 0; i + 1 < format.size(); ++i) {
    bool isBrace = format[i] == '{' || format[i] == '}';
    placeholders += format.substr(i, 2) == "{}";
    i += isBrace;
  }
  return placeholders;
}

std::string pl::escapeBraces(StringRef text) {
  std::string escaped;
  for (char c : text)
    escaped.append(c == '{' || c == '}' ? 2 : 1, c);
  return escaped;
}

std::vector<int64_t> pl::encodeText(StringRef text) {
  std::vector<int64_t> words(2 + (text.size() + 7) / 8);
  words[0] = static_cast<int64_t>(text.size());
  words[1] = static_cast<int64_t>(countPlaceholders(text));
  std::memcpy(words.data() + 2, text.data(), text.size());
  return words;
}
