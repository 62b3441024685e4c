// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/TokenMutator.h"

#include "test/differential/Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;

std::vector<StringRef> fuzz::splitTokens(StringRef text) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  auto isSpace = [](char c) { return c == ' '; };
  std::vector<StringRef> tokens;
  while (!text.empty()) {
    size_t length = 1;
    if (isWord(text.front()))
      length = text.take_while(isWord).size();
    else if (isSpace(text.front()))
      length = text.take_while(isSpace).size();
    tokens.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return tokens;
}

/// Leaves out, doubles, exchanges or replaces one of `parts`.
static void change(std::vector<StringRef> &parts,
                   llvm::ArrayRef<std::string> words,
                   differential::Random &random) {
  int64_t last = static_cast<int64_t>(parts.size()) - 1;
  int64_t at = random.number(0, last), other = random.number(0, last);
  switch (random.number(0, words.empty() ? 3 : 5)) {
  case 0:
    parts.erase(parts.begin() + at);
    return;
  case 1:
    parts.insert(parts.begin() + other, StringRef(parts[at]));
    return;
  case 2:
    std::swap(parts[at], parts[other]);
    return;
  case 3:
    parts[at] = parts[other];
    return;
  default:
    parts[at] = words[random.number(0, words.size() - 1)];
    return;
  }
}

static std::vector<StringRef> splitLines(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return lines;
}

std::string fuzz::mutateTokens(StringRef text,
                               llvm::ArrayRef<std::string> words,
                               uint64_t seed) {
  differential::Random random(seed);
  bool isByLine = random.chance(25);
  std::vector<StringRef> parts =
      isByLine ? splitLines(text) : splitTokens(text);
  for (int64_t left = random.number(1, 4); left > 0 && !parts.empty(); --left)
    change(parts, isByLine ? llvm::ArrayRef<std::string>() : words, random);
  return llvm::join(parts, "");
}
