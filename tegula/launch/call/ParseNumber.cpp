// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/ParseNumber.h"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>

using namespace tegula;

static std::string toLower(const std::string &text) {
  std::string lower;
  for (unsigned char letter : text)
    lower += static_cast<char>(std::tolower(letter));
  return lower;
}

namespace {

/// How an integer is written.
struct Notation {
  const char *prefix;
  const char *digits;
  int base;
};

} // namespace

static constexpr Notation notations[] = {{"0x", "0123456789abcdef", 16},
                                         {"0b", "01", 2},
                                         {"0o", "01234567", 8},
                                         {"", "0123456789", 10}};

/// The notation of an integer, and where its digits begin; null if it is none.
static const Notation *findNotation(const std::string &text, size_t &start) {
  size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
  for (const Notation &notation : notations) {
    std::string prefix = notation.prefix;
    start = sign + prefix.size();
    if (text.compare(sign, prefix.size(), prefix) == 0 && start < text.size() &&
        text.find_first_not_of(notation.digits, start) == std::string::npos)
      return &notation;
  }
  return nullptr;
}

static Problem parseInteger(const std::string &text, const char *digits,
                            int base, Argument &number) {
  errno = 0;
  uint64_t size = std::strtoull(digits, nullptr, base);
  constexpr uint64_t leastSize = uint64_t(1) << 63;
  bool isNegative = text[0] == '-';
  if (errno == ERANGE || (isNegative && size > leastSize))
    return makeCallProblem(integerTooLarge);
  if (isNegative)
    number = static_cast<int64_t>(-size);
  else if (size < leastSize)
    number = static_cast<int64_t>(size);
  else
    number = size;
  return {};
}

Problem tegula::parseNumber(const std::string &given, Argument &number) {
  std::string text = toLower(given);
  if (text == "true" || text == "false") {
    number = text == "true";
    return {};
  }
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])))
    return makeCallProblem("is not a number");
  size_t start = 0;
  if (const Notation *notation = findNotation(text, start))
    return parseInteger(text, text.c_str() + start, notation->base, number);
  char *end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size())
    return makeCallProblem("is not a number");
  if (std::isinf(value) && text.find("inf") == std::string::npos)
    return makeCallProblem("is too large for FP64; write inf for infinity");
  number = value;
  return {};
}
